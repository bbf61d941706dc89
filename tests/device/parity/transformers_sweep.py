"""Architectures of Hugging Face `transformers`, from tiny configurations, on neuron against the CPU:
python -m parity.transformers_sweep OUT.jsonl [--minutes M]

The list is the package's own auto mappings (base models, causal language models), in an order drawn by a fixed seed, so
that a part of it is a fair part. Nothing is downloaded: every model has random weights. Compared are the floating-point
results and, where the CPU can differentiate, all gradients, bit for bit, dropout off. An architecture that does not run
on the CPU from its shrunken configuration is counted, not compared. A run can be resumed.
"""

import argparse
import copy
import inspect
import json
import random
import signal
import sys
import time
import warnings
from pathlib import Path

import torch
import transformers
from parity import cases
from parity.checks import gradients_of_sum
from transformers.models.auto import configuration_auto, modeling_auto

SECONDS_EACH = 60
# Sizes by the names that configurations use for them. Whatever else a configuration has keeps its default.
TINY = {
    "hidden_size": 32, "d_model": 32, "n_embd": 32, "embed_dim": 32, "dim": 32, "projection_dim": 32, "emb_dim": 32,
    "intermediate_size": 64, "d_ff": 64, "n_inner": 64, "ffn_dim": 64, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64,
    "num_hidden_layers": 2, "num_layers": 2, "n_layer": 2, "n_layers": 2, "encoder_layers": 2, "decoder_layers": 2,
    "num_encoder_layers": 2, "num_decoder_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 4, "n_head": 4, "n_heads": 4, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "num_heads": 4, "head_dim": 8, "d_kv": 8,
    "vocab_size": 128, "max_position_embeddings": 64, "n_positions": 64, "image_size": 32, "patch_size": 8,
    "num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32,
    "kv_lora_rank": 16, "q_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "v_head_dim": 8,
}  # fmt: skip


class TooLong(Exception):
    """The architecture took too much time."""


def architectures():
    base = [("base", name) for name in modeling_auto.MODEL_MAPPING_NAMES]
    causal = [("causal", name) for name in modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES]
    entries = sorted(base + causal)
    random.Random(0).shuffle(entries)
    return entries


def tiny_config(model_type):
    config = configuration_auto.AutoConfig.for_model(model_type)
    shrink(config)
    return config


def shrink(config):
    for name, value in list(vars(config).items()):
        if isinstance(value, transformers.PreTrainedConfig):
            shrink(value)
        elif name in TINY and isinstance(value, int) and not isinstance(value, bool) and value > TINY[name]:
            setattr(config, name, TINY[name])
        elif ("dropout" in name or "drop_" in name or name.endswith("pdrop")) and isinstance(value, float):
            setattr(config, name, 0.0)
        elif name in ("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id") and isinstance(value, int):
            setattr(config, name, min(value, 1))
        elif name == "layer_types" and isinstance(value, list):
            config.layer_types = value[:2]


def possible_inputs(model):
    """Inputs by the names in the model's signature; the first set that the CPU takes is used."""
    names = inspect.signature(model.forward).parameters
    config = model.config
    vision = getattr(config, "vision_config", None) or config
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randint(2, 100, (2, 8), generator=generator)
    size = getattr(vision, "image_size", 32)
    height, width = size if isinstance(size, (list, tuple)) else (size, size)
    values = {
        "input_ids": tokens,
        "decoder_input_ids": tokens,
        "pixel_values": torch.randn(2, getattr(vision, "num_channels", 3), height, width, generator=generator),
        "input_values": torch.randn(2, 4000, generator=generator),
        "input_features": torch.randn(2, getattr(config, "num_mel_bins", 80), 3000, generator=generator),
        "inputs_embeds": torch.randn(2, 8, getattr(config, "hidden_size", 32), generator=generator),
        "past_values": torch.randn(2, getattr(config, "context_length", 64), generator=generator),
    }
    known = [name for name in names if name in values]
    main = getattr(model, "main_input_name", "input_ids")
    required = [name for name in known if names[name].default is inspect.Parameter.empty]
    decoder = ["decoder_input_ids"] if "decoder_input_ids" in known and config.is_encoder_decoder else []
    sets = [{main, *required, *decoder}, {main, "input_ids"}, {"input_ids", "pixel_values"}, {"pixel_values"}, {"inputs_embeds"},
            {"input_values"}, {"input_features", *decoder}, {"past_values"}]  # fmt: skip
    for wanted in sets:
        if wanted <= set(known):
            yield {name: values[name] for name in known if name in wanted}


def run_on_cpu(model):
    """(inputs, results) of the first inputs that the model takes."""
    first_error = ValueError("no inputs known for its signature")
    for number, inputs in enumerate(possible_inputs(model)):
        try:
            return inputs, run(model, inputs)
        except TooLong:
            raise
        except Exception as error:
            first_error = error if number == 0 else first_error
    raise first_error


def outcome_of(kind, model_type):
    outcome = {"kind": kind, "model": model_type, "status": "not on the CPU", "reason": ""}
    try:
        torch.manual_seed(0)
        auto = transformers.AutoModel if kind == "base" else transformers.AutoModelForCausalLM
        model = auto.from_config(tiny_config(model_type)).float().eval()
        parameters = sum(p.numel() for p in model.parameters())
        if parameters > 50_000_000:
            raise ValueError(f"{parameters // 10**6} million parameters after shrinking")
        ours = copy.deepcopy(model).to("neuron")
        inputs, expected = run_on_cpu(model)
    except TooLong:
        raise
    except Exception as error:
        outcome["reason"] = first_line(error)
        return outcome
    try:
        actual = run(ours, cases.moved(inputs))
    except TooLong:
        raise
    except Exception as error:
        return {**outcome, "status": "failed", "reason": first_line(error)}
    problems = [] if len(actual) == len(expected) else ["other number of results"]
    problems += [p for a, b in zip(actual, expected) if (p := cases.difference(a, b))]
    if problems and draws_random_numbers(model, inputs):
        return {**outcome, "status": "random", "reason": "draws random numbers in its forward pass"}
    return {**outcome, "status": "failed" if problems else "passed", "reason": "; ".join(problems[:3]), "tensors": len(expected)}


def run(model, inputs):
    """Floating-point results and the gradients of their sum."""
    results = [t for t in cases.tensors_of(dict(model(**inputs))) if t.is_floating_point()]
    outputs = [t for t in results if t.requires_grad]
    leaves = [p for p in model.parameters() if p.requires_grad]
    if not outputs:
        return results
    gradients = gradients_of_sum(outputs, leaves)
    return results + [g for g in gradients if g is not None]


def draws_random_numbers(model, inputs):
    with cases.SeededOps() as seeded, torch.no_grad():
        model(**inputs)
    return bool(seeded.seen)


def first_line(error):
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:200] if str(error).strip() else ''}"


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=1e9, help="processor time")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    done = set()
    if options.out.exists():
        done = {(line["kind"], line["model"]) for line in map(json.loads, options.out.read_text().splitlines())}

    def too_long(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, too_long)
    with options.out.open("a") as out:
        for kind, model_type in architectures():
            if (kind, model_type) in done:
                continue
            if time.process_time() > options.minutes * 60:
                break
            signal.alarm(SECONDS_EACH)
            try:
                outcome = outcome_of(kind, model_type)
            except TooLong:
                outcome = {"kind": kind, "model": model_type, "status": "not on the CPU", "reason": f"more than {SECONDS_EACH} s"}
            signal.alarm(0)
            out.write(json.dumps(outcome) + "\n")
            out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

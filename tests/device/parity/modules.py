"""Modules (ModuleInfo) and optimizers (OptimizerInfo) on neuron against the CPU, like ops: python -m parity.modules OUT.jsonl [--every N]

Modules: results, gradients of inputs and parameters, buffers afterwards, in training and evaluation mode. Optimizers:
parameters and state after five steps, for every variant (loop, foreach, fused) that the CPU has, the same on both sides.
"""

import copy
import json
import sys
import warnings

import torch
from parity import cases
from parity.checks import gradients_of_sum
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db
from torch.utils._pytree import tree_map

DTYPES = ["float32", "float64", "bfloat16"]
# Cells that the device computes itself (runtime/device/rnn_cells.cc), and recurrent layers, for which PyTorch multiplies
# the inputs of all steps at once on the CPU and step by step elsewhere.
TO_ROUNDING = {"nn.RNN", "nn.LSTM", "nn.GRU", "nn.LSTMCell", "nn.GRUCell"}


def module_outcomes(infos):
    for info in infos:
        for name in DTYPES:
            dtype = getattr(torch, name)
            if dtype in info.dtypes:
                for training in (True, False):
                    yield module_outcome(info, dtype, training)


def module_outcome(info, dtype, training):
    outcome = new_outcome("module", info.name, str(dtype).removeprefix("torch."), "train" if training else "eval")
    try:
        inputs = info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=True, training=training)
    except Exception:
        outcome["skipped"] += 1
        return outcome
    for number, sample in enumerate(inputs[:6]):
        if sample.forward_input is not None:
            compare_module(info, dtype, training, sample, number, outcome)
    return outcome


def compare_module(info, dtype, training, sample, number, outcome):
    try:
        torch.manual_seed(0)
        make = sample.constructor_input
        module = info.module_cls(*make.args, **make.kwargs).to(dtype).train(training)
        args, kwargs = sample.forward_input.args, sample.forward_input.kwargs
        if info.is_lazy:
            module(*args, **kwargs)
        ours = copy.deepcopy(module).to("neuron")
        moved = cases.moved((args, kwargs))
        with cases.SeededOps() as seeded, torch.no_grad():
            copy.deepcopy(module)(*args, **kwargs)
        values = not seeded.seen
        expected = run_module(module, args, kwargs, values)
    except Exception:
        outcome["skipped"] += 1
        return
    outcome["compared"] += 1
    try:
        problems = compare(run_module(ours, *moved, values), expected, values, info.name in TO_ROUNDING)
    except Exception as error:
        problems = [f"{type(error).__name__}: {str(error).splitlines()[0][:160] if str(error) else ''}"]
    outcome["failures"] += [f"{info.name} sample {number}: {problem}" for problem in problems]


def run_module(module, args, kwargs, values):
    """Results, gradients and buffers, in one list."""
    results = cases.tensors_of(module(*args, **kwargs))
    if not cases.is_dense(results):
        raise ValueError("a sparse or nested result, which cannot be compared element by element")
    leaves = [t for t in (*cases.tensors_of((args, kwargs)), *module.parameters()) if t.requires_grad]
    outputs = [t for t in results if t.requires_grad]
    gradients = gradients_of_sum(outputs, leaves) if values and outputs and leaves else []
    return results + [g for g in gradients if g is not None] + list(module.buffers())


def compare(actual, expected, values, to_rounding=False):
    if len(actual) != len(expected):
        return ["other number of results"]
    problems = [cases.difference(a, b, values and not to_rounding) for a, b in zip(actual, expected)]
    if to_rounding and values:
        problems += [None if torch.allclose(a.cpu(), b, rtol=2e-2 if b.dtype == torch.bfloat16 else 1e-4, atol=1e-2 if b.dtype == torch.bfloat16 else 1e-5)
                     else "differs by more than rounding" for a, b in zip(actual, expected)]  # fmt: skip
    return [problem for problem in problems if problem]


def optimizer_outcomes(infos):
    for info in infos:
        variants = {"loop": {"foreach": False} if "foreach" in info.supported_impls else {}}
        if "foreach" in info.supported_impls:
            variants["foreach"] = {"foreach": True}
        if "fused" in info.supported_impls and "cpu" in info.supports_fused_on:
            variants["fused"] = {"fused": True}
        for variant, flags in variants.items():
            yield optimizer_outcome(info, variant, flags)


def optimizer_outcome(info, variant, flags):
    outcome = new_outcome("optimizer", info.optim_cls.__name__, "float32", variant)
    for number, sample in enumerate(info.optim_inputs_func(device="cpu")):
        if sample.params is not None or sample.kwargs.get("differentiable") or sample.kwargs.get("capturable"):
            outcome["skipped"] += 1
            continue
        settings = {**sample.kwargs, **flags}
        try:
            expected = train(info, settings, "cpu")
        except Exception:
            outcome["skipped"] += 1
            continue
        outcome["compared"] += 1
        try:
            problems = compare(train(info, settings, "neuron"), expected, True)
        except Exception as error:
            problems = [f"{type(error).__name__}: {str(error).splitlines()[0][:160] if str(error) else ''}"]
        outcome["failures"] += [f"{info.optim_cls.__name__} ({variant}) {sample.desc or number}: {p}" for p in problems]
    return outcome


def train(info, settings, device):
    torch.manual_seed(0)
    # Some optimizers take matrices only, which a layer without bias has.
    model = torch.nn.Sequential(torch.nn.Linear(6, 5, bias=False), torch.nn.Tanh(), torch.nn.Linear(5, 2, bias=False)).to(device)
    settings = tree_map(lambda v: v.to(device) if isinstance(v, torch.Tensor) else v, settings)
    optimizer = info.optim_cls(model.parameters(), **settings)
    batches = torch.randn(5, 8, 6, generator=torch.Generator().manual_seed(1)).to(device)

    def closure_of(batch):
        def closure():
            optimizer.zero_grad()
            loss = model(batch).square().mean()
            loss.backward()
            return loss

        return closure

    for batch in batches:
        closure = closure_of(batch)
        if info.step_requires_closure:
            optimizer.step(closure)
        else:
            closure()
            optimizer.step()
    state = [v for parameter in model.parameters() for v in optimizer.state[parameter].values() if isinstance(v, torch.Tensor)]
    return [p.detach() for p in model.parameters()] + [v.detach() for v in state]


def new_outcome(kind, name, dtype, variant):
    return {"kind": kind, "name": name, "dtype": dtype, "variant": variant, "compared": 0, "skipped": 0, "failures": []}


def main(arguments):
    """OUT.jsonl [--every N]: all entries, or every Nth."""
    warnings.simplefilter("ignore")
    every = int(arguments[2]) if arguments[1:] else 1
    with open(arguments[0], "w") as out:
        for outcomes in (module_outcomes(module_db[::every]), optimizer_outcomes(optim_db[:: min(every, 2)])):
            for outcome in outcomes:
                out.write(json.dumps(outcome) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Compares ops on neuron with the CPU: python -m parity.run OUT.jsonl [--samples N] [--fraction F] [--seed S] [--ops A,B]

One line a pair (op, type), as soon as it is done; pairs that OUT already has are left out, so a run can be resumed.
"""

import argparse
import copy
import json
import random
import sys
import warnings
from pathlib import Path

import torch
from parity import checks
from parity.cases import OPS, PAIRS, SeededOps, is_chosen_by_device_name, is_refused, is_uninitialised, moved_sample


def compare(name, dtype_name, max_samples):
    """The outcome of one pair: {"checks": {check: compared}, "failures", "skipped", "refused"}."""
    op, dtype = OPS[name], getattr(torch, dtype_name)
    outcome = {"op": name, "dtype": dtype_name, "samples": 0, "skipped": 0, "refused": 0, "checks": {}, "failures": []}
    differentiable = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
    torch.manual_seed(0)
    try:
        samples = list(op.sample_inputs("cpu", dtype, requires_grad=differentiable))[:max_samples]
    except Exception:
        outcome["skipped"] += 1
        return outcome
    for number, sample in enumerate(samples):
        compare_sample(op, name, number, (sample.input, sample.args, sample.kwargs), differentiable, outcome)
    return outcome


def compare_sample(op, name, number, sample, differentiable, outcome):
    outcome["samples"] += 1
    if is_refused(name):
        outcome["refused" if refuses(op, name, sample) else "skipped"] += 1
        return
    try:
        with SeededOps() as seeded:
            checks.call(op, fresh(sample))
    except Exception:
        outcome["skipped"] += 1
        return
    values = not seeded.seen and not is_uninitialised(name)
    for title, (check, limit) in checks.ALL.items():
        if limit is not None and number >= limit:
            continue
        if "backward" in title and not (differentiable and values):
            continue
        if title == "double backward" and not op.supports_gradgrad:
            continue
        theirs = fresh(sample)
        ours = moved_sample(name, theirs)  # before the CPU run, which may write to its inputs
        try:
            problems = [problem for problem in check(op, name, theirs, ours, values) if problem]
        except checks.Skip:
            continue
        except checks.EqualToRounding:
            title, problems = f"{title}, to rounding", []
        except Exception as error:
            problems = [f"{type(error).__name__}: {str(error).splitlines()[0][:160] if str(error) else ''}"]
        outcome["checks"][title] = outcome["checks"].get(title, 0) + 1
        outcome["failures"] += [f"{name} sample {number}, {title}: {problem}" for problem in problems]


def fresh(sample):
    """The sample's own tensors, copied, so that no check sees what another wrote; shared ones stay shared."""
    known = {}

    def leaf(value):
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) not in known:
            known[id(value)] = copy.deepcopy(value.detach()).requires_grad_(value.requires_grad)
        return known[id(value)]

    return torch.utils._pytree.tree_map(leaf, sample)


def refuses(op, name, sample):
    """Whether the device says that it has no such tensors, be it when the sample moves there."""
    try:
        parts = torch.utils._pytree.tree_map(lambda v: v.to("neuron") if isinstance(v, torch.Tensor) else v, sample)
        checks.call(op, parts)
    except (NotImplementedError, RuntimeError) as error:
        return "device neuron has no" in str(error)
    return False


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--fraction", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=lambda text: text.split(","), help="names, separated by commas; default all")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    pairs = [pair for pair in PAIRS if not options.ops or pair[0] in options.ops]
    if options.fraction < 1:
        pairs = random.Random(options.seed).sample(pairs, int(len(pairs) * options.fraction))
    done = set()
    if options.out.exists():
        done = {(line["op"], line["dtype"]) for line in map(json.loads, options.out.read_text().splitlines())}
    with options.out.open("a") as out:
        for name, dtype in pairs:
            if (name, dtype) in done:
                continue
            if is_chosen_by_device_name(name, dtype):
                outcome = {"op": name, "dtype": dtype, "excluded": "chosen by device name"}
            else:
                outcome = compare(name, dtype, options.samples)
            out.write(json.dumps(outcome) + "\n")
            out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

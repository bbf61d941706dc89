"""Writes docs/device_ops.md from finished runs: python -m parity.summary OPS.jsonl MODULES.jsonl MODELS.jsonl > docs/device_ops.md

Every figure is counted from the lines of the runs; a pair, entry or architecture that was not run counts as not run.
"""

import collections
import json
import sys
from pathlib import Path

import torch
from parity.cases import OPS, PAIRS, POLICY


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()] if Path(path).exists() else []


def ops_section(lines):
    in_policy = [line for line in lines if "excluded" not in line and not line["refused"] and line["op"] not in POLICY["refused"]["ops"]]
    compared = [line for line in in_policy if line["checks"]]
    failed = [line for line in compared if line["failures"]]
    refused = [line for line in lines if line.get("refused")]
    yield "## Ops"
    yield (f"PyTorch {torch.__version__.split('+')[0]} describes {len(OPS)} ops with {len(PAIRS)} (op, type) pairs that the CPU supports. "
           f"{len(lines)} pairs were run, at most {max(line.get('samples', 0) for line in lines)} samples each.")  # fmt: skip
    yield ""
    yield "| pairs | number |\n|---|---|"
    yield f"| all | {len(PAIRS)} |"
    yield f"| not run | {len(PAIRS) - len(lines)} |"
    yield f"| excluded: {POLICY['chosen_by_device_name']['reason']} | {sum('excluded' in line for line in lines)} |"
    yield f"| out of policy, all samples refused with the device's sentence | {len(refused)} |"
    yield f"| in policy | {len(in_policy)} ({100 * len(in_policy) / len(lines):.1f} % of those run) |"
    yield f"| in policy, no sample runs on the CPU | {len(in_policy) - len(compared)} |"
    yield f"| compared | {len(compared)} |"
    yield f"| compared, all checks passed | {len(compared) - len(failed)} ({100 * (len(compared) - len(failed)) / len(compared):.2f} %) |"
    yield f"| compared, a check failed | {len(failed)} |"
    yield ""
    totals = collections.Counter()
    failures = collections.Counter()
    for line in compared:
        totals.update(line["checks"])
        failures.update(check_of(failure) for failure in line["failures"])
    yield "| check | samples | problems |\n|---|---|---|"
    for check, count in sorted(totals.items()):
        yield f"| {check} | {count} | {failures[check]} |"
    yield ""
    yield "Forward, backward, `out=`, in-place: values, type, shape and strides bit for bit, aliasing as on the CPU. " + POLICY["double_backward"]["reason"] + "."
    yield "Of random ops (their random stream is the device's own) and ops that return uninitialised memory the geometry is compared, not the values."
    yield "The policy (`tests/device/parity/policy.json`) was " + POLICY["history"] + "."
    if failed:
        yield ""
        yield "Failures:"
        yield ""
        for line in failed:
            yield f"- `{line['op']}` {line['dtype']}: {line['failures'][0].split(', ', 1)[1]}"


def check_of(failure):
    return failure.split(", ", 1)[1].split(": ", 1)[0]


def modules_section(lines):
    yield ""
    yield "## Modules and optimizers"
    for kind, what in (("module", "entries (module, type, training or evaluation)"), ("optimizer", "entries (optimizer, variant)")):
        own = [line for line in lines if line["kind"] == kind]
        compared, failures = sum(line["compared"] for line in own), sum(len(line["failures"]) for line in own)
        yield f"- {len(own)} {what}: {compared} samples compared, {sum(line['skipped'] for line in own)} do not run on the CPU, {failures} problems."
    yield "- Recurrent layers and cells (RNN, LSTM, GRU) are compared to rounding: PyTorch computes them in another way on the CPU. All else bit for bit."


def models_section(lines):
    by_status = collections.Counter(line["status"] for line in lines)
    ran = by_status["passed"] + by_status["failed"] + by_status["random"]
    yield ""
    yield "## Architectures of `transformers`"
    if not lines:
        yield "Not run."
        return
    yield (f"{len(lines)} entries of the auto mappings were tried, in an order drawn by a fixed seed; {ran} run on the CPU from a tiny configuration. "
           f"Of these {by_status['passed']} are bitwise equal on neuron, results and all gradients; {by_status['random']} draw random numbers, "
           f"so that values cannot be compared; {by_status['failed']} fail.")  # fmt: skip
    for line in lines:
        if line["status"] == "failed":
            yield f"- `{line['model']}` ({line['kind']}): {line['reason']}"
    yield ""
    yield "| architecture | kind | result |\n|---|---|---|"
    for line in sorted(lines, key=lambda line: (line["model"], line["kind"])):
        if line["status"] != "not on the CPU":
            yield f"| {line['model']} | {line['kind']} | {line['status']} |"
    reasons = collections.Counter(line["reason"].split(":")[0] for line in lines if line["status"] == "not on the CPU")
    yield ""
    yield "Not run on the CPU, by error: " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()) + "."


def main(arguments):
    ops, modules, models = map(read, arguments)
    print("# The `neuron` device against the CPU\n")
    print("Generated by `tests/device/parity/summary.py` from runs of `parity.run`, `parity.modules` and `parity.transformers_sweep`; do not edit.")
    print("The device runs the CPU's own kernels, so equality is bitwise; what this shows is that dispatch, views, aliasing, autograd and types are right.")
    print("It says nothing about which ops Trainium runs natively: see `neuron-port run --device-report`.\n")
    for section in (ops_section(ops), modules_section(modules), models_section(models)):
        for line in section:
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])

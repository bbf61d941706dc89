"""Writes docs/programs.md from the results of the last run of these tests: python tests/programs/table.py

Only what a run measured goes into the page; programs without a result are left out of it."""

import json
import sys

from environment import ROOT, results_file

HEAD = """# Published programs on the bundled device

<!-- written by tests/programs/table.py from a run of tests/programs -->

Each program below is a file of a source package on the package index, at the version named. `tests/programs` takes it unmodified, and
1. runs it as published on a machine without CUDA: it must fail, with the message in the table;
2. applies `neuron-port fix --unsafe-fixes`, twice: every file still parses, and the second time changes nothing;
3. runs the fixed program on the CPU, which `torch.accelerator` is made to name, and
4. under `neuron-port run -- python …`, and compares the exact value of every loss that `backward()` is called on.

The bundled device is a stand-in, not Trainium: equal losses show that the rewritten program does the same computation on another
device, not that it was run on the chip. "ops" counts what the device report says ran on neuron tensors. Programs are shortened by
their own options where they have any, else stopped after the number of backward passes shown; data is synthetic.
`torchvision`, where a program imports it, is a stand-in of ours for its data sets and transforms (`tests/programs/stand_ins`).

Run them: `NP_BUILD_DIR=build .venv/bin/python -m pytest tests/programs` (needs the package index; minutes each).

## Training programs

| program | source | fails first with | files changed | losses compared | greatest relative difference | ops (calls) on neuron | result |
|---|---|---|---|---|---|---|---|
"""

SUITES = """
## Test suites

| package | tests needing CUDA | before | pass on neuron after `fix` | the rest |
|---|---|---|---|---|
"""


def row(entry):
    if entry["apart"] is None or entry["apart"] > entry["tolerance"]:
        result = "**fails**"
    else:
        result = "same losses, bit for bit" if entry["apart"] == 0 else f"same losses within {entry['tolerance']:.2g}"
    apart = "–" if entry["apart"] is None else f"{entry['apart']:.2g}" if entry["apart"] else "0"
    return (f"| {entry['title']} | {entry['source']}, `{entry['file']}` | {entry['fails_with']} | {entry['changed']} | {len(entry['neuron'])} | {apart} | "
            f"{entry['ops']} ({entry['calls']}) | {result} |\n")


def page(results):
    programs = results.get("programs", {})
    text = HEAD + "".join(row(programs[name]) for name in sorted(programs))
    why = [f"- {programs[name]['title']}: {programs[name]['why']}.\n" for name in sorted(programs) if programs[name]["why"]]
    text += "\nWhat to know about single rows:\n\n" + "".join(why) if why else ""
    text += SUITES
    for name, entry in sorted(results.get("suites", {}).items()):
        left = entry["chosen"] - entry["won"]
        rest = f"{left}: {entry['stays']['reason']}" if left else "none"
        text += f"| {entry['source']} (`{' '.join(entry['tests'])}`) | {entry['chosen']} | {entry['before']} | {entry['won']} | {rest} |\n"
    return text


if __name__ == "__main__":
    results = json.loads(results_file().read_text())
    (ROOT / "docs" / "programs.md").write_text(page(results) + (ROOT / "tests" / "programs" / "gaps.md").read_text())
    print(f"{len(results.get('programs', {}))} programs, {len(results.get('suites', {}))} suites", file=sys.stderr)

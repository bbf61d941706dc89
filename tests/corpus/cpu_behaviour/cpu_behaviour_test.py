"""On a machine with neither CUDA nor Neuron, fixed programs do what they did: 77 small programs, each in thirteen
spellings, run before and after."""

import ast
import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from variants import VARIANTS

HERE = Path(__file__).resolve().parent
TOOL = Path(os.environ.get("NP_BUILD_DIR", HERE.parents[2] / "build")).resolve() / "neuron-port"
HEAD = """import argparse, contextlib, dataclasses, inspect, json, os, unittest
import torch
import torch.nn as nn
tmp = {tmp!r}
def inspect_sig(f): return str(inspect.signature(f))
"""
# These ask for CUDA and catch what comes when there is none; on neuron, and after an unsafe fix, nothing comes.
ASKS = {"try: x = torch.zeros(1, device="}


def programs():
    return (HERE / "programs.txt").read_text().rstrip("\n").split("\n---\n")


def write(folder, tmp):
    """The programs that stay valid Python in each spelling; how many."""
    count = 0
    for variant, change in VARIANTS.items():
        (folder / variant).mkdir(parents=True)
        for number, code in enumerate(programs()):
            text = change(HEAD.format(tmp=str(tmp)) + code + "\n") if variant in ("crlf", "lone cr") else HEAD.format(tmp=str(tmp)) + change(code) + "\n"
            try:
                ast.parse(text)
            except SyntaxError:
                continue  # this spelling does not suit this program
            (folder / variant / f"p{number:03}.py").write_bytes(text.encode())
            count += 1
    return count


def outcomes(folder, tmp_path):
    out = tmp_path / "out.json"
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, str(HERE / "run_programs.py"), str(folder), str(out)], capture_output=True, text=True, timeout=900, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(out.read_text())


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    warnings.simplefilter("ignore")
    folder = tmp_path_factory.mktemp("cpu")
    assert write(folder / "programs", folder / "saved.pt") > 900
    return folder, outcomes(folder / "programs", folder)


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]])
def test_programs_do_what_they_did(before, tmp_path, options):
    folder, expected = before
    fixed = tmp_path / "fixed"
    shutil.copytree(folder / "programs", fixed)
    done = subprocess.run([str(TOOL), "fix", "--isolated", *options, str(fixed)], capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 1), done.stderr
    assert "fault of neuron-port" not in done.stderr, done.stderr
    assert done.stderr.count("fixed ") > (400 if options else 40)
    found = outcomes(fixed, tmp_path)
    code = programs()
    asks = {name for name in found if any(code[int(name[-6:-3])].startswith(ask) for ask in ASKS)}
    assert asks and set(found) == set(expected)
    differ = {name: (expected[name], found[name]) for name in expected if name not in asks and expected[name] != found[name]}
    assert not differ

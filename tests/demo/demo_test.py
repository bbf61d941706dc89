"""The ported project's tests pass as ported, and fail once a kernel is gone or wrong."""

import ast
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve()
PORTED = BUILD / "demo" / "fused_block"
KERNELS = "fused_block/_C_neuron"


@pytest.fixture
def copy(tmp_path):
    if not PORTED.is_dir():
        pytest.skip(f"{PORTED} is not there: run scripts/demo.sh first")
    return Path(shutil.copytree(PORTED, tmp_path / "fused_block"))


def validate(folder):
    command = ["bash", str(ROOT / "scripts" / "demo.sh"), "--validate", str(folder)]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, env=environment)
    return done.returncode, done.stdout + done.stderr


def test_untouched_copy_passes(copy):
    code, output = validate(copy)
    assert code == 0, output
    assert "tests pass on neuron" in output


@pytest.mark.parametrize("stem", ["bias_gelu_forward", "bias_gelu_backward", "scaled_softmax_forward", "scaled_softmax_backward"])
def test_without_the_emitted_kernel_it_fails(copy, stem):
    (copy / KERNELS / f"{stem}_nki.py").unlink()
    code, output = validate(copy)
    assert code != 0 and "tests fail on neuron" in output, output


def broken(text, where, how):
    """The module with one index of one copy from ("src") or to ("dst") memory changed by one, and what was changed."""
    tree = ast.parse(text)
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") != "dma_copy":
            continue
        (access,) = [k.value for k in call.keywords if k.arg == where]
        if not isinstance(access, ast.Call) or len(access.args[0].elts) < 2 or ast.unparse(access.args[0].elts[0]).startswith("[0,"):
            continue
        before = ast.unparse(access)
        if how == "offset":
            (offset,) = [k for k in access.keywords if k.arg == "offset"]
            offset.value = ast.BinOp(offset.value, ast.Add(), ast.Constant(1))
        else:
            row = access.args[0].elts[0]
            row.elts[0] = ast.BinOp(row.elts[0], ast.Sub(), ast.Constant(1))
        return ast.unparse(ast.fix_missing_locations(tree)), f"{before} -> {ast.unparse(access)}"
    raise AssertionError("no copy with an index to break")


@pytest.mark.parametrize("where, how", [("src", "offset"), ("src", "stride"), ("dst", "offset"), ("dst", "stride")])
def test_with_one_broken_index_it_fails(copy, where, how):
    module = copy / KERNELS / "scaled_softmax_forward_nki.py"
    text, change = broken(module.read_text(), where, how)
    module.write_text(text)
    code, output = validate(copy)
    assert code != 0 and "tests fail on neuron" in output, (change, output)


def test_report_of_the_demo_says_what_was_proven(copy):
    report = json.loads((copy / "neuron-port-report.json").read_text())
    assert report["validation"]["failed"] == 0 and report["validation"]["passed"] > 0
    for kernel in report["kernels"]:
        assert kernel["port"]["status"] == "translated", kernel["name"]
        assert kernel["port"]["gates"] and all(gate["passed"] for gate in kernel["port"]["gates"])

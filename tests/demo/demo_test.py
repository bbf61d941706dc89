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


def plus(node, number):
    return ast.BinOp(node, ast.Add(), ast.Constant(number))


def break_pattern(access, inside):
    """x.ap([[stride, count], ...], offset=e): one element on, or with a smaller first stride."""
    pairs = access.args[0].elts
    if len(pairs) < 2 or ast.unparse(pairs[0].elts[0]) == "0":
        return False
    (offset,) = [k for k in access.keywords if k.arg == "offset"]
    if inside:
        pairs[0].elts[0] = plus(pairs[0].elts[0], -1)
    else:
        offset.value = plus(offset.value, 1)
    return True


def break_slices(access, inside):
    """x[r:r + n, a:b]: one row on, or always the first rows."""
    rows = access.slice.elts[0] if isinstance(access.slice, ast.Tuple) else access.slice
    if not isinstance(rows, ast.Slice) or not isinstance(rows.lower, ast.Name):
        return False
    if inside:
        rows.upper = ast.BinOp(rows.upper, ast.Sub(), rows.lower)
        rows.lower = ast.Constant(0)
    else:
        rows.lower, rows.upper = plus(rows.lower, 1), plus(rows.upper, 1)
    return True


def broken(text, where, inside):
    """The module with one index of the first copy from ("src") or to ("dst") memory changed, and what was changed."""
    tree = ast.parse(text)
    copies = [c for c in ast.walk(tree) if isinstance(c, ast.Call) and getattr(c.func, "attr", "") == "dma_copy"]
    for copy in sorted(copies, key=lambda c: c.lineno):
        (access,) = [k.value for k in copy.keywords if k.arg == where]
        before = ast.unparse(access)
        change = {ast.Call: break_pattern, ast.Subscript: break_slices}.get(type(access))
        if change and change(access, inside):
            return ast.unparse(ast.fix_missing_locations(tree)), f"{before} -> {ast.unparse(access)}"
    raise AssertionError("no copy with an index to break")


@pytest.mark.parametrize("inside", [False, True], ids=["shifted", "inside"])
@pytest.mark.parametrize("where", ["src", "dst"])
@pytest.mark.parametrize("stem", ["bias_gelu_forward", "scaled_softmax_forward"])
def test_with_one_broken_index_it_fails(copy, stem, where, inside):
    """Inside: every access stays within its buffer, so only the values can tell."""
    module = copy / KERNELS / f"{stem}_nki.py"
    text, change = broken(module.read_text(), where, inside)
    module.write_text(text)
    code, output = validate(copy)
    assert code != 0 and "tests fail on neuron" in output, (change, output)


def test_report_of_the_demo_says_what_was_proven(copy):
    report = json.loads((copy / "neuron-port-report.json").read_text())
    assert report["validation"]["failed"] == 0 and report["validation"]["passed"] > 0
    for kernel in report["kernels"]:
        assert kernel["port"]["status"] == "translated", kernel["name"]
        assert kernel["port"]["gates"] and all(gate["passed"] for gate in kernel["port"]["gates"])

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


def emitted(folder):
    modules = sorted((folder / KERNELS).glob("*_nki.py"))
    assert modules, "the demo emitted no kernel"
    return modules


def test_untouched_copy_passes(copy):
    code, output = validate(copy)
    assert code == 0, output
    assert "tests pass on neuron" in output


@pytest.mark.parametrize("stem", ["bias_gelu_forward", "bias_gelu_backward", "scaled_softmax_forward", "scaled_softmax_backward"])
def test_without_the_emitted_kernel_it_fails(copy, stem):
    (copy / KERNELS / f"{stem}_nki.py").unlink()
    code, output = validate(copy)
    assert code != 0 and "tests fail on neuron" in output, output


class BreakOneIndex(ast.NodeTransformer):
    """Moves the first slice bound, or the first index, of the n-th store into an output one element on."""

    def __init__(self, place):
        self.place, self.change = place, None

    def visit_Slice(self, node):
        self.generic_visit(node)
        if self.change is None and node.lower is not None and self.place == 0:
            self.change = ast.unparse(node)
            node.lower = ast.BinOp(node.lower, ast.Add(), ast.Constant(1))
            node.upper = node.upper and ast.BinOp(node.upper, ast.Add(), ast.Constant(1))
            self.change += " -> " + ast.unparse(node)
        elif node.lower is not None:
            self.place -= 1
        return node


@pytest.mark.parametrize("place", [0, 1, 2])
def test_with_one_broken_index_it_fails(copy, place):
    module = emitted(copy)[0]
    tree = ast.parse(module.read_text())
    breaker = BreakOneIndex(place)
    tree = ast.fix_missing_locations(breaker.visit(tree))
    if breaker.change is None:
        pytest.skip(f"{module.name} has no slice number {place}")
    module.write_text(ast.unparse(tree))
    code, output = validate(copy)
    assert code != 0 and "tests fail on neuron" in output, (breaker.change, output)


def test_report_of_the_demo_says_what_was_proven(copy):
    report = json.loads((copy / "neuron-port-report.json").read_text())
    assert report["validation"]["failed"] == 0 and report["validation"]["passed"] > 0
    for kernel in report["kernels"]:
        assert kernel["port"]["status"] == "translated", kernel["name"]
        assert kernel["port"]["gates"] and all(gate["passed"] for gate in kernel["port"]["gates"])

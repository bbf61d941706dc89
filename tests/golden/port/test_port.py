"""port --validate on the bundled extension project."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NP = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve() / "neuron-port"
PROJECT = ROOT / "tests/golden/fused_block"
PYTHON = ROOT / ".venv/bin/python"
OPS = {"fused_block::bias_gelu_forward", "fused_block::bias_gelu_backward", "fused_block::scaled_softmax_forward", "fused_block::scaled_softmax_backward"}


@pytest.fixture(scope="module")
def ported(tmp_path_factory):
    out = tmp_path_factory.mktemp("port") / "out"
    result = subprocess.run([NP, "port", PROJECT, "--out-dir", out, "--validate"], capture_output=True, text=True)
    return out, result


def run_tests(folder):
    return subprocess.run([NP, "run", "--", "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_ops.py"], cwd=folder, capture_output=True, text=True)


def test_the_project_does_not_run_without_cuda():
    result = subprocess.run([PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=PROJECT, capture_output=True, text=True)
    assert result.returncode != 0 and " passed" not in result.stdout


def test_every_op_is_translated_and_every_test_passes(ported):
    out, result = ported
    assert result.returncode in (0, 1), result.stderr
    report = json.loads((out / "neuron-port-report.json").read_text())
    assert report["validation"]["failed"] == 0 and report["validation"]["passed"] == 30, report["validation"]["log"]
    assert {k["port"]["status"] for k in report["kernels"]} == {"translated"}
    assert len(report["kernels"]) == 4
    for kernel in report["kernels"]:
        assert kernel["bindings"] and kernel["launches"], kernel["name"]
        assert all(g["passed"] for g in kernel["port"]["gates"])
    assert f"{report['validation']['passed']} of {report['validation']['passed']} tests pass on neuron" in result.stdout


def test_the_project_itself_is_untouched(ported):
    changed = subprocess.run(["git", "status", "--porcelain", "--", str(PROJECT)], cwd=ROOT, capture_output=True, text=True)
    assert changed.returncode != 0 or not changed.stdout.strip(), changed.stdout


def test_a_missing_or_broken_kernel_makes_the_tests_fail(ported, tmp_path):
    out, _ = ported
    assert run_tests(out).returncode == 0
    missing = tmp_path / "missing"
    shutil.copytree(out, missing)
    (missing / "fused_block/_C_neuron/scaled_softmax_forward_nki.py").unlink()
    assert run_tests(missing).returncode != 0
    broken = tmp_path / "broken"
    shutil.copytree(out, broken)
    kernel = broken / "fused_block/_C_neuron/bias_gelu_forward_nki.py"
    text = kernel.read_text()
    at = text.index("nisa.activation(")
    assert "nl.tanh" in text[at:] or "nl.gelu" in text[at:], text
    changed = text.replace("nl.multiply", "nl.add", 1)
    assert changed != text
    kernel.write_text(changed)
    assert run_tests(broken).returncode != 0


def test_rewritten_code_names_no_cuda_device(ported):
    out, _ = ported
    train = (out / "train.py").read_text()
    assert ".cuda()" not in train and "torch.accelerator" in train
    assert 'device = "cuda"' not in (out / "tests/test_ops.py").read_text()


def test_out_inside_the_project_is_refused():
    result = subprocess.run([NP, "port", PROJECT, "--out-dir", PROJECT / "out"], capture_output=True, text=True)
    assert result.returncode == 2 and "inside" in result.stderr and not (PROJECT / "out").exists()

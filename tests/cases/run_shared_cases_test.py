"""`run` on every shared case agrees with its NumPy reference; `check` finds no defect in any of them."""
import importlib.util
import json
from types import SimpleNamespace

import numpy as np
import pytest
from kernel_tool import CASES, kernel

SHARED = CASES / "shared"
MANIFEST = json.loads((SHARED / "manifest.json").read_text())
spec = importlib.util.spec_from_file_location("ref", SHARED / "ref.py")
ref = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ref)


def decoded(array, kind):
    if kind == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def tolerance(name, kind):
    rtol, atol = ref.TOL.get(name, (2e-5, 2e-5))
    least = {"f16": 2e-3, "bf16": 1.6e-2}.get(kind, 0)
    return max(rtol, least), max(atol, least)


def load(folder, buffers, roles):
    return {
        name: decoded(np.load(folder / f"{name}.npy"), b["type"]) for name, b in buffers.items() if b["role"] in roles
    }


def test_all_cases_are_here():
    assert len(MANIFEST) == 33


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_run_agrees_with_numpy(name, tmp_path):
    launch = json.loads((SHARED / f"{name}.launch.json").read_text())
    reply = kernel("run", SHARED / f"{name}.launch.json", out_dir=str(tmp_path))
    assert reply["ok"], reply
    assert len(reply["cases"]) == len(launch["sizes"]["cases"])
    for case in reply["cases"]:
        assert case["defects"] == [] and case["complete"] and case["instructions"] > 0
        folder = tmp_path / str(case["case"])
        inputs = load(folder / "in", launch["buffers"], ("in", "inout"))
        outputs = load(folder / "out", launch["buffers"], ("out", "inout"))
        scalars = {key: value["value"] for key, value in launch["scalars"].items()}
        expected = getattr(ref, name)(
            SimpleNamespace(**case["sizes"]), SimpleNamespace(**inputs), SimpleNamespace(**scalars)
        )
        assert set(expected) == set(outputs)
        for key, want in expected.items():
            got = outputs[key]
            if np.issubdtype(got.dtype, np.integer):
                np.testing.assert_array_equal(got, want)
            else:
                rtol, atol = tolerance(name, launch["buffers"][key]["type"])
                np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def test_outputs_are_reproducible_and_inputs_can_be_given(tmp_path):
    launch = SHARED / "softmax.launch.json"
    first, second = tmp_path / "a", tmp_path / "b"
    assert kernel("run", launch, out_dir=str(first), cases=[0])["ok"]
    assert kernel("run", launch, out_dir=str(second), cases=[0], inputs=str(first))["ok"]
    assert (first / "0/out/y.npy").read_bytes() == (second / "0/out/y.npy").read_bytes()
    x = np.load(first / "0/in/x.npy")
    np.save(first / "0/in/x.npy", x + np.arange(x.shape[1], dtype=np.float32))
    assert kernel("run", launch, out_dir=str(second), cases=[0], inputs=str(first))["ok"]
    assert (first / "0/out/y.npy").read_bytes() != (second / "0/out/y.npy").read_bytes()
    np.save(first / "0/in/x.npy", x[:, 1:])
    reply = kernel("run", launch, out_dir=str(tmp_path / "c"), cases=[0], inputs=str(first))
    assert not reply["ok"] and "shape" in reply["error"]["message"]


@pytest.mark.parametrize("name", ["saxpy", "hist_priv", "softmax", "matmul_tiled", "scan", "dot_atomic", "spmv"])
def test_check_finds_nothing(name):
    reply = kernel("check", SHARED / f"{name}.launch.json")
    assert reply["ok"], reply
    for case in reply["cases"]:
        assert case["defects"] == [] and case["order_dependent"] == [] and case["complete"]
    assert reply["unexecuted"] == []


def test_a_change_of_one_line_is_seen(tmp_path):
    """The comparison can fail: a wrong kernel does not agree."""
    source = (SHARED / "elementwise.cu").read_text().replace("a * x[i] + y[i]", "a * x[i] - y[i]")
    (tmp_path / "elementwise.cu").write_text(source)
    reply = kernel("run", SHARED / "saxpy.launch.json", source=str(tmp_path / "elementwise.cu"), out_dir=str(tmp_path))
    assert reply["ok"]
    x, y = np.load(tmp_path / "0/in/x.npy"), np.load(tmp_path / "0/in/y.npy")
    got = np.load(tmp_path / "0/out/y.npy")
    assert not np.allclose(got, 1.7 * x + y) and np.allclose(got, 1.7 * x - y)

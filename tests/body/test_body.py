"""Kernels of the body in the checked executor: equal to NumPy on every shape with no report; every mutant is seen.

NP_BODY=part runs the development shapes of one kernel a class; without it everything runs, hold-out shapes too.
"""

import json
import os
import pathlib
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest
import references
import references_more

BODY = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("NP_BUILD_DIR", BODY.parents[1] / "build"))
CATALOGUE = json.loads((BODY / "catalogue.json").read_text())
FIRST_OF_CLASS = sorted({v["class"]: k for k, v in reversed(CATALOGUE.items())}.values())
PART = os.environ.get("NP_BODY") == "part"
NAMES = FIRST_OF_CLASS if PART else sorted(CATALOGUE)


def run(launch, source, folder):
    path = folder / "case.launch.json"
    path.write_text(json.dumps({**launch, "source": str(source)}))
    request = {"verb": "run", "launch": str(path), "out_dir": str(folder / "data")}
    done = subprocess.run(
        [str(BUILD / "neuron-port-kernel")], input=json.dumps(request), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout)


def disagreement(name, launch, case, data):
    """The first output that differs from the reference, or None."""
    folder, buffers = data / str(case["case"]), launch["buffers"]

    def load(part, roles):
        return {k: np.load(folder / part / f"{k}.npy") for k, v in buffers.items() if v["role"] in roles}

    got = load("out", ("out", "inout"))
    scalars = {k: v["value"] for k, v in launch["scalars"].items()}
    arguments = (case["sizes"], load("in", ("in", "inout")), scalars)
    module = references if hasattr(references, name) else references_more
    want = getattr(module, name)(*(SimpleNamespace(**values) for values in arguments))
    assert set(got) == set(want)
    rtol, atol = module.TOL.get(name, (2e-5, 2e-5))
    for key, value in want.items():
        assert got[key].shape == value.shape
        if np.issubdtype(got[key].dtype, np.integer):
            same = np.array_equal(got[key], value)
        else:
            least = 2e-3 if buffers[key]["type"] == "f16" else 0
            same = np.allclose(got[key], value, rtol=max(rtol, least), atol=max(atol, least))
        if not same:
            return key
    return None


def read_launch(name):
    return json.loads((BODY / f"{name}.launch.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_equals_the_reference_with_no_report(name, tmp_path):
    launch = read_launch(name)
    if not PART:
        launch["sizes"]["cases"] += CATALOGUE[name]["hold_out"]
    reply = run(launch, BODY / launch["source"], tmp_path)
    assert reply["ok"], reply
    assert len(reply["cases"]) == len(launch["sizes"]["cases"])
    for case in reply["cases"]:
        assert case["defects"] == [] and case["complete"] and case["instructions"] > 0, case
        assert disagreement(name, launch, case, tmp_path / "data") is None, case["sizes"]


@pytest.mark.parametrize("name,at", [(n, k) for n in NAMES for k in range(1 if PART else 3)])
def test_mutant_is_seen(name, at, tmp_path):
    launch, mutant = read_launch(name), CATALOGUE[name]["mutants"][at]
    lines = (BODY / launch["source"]).read_text().split("\n")
    text = lines[mutant["line"] - 1]
    assert mutant["old"] in text, "the mutant names a line that has moved"
    lines[mutant["line"] - 1] = text.replace(mutant["old"], mutant["new"], 1)
    source = tmp_path / "mutant.cu"
    source.write_text("\n".join(lines))
    reply = run(launch, source, tmp_path)
    assert reply["ok"], reply  # a mutant must compile: an error of the compiler proves nothing
    assert any(c["defects"] or disagreement(name, launch, c, tmp_path / "data") for c in reply["cases"])

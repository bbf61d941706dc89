"""Generated kernels: what is translated does at sizes and data never tried what the checked executor says the CUDA source does.

NP_GENERATED (default 120) kernels from seed NP_GENERATED_FROM (default 0); each translated one runs at about fifteen sizes with data of other
magnitudes than in its launch file. A size may be refused by ValueError only.
"""

import collections
import json
import os
import random
import subprocess
import warnings

import numpy as np
import pytest
from generated_kernels import make
from test_body import BUILD
from test_trials import call, module_of

COUNT = int(os.environ.get("NP_GENERATED", "120"))
FIRST = int(os.environ.get("NP_GENERATED_FROM", "0"))
GROUP = 20  # kernels a test


def translate(folder, source, launch):
    (folder / "k.cu").write_text(source)
    (folder / "k.launch.json").write_text(json.dumps(launch))
    command = [BUILD / "neuron-port", "kernel", "translate", folder / "k.cu", "--launch", folder / "k.launch.json"]
    done = subprocess.run([*command, "--output-format", "json", "--out-dir", folder / "out"], capture_output=True, text=True, timeout=300)
    assert done.stdout.startswith("{"), (done.returncode, done.stderr[-300:], source)
    return json.loads(done.stdout)["port"]


def run_elsewhere(folder, launch, draw):
    """The executor at other sizes and data: the cases it ran without a defect."""
    names = launch["sizes"]["names"]
    other = json.loads(json.dumps(launch))
    random_size = lambda: draw.choice((1, 2, 3, draw.randint(1, 9), draw.randint(1, 70), draw.randint(1, 200)))  # noqa: E731
    other["sizes"]["cases"] = [[random_size() for _ in names] for _ in range(12)] + [[k] * len(names) for k in (1, 2, 3)]
    for buffer in other["buffers"].values():
        if buffer.get("init") in ("normal", "uniform") and draw.random() < 0.5:
            buffer["init"] = {"kind": "uniform", "low": draw.choice([-300.0, -3.0, -0.01]), "high": draw.choice([300.0, 3.0, 0.01])}
    (folder / "other.launch.json").write_text(json.dumps(other))
    request = {"verb": "run", "launch": str(folder / "other.launch.json"), "out_dir": str(folder / "data")}
    done = subprocess.run([BUILD / "neuron-port-kernel"], input=json.dumps(request), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-300:]
    return [c for c in json.loads(done.stdout)["cases"] if not c.get("defects") and not c.get("error")]


def disagreement(folder, launch, entry, case):
    """None where the module agrees, "refused" where it raises ValueError, else what differs."""
    data = folder / "data" / str(case["case"])
    inputs = {n: np.load(data / "in" / f"{n}.npy") for n, b in launch["buffers"].items() if b["role"] in ("in", "inout")}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = call(entry, launch, case["sizes"], inputs)
    except ValueError:
        return "refused"
    outputs = [n for n, b in launch["buffers"].items() if b["role"] in ("out", "inout")]
    for name, value in zip(outputs, got, strict=True):
        want = np.load(data / "out" / f"{name}.npy")
        value = np.asarray(value)
        if np.issubdtype(want.dtype, np.integer):
            if not np.array_equal(value, want):
                return name, "integers differ"
            continue
        finite = want[np.isfinite(want)].astype("f8")
        scale = max(1.0, float(np.max(np.abs(finite)))) if finite.size else 1.0
        tolerance = 2e-3 if launch["buffers"][name]["type"] == "f16" else 2e-4
        if not np.allclose(value.astype("f8"), want.astype("f8"), rtol=5 * tolerance, atol=tolerance * scale, equal_nan=True):
            return name, value, want
    return None


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, GROUP))
def test_a_generated_kernel_is_right_or_refused(first, tmp_path):
    status, right = collections.Counter(), 0
    for seed in range(first, min(first + GROUP, FIRST + COUNT)):
        family, source, launch = make(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        port = translate(folder, source, launch)
        status[port["status"]] += 1
        if port["status"] != "translated":
            continue
        entry = module_of(next((folder / "out").glob("*_nki.py")))
        for case in run_elsewhere(folder, launch, random.Random(seed)):
            found = disagreement(folder, launch, entry, case)
            assert found is None or found == "refused", (seed, family, case["sizes"], found, port["spec"], source)
            right += found is None
    print(first, dict(status), right, "sizes right")
    assert right > 0

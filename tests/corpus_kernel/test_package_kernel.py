"""A kernel of a published package: our own analysis finds it, its launch and its Python binding; a launch file translates it.

The package is fetched when the test runs, pinned by hash, and never executed; only the launch file beside this test is ours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "corpus"))
import sdist  # noqa: E402

TOOL = Path(os.environ.get("NP_BUILD_DIR", HERE.parents[1] / "build")).resolve() / "neuron-port"
PACKAGE, PIN = "exllamav2", {"version": "0.0.4", "sha256": "c9eeba99d817c79a6271c3efb0e54f1c5f046a4cab874210fd3745d46b465f56"}
SOURCE = "exllamav2/exllamav2_ext/cuda/quantize.cu"
LAUNCH = HERE / "outer_update.launch.json"
GATES = {"symbolic", "differential", "write_set", "race", "order", "coverage", "shadow", "tile", "roundtrip"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sdist.PACKAGES, PACKAGE, PIN)
        try:
            return sdist.fetch(PACKAGE, tmp_path_factory.mktemp("package"))
        except sdist.NotReached as error:
            pytest.skip(str(error))


@pytest.fixture(scope="module")
def launch():
    return json.loads(LAUNCH.read_text())


@pytest.fixture(scope="module")
def found(package, launch):
    """The kernel of the launch file, as `check` over the whole package reports it."""
    done = neuron_port("check", package, "--output-format", "json", "--isolated")
    assert done.returncode in (0, 1), done.stderr
    name = launch["launches"][0]["kernel"]
    (kernel,) = [k for k in json.loads(done.stdout)["kernels"] if k["path"] == SOURCE and k["name"] == name]
    return kernel


def neuron_port(*arguments):
    return subprocess.run([str(TOOL), *map(str, arguments)], capture_output=True, text=True, timeout=600)


def translate(package, launch_file, *flags):
    source = package / SOURCE
    done = neuron_port("kernel", "translate", source, "--launch", launch_file, "-I", source.parent, "--output-format", "json", *flags)
    assert done.stdout.startswith("{"), done.stderr
    return done.returncode, json.loads(done.stdout)["port"]


def text_at(package, place):
    data = (package / place["path"]).read_bytes()
    return data[place["range"]["start"]["offset"]:place["range"]["end"]["offset"]].decode()


def test_the_kernel_is_found_with_its_parameters(package, found):
    assert text_at(package, found) == found["name"]
    pointers = [p for p in found["params"] if "*" in p["type"]]
    assert [p["type"].startswith("const float") for p in pointers] == [True, True, False]
    assert [p["type"] for p in found["params"][3:]] == ["int", "int"]


def test_its_launch_is_found_and_agrees_with_the_launch_file(package, found, launch):
    (place,) = found["launches"]
    assert text_at(package, place).startswith(found["name"] + "<<<")
    assert place["args"] == [p["name"] for p in found["params"]]
    assert len(place["args"]) == len(launch["launches"][0]["args"])


def test_its_binding_is_found_through_the_host_functions(package, found):
    """Three files: the binding names a host function, which calls another, which launches."""
    (binding,) = found["bindings"]
    assert binding["kind"] == "pybind11"
    assert f'"{binding["name"].rsplit(".")[-1]}"' in text_at(package, binding)
    launching = found["launches"][0]["function"]
    assert binding["function"] != launching
    assert len({found["path"], binding["path"]}) == 2
    callers = [p for p in package.rglob("*.cpp") if f"void {binding['function']}\n" in p.read_text() and launching in p.read_text()]
    assert callers and callers[0] != package / binding["path"]


def test_it_is_translated_with_every_gate(package, tmp_path):
    status, port = translate(package, LAUNCH, "--out-dir", tmp_path)
    assert status == 0 and port["status"] == "translated", port["reason"]
    assert {g["name"] for g in port["gates"]} == GATES
    assert all(g["passed"] for g in port["gates"])
    assert 'NEURON_PORT_ENTRY = "outer_update"' in (tmp_path / "outer_update_nki.py").read_text()


def test_the_executor_computes_what_the_source_says(package, launch, tmp_path):
    """Bitwise: the product and the difference are each rounded once, as in NumPy."""
    source = package / SOURCE
    done = neuron_port("kernel", "run", source, "--launch", LAUNCH, "-I", source.parent, "--out-dir", tmp_path)
    assert done.returncode == 0, done.stderr
    for case, (m, n) in enumerate(launch["sizes"]["cases"]):
        x, y, z = (np.load(tmp_path / str(case) / "in" / f"{name}.npy") for name in "xyz")
        after = np.load(tmp_path / str(case) / "out" / "z.npy")
        assert after.shape == (m, n)
        np.testing.assert_array_equal(after, z - np.outer(x, y))
        assert not np.array_equal(after, z)


def test_a_launch_file_that_reads_past_a_buffer_is_not_translated(package, tmp_path):
    """The gates judge this kernel too: with its two lengths exchanged it leaves the buffers."""
    launch = json.loads(LAUNCH.read_text())
    launch["launches"][0]["args"][-2:] = ["N", "M"]
    wrong = tmp_path / "wrong.launch.json"
    wrong.write_text(json.dumps(launch))
    status, port = translate(package, wrong, "--out-dir", tmp_path / "out")
    assert status == 1 and port["status"] == "refused", port
    assert not list((tmp_path / "out").glob("*.py"))

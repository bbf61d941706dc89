"""The kernel verbs with bad input: one clear error that names the thing, exit code 2, no output folder. Needs Clang."""

import json

import numpy as np
import pytest
from command import assert_one_error, contents, project, run

SOURCE = """// y = a * x + y
__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
LAUNCH = {
    "version": 1,
    "source": "k.cu",
    "sizes": {"names": ["n"], "cases": [[67]]},
    "buffers": {
        "x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"},
        "y": {"type": "f32", "extent": ["n"], "role": "inout", "init": "normal"},
    },
    "scalars": {"a": {"type": "f32", "value": 1.5}},
    "launches": [{"kernel": "saxpy", "grid": ["ceildiv(n, 128)", "1", "1"], "block": ["128", "1", "1"], "shared": "0", "args": ["n", "a", "x", "y"]}],
}


@pytest.fixture
def folder(tmp_path):
    return project(tmp_path / "work", {"k.cu": SOURCE, "k.launch.json": json.dumps(LAUNCH)})


def assert_refused(folder, arguments, *parts):
    before = contents(folder)
    assert_one_error(run(*arguments, cwd=folder), *parts)
    assert contents(folder) == before


def changed(folder, change):
    launch = json.loads(json.dumps(LAUNCH))
    change(launch)
    (folder / "bad.launch.json").write_text(json.dumps(launch))
    return ["--launch", "bad.launch.json", "--out-dir", "out"]


@pytest.mark.parametrize("verb", ["run", "check", "translate"])
def test_wrong_size_name(folder, verb):
    options = changed(folder, lambda l: l["launches"][0]["args"].__setitem__(0, "m"))
    assert_refused(folder, ["kernel", verb, "k.cu", *options], "bad.launch.json", '"m"')


@pytest.mark.parametrize("verb", ["run", "check", "translate"])
def test_wrong_type(folder, verb):
    options = changed(folder, lambda l: l["buffers"]["x"].update(type="f33"))
    assert_refused(folder, ["kernel", verb, "k.cu", *options], "bad.launch.json", "#/buffers/x/type", '"f33"')


def test_type_that_is_not_the_kernels(folder):
    options = changed(folder, lambda l: l["buffers"]["x"].update(type="f64"))
    assert_refused(folder, ["kernel", "run", "k.cu", *options], "bad.launch.json", '"f64"')


def test_size_name_without_a_value(folder):
    options = changed(folder, lambda l: l["sizes"].update(names=["n", "m"]))
    assert_refused(folder, ["kernel", "run", "k.cu", *options], "bad.launch.json", "#/sizes/cases/0")


@pytest.mark.parametrize("verb", ["run", "check", "translate"])
def test_kernel_that_does_not_exist(folder, verb):
    options = changed(folder, lambda l: l["launches"][0].update(kernel="saxpi"))
    assert_refused(folder, ["kernel", verb, "k.cu", *options], '"saxpi"')


@pytest.mark.parametrize("verb", ["run", "check", "translate"])
def test_only_a_kernel_that_does_not_exist(folder, verb):
    assert_refused(folder, ["kernel", verb, "k.cu", "--only", "saxpi", "--out-dir", "out"], '"saxpi"')


@pytest.mark.parametrize("verb", ["run", "check", "translate"])
def test_broken_source(folder, verb):
    (folder / "k.cu").write_text(SOURCE.replace("a * x[i]", "a * ;"))
    assert_refused(folder, ["kernel", verb, "k.cu", "--out-dir", "out"], "k.cu:4:", "expected expression")


def test_broken_source_is_a_gap_in_coverage_of_check(folder):
    """What stands around the mistake is still reported, and the report says that the file was only partly analysed."""
    (folder / "k.cu").write_text("#include <cuda_runtime.h>\n" + SOURCE.replace("a * x[i]", "a * ;"))
    done = run("check", ".", "--output-format", "json", cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["coverage"]["partial"] == 1 and found["coverage"]["analysed"] == 0
    assert "expected expression" in found["coverage"]["partial_files"][0]["reason"]
    assert [k["name"] for k in found["kernels"]] == ["saxpy"]


@pytest.mark.parametrize("verb", ["run", "translate"])
def test_out_that_cannot_be_written(folder, verb):
    (folder / "file").write_text("a file, not a folder")
    assert_refused(folder, ["kernel", verb, "k.cu", "--out-dir", "file/out"], '"file/out"')


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 2}', '{"version": 1}', "\x00\x01"])
def test_launch_file_that_is_none(folder, text):
    (folder / "bad.launch.json").write_text(text)
    assert_refused(folder, ["kernel", "run", "k.cu", "--launch", "bad.launch.json", "--out-dir", "out"], "bad.launch.json")


def test_without_launches_a_draft_is_offered(folder):
    (folder / "k.launch.json").unlink()
    done = run("kernel", "run", "k.cu", cwd=folder)
    assert done.returncode == 2 and 'no launch file for "k.cu"' in done.stderr
    draft = json.loads(done.stderr[done.stderr.index("{"):])
    assert draft["launches"][0]["kernel"] == "saxpy" and set(draft["buffers"]) == {"x", "y"}


def test_a_good_run_writes_inputs_and_outputs(folder):
    """The counterpart of the refusals above: the same command with nothing wrong."""
    done = run("kernel", "run", "k.cu", "--out-dir", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert {"0/in/x.npy", "0/in/y.npy", "0/out/y.npy"} <= set(contents(folder / "out"))


def test_launch_file_fits_its_schema(folder):
    import jsonschema

    schema = json.loads(run("schema", "launch", cwd=folder).stdout)
    jsonschema.Draft202012Validator(schema).validate(LAUNCH)
    wrong = json.loads(json.dumps(LAUNCH))
    wrong["buffers"]["x"]["type"] = "f33"
    assert not jsonschema.Draft202012Validator(schema).is_valid(wrong)


TWO_LAUNCHERS = """#include <torch/extension.h>
__global__ void scale(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
__global__ void shift(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f + x[i];
}
at::Tensor scale_forward(at::Tensor x) {
  const int n = x.numel();
  auto y = at::empty_like(x);
  scale<<<(n + 127) / 128, 128>>>(n, x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
at::Tensor shift_forward(at::Tensor x) {
  const int n = x.numel();
  auto y = at::empty_like(x);
  shift<<<(n + 127) / 128, 128>>>(n, x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
"""


@pytest.mark.parametrize("name", ["shift_forward", "shift"])
def test_several_launchers_are_chosen_among_by_function_or_kernel(tmp_path, name):
    folder = project(tmp_path / "work", {"ops.cu": TWO_LAUNCHERS})
    done = run("kernel", "run", "ops.cu", cwd=folder)
    assert done.returncode == 2 and "scale_forward" in done.stderr and "--only" in done.stderr, done.stderr
    done = run("kernel", "run", "ops.cu", "--only", name, "--out-dir", "out", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    x, y = (np.load(folder / "out" / "0" / name) for name in ("in/x.npy", "out/y.npy"))
    assert np.array_equal(y, np.float32(1) + x)

"""The fast engine gives the checked engine's outputs, bit for bit, on every shared case."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "simt"))
from suite import same_bits  # noqa: E402

BUILD = pathlib.Path(os.environ.get("NP_BUILD_DIR", "build"))
SHARED = pathlib.Path(__file__).parent.parent / "cases" / "shared"
NAMES = sorted(json.loads((SHARED / "manifest.json").read_text()))


def kernel(verb, launch, **more):
    request = {"verb": verb, "launch": str(launch), **more}
    done = subprocess.run(
        [str(BUILD / "neuron-port-kernel")], input=json.dumps(request), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout)


def outputs(folder):
    return {path.relative_to(folder): path for path in sorted(folder.glob("*/out/*.npy"))}


def compare(name, tmp_path, **options):
    launch = SHARED / f"{name}.launch.json"
    checked = kernel("run", launch, out_dir=str(tmp_path / "checked"))
    assert checked["ok"], checked
    fast = kernel("run", launch, engine="fast", out_dir=str(tmp_path / "fast"), **options)
    assert fast["ok"], fast
    want, got = outputs(tmp_path / "checked"), outputs(tmp_path / "fast")
    assert set(want) == set(got) and want
    for key in want:
        assert same_bits(want[key], got[key]), f"{key} differs"
    return fast


@pytest.mark.parametrize("name", NAMES)
def test_engines_agree(name, tmp_path):
    assert all(case["engine"] == "fast" for case in compare(name, tmp_path, trust=1)["cases"])


@pytest.mark.parametrize("name", ["matmul_tiled", "softmax", "rowsum_shfl", "hist", "transpose"])
def test_other_schedules_agree(name, tmp_path):
    compare(name, tmp_path / "parallel", trust=1, schedule="parallel")
    compare(name, tmp_path / "permuted", trust=1, schedule="permuted")


def test_objects_come_from_the_cache(tmp_path):
    first = compare("saxpy", tmp_path / "a", trust=1, cache=str(tmp_path / "cache"))
    second = compare("saxpy", tmp_path / "b", trust=1, cache=str(tmp_path / "cache"))
    assert not first["cases"][0]["kernels"][0]["from_cache"]
    assert second["cases"][0]["kernels"][0]["from_cache"]
    for path in (tmp_path / "cache").iterdir():  # a damaged object is a miss
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    third = compare("saxpy", tmp_path / "c", trust=1, cache=str(tmp_path / "cache"))
    assert not third["cases"][0]["kernels"][0]["from_cache"]


def test_a_defect_keeps_the_fast_engine_away(tmp_path):
    source = (SHARED / "elementwise.cu").read_text().replace("y[i] = a", "y[i + 1000000] = a")
    (tmp_path / "k.cu").write_text(source)
    reply = kernel("run", SHARED / "saxpy.launch.json", source=str(tmp_path / "k.cu"), engine="fast")
    assert not reply["ok"] and reply["error"]["code"] == "defects"


BARRIER = """
struct Pair { float a; int b; };
__global__ void k(int* y, Pair p) {
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  for (int i = 0; i < 40; i++) {
    if (turn == threadIdx.x) y[threadIdx.x] = 100 + i + p.b;
    __syncthreads();
    if (threadIdx.x == 0) turn++;
    __syncthreads();
  }
}
__global__ void hand_over(int* y) {
  for (int i = 0; i < 8; i++) {
    y[threadIdx.x] = i + threadIdx.x;
    __syncthreads();
    int other = y[(threadIdx.x + 1) % 40];
    __syncthreads();
    y[threadIdx.x] = other * 3;
    __syncthreads();
    if (y[(threadIdx.x + 7) % 40] == 12) y[40 + threadIdx.x] = i;
    __syncthreads();
  }
}
"""


PAIR = {"struct": [{"type": "f32", "value": 1.5}, {"type": "i32", "value": 7}]}


@pytest.mark.parametrize("name, args", [("k", ["y", PAIR]), ("hand_over", ["y"])])
def test_what_others_write_is_seen_behind_a_barrier(name, args, tmp_path):
    (tmp_path / "k.cu").write_text(BARRIER)
    launch = {
        "version": 1,
        "source": str(tmp_path / "k.cu"),
        "sizes": {"names": ["n"], "cases": [[1]]},
        "buffers": {"y": {"type": "i32", "extent": ["80"], "role": "inout", "init": "zeros"}},
        "scalars": {},
        "launches": [{"kernel": name, "grid": ["1"], "block": ["40"], "shared": "0", "args": args}],
    }
    (tmp_path / "l.json").write_text(json.dumps(launch))
    checked = kernel("run", tmp_path / "l.json", out_dir=str(tmp_path / "c"))
    fast = kernel("run", tmp_path / "l.json", out_dir=str(tmp_path / "f"), engine="fast")
    assert checked["ok"] and fast["ok"], (checked, fast)
    assert same_bits(tmp_path / "c/0/out/y.npy", tmp_path / "f/0/out/y.npy")

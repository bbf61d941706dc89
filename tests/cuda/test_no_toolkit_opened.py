"""Analysis of CUDA sources never opens a file of an installed CUDA toolkit, whatever the sources and include folders say."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build"))
WORKER = BUILD / "neuron-port-clang"
TOOLKIT = re.compile(r"/cuda(-\d+(\.\d+)*)?/|/opt/nvidia|/nvidia-cuda|cuda/(include|targets|bin)")

SOURCE = """
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include </usr/local/cuda/include/cuda_runtime.h>
#include <some_toolkit_only_header.h>
__global__ void k(float* y) { y[threadIdx.x] = 1.0f; }
void host(float* y) { k<<<1, 32>>>(y); }
"""


def traced(verb, request, tmp_path):
    log = tmp_path / "trace"
    run = subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat,open,openat2", "-o", str(log), str(WORKER), verb],
                         input=json.dumps(request), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    lines = log.read_text().splitlines()
    opened = [m.group(1) for line in lines if "ENOENT" not in line and (m := re.search(r'"([^"]+)"', line))]
    attempted = [m.group(1) for line in lines if (m := re.search(r'"([^"]+)"', line))]
    return json.loads(run.stdout), opened, attempted


@pytest.fixture
def fake_toolkit(tmp_path):
    """A folder laid out as a toolkit, so that the test means something on machines without one."""
    include = tmp_path / "sdk" / "cuda-12.5" / "include"
    (include / "crt").mkdir(parents=True)
    for name in ("cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h", "crt/host_config.h", "some_toolkit_only_header.h"):
        (include / name).write_text("#error a toolkit header was read\n")
    return include


def test_facts(tmp_path, fake_toolkit):
    (tmp_path / "a.cu").write_text(SOURCE)
    request = {"root": str(tmp_path), "files": ["a.cu"], "includes": [str(fake_toolkit), "/usr/local/cuda/include"]}
    reply, opened, attempted = traced("facts", request, tmp_path)
    unit = reply["units"][0]
    assert [kernel["name"] for kernel in unit["kernels"]] == ["k"]
    assert len(unit["launches"]) == 1
    assert "/usr/local/cuda/include/cuda_runtime.h" in unit["missing_headers"]
    assert any(path.endswith("a.cu") for path in opened), "the trace shows nothing"
    assert not [path for path in attempted if TOOLKIT.search(path)]


def test_device_code(tmp_path, fake_toolkit):
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n__global__ void k(float* y) { y[0] = __half2float(__float2half(2.0f)); }\n")
    request = {"source": str(tmp_path / "a.cu"), "kernels": ["k"], "includes": [str(fake_toolkit)], "output": str(tmp_path / "a.bc")}
    reply, opened, attempted = traced("ir", request, tmp_path)
    assert reply["ok"], reply["diagnostics"]
    assert any(path.endswith("a.cu") for path in opened), "the trace shows nothing"
    assert not [path for path in attempted if TOOLKIT.search(path)]


def test_unknown_verb_is_a_usage_error():
    run = subprocess.run([str(WORKER), "nonsense"], input="{}", capture_output=True, text=True)
    assert run.returncode == 2 and "unknown verb" in run.stderr


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"root": 3, "files": []}', "\x00\xff", '{"root": ".", "files": "a"}'])
def test_malformed_requests_are_usage_errors(text):
    for verb in ("facts", "ir"):
        run = subprocess.run([str(WORKER), verb], input=text, capture_output=True, text=True)
        assert run.returncode == 2 and run.stderr.startswith("neuron-port-clang: the request is not understood"), (verb, run)

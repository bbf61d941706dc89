"""`neuron-port graph` on the golden extension and on broken input; the lexer that counts kernels apart from it."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve()
GOLDEN = ROOT / "tests/golden/fused_block"
sys.path.insert(0, str(ROOT / "tests/corpus"))

import cuda_lexer  # noqa: E402


def run(*arguments):
    return subprocess.run([str(BUILD / "neuron-port"), *map(str, arguments)], capture_output=True, text=True, timeout=120)


def graph(folder):
    done = run("graph", folder, "--isolated", "--output-format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_text_names_op_launch_and_kernel():
    done = run("graph", GOLDEN, "--isolated")
    assert done.returncode == 0, done.stderr
    assert "fused_block::bias_gelu_forward  (torch-library)  csrc/ops.cpp:" in done.stdout
    assert "  bias_gelu_forward_kernel  csrc/bias_gelu.cu:" in done.stdout
    assert "    launched in bias_gelu_forward  csrc/bias_gelu.cu:" in done.stdout
    assert done.stdout.endswith("4 ops, 4 kernels, 4 launches, 4 files (0 in part)\n")


def test_json_joins_both_ways_and_has_commands():
    document = graph(GOLDEN)
    assert document["version"] == 1
    assert len(document["ops"]) == 4
    for op in document["ops"]:
        (index,) = op["kernels"]
        assert document["kernels"][index]["ops"] == [op["name"]]
    command = next(f["command"] for f in document["files"] if f["path"] == "csrc/bias_gelu.cu")
    assert command["std"] == "c++17" and "csrc" in command["includes"]


def test_svg_is_well_formed_and_names_every_kernel(tmp_path):
    picture = tmp_path / "graph.svg"
    assert run("graph", GOLDEN, "--isolated", "--output-format", f"svg={picture}").returncode == 0
    text = "".join(ET.parse(picture).getroot().itertext())
    for kernel in graph(GOLDEN)["kernels"]:
        assert kernel["name"] in text


def test_unknown_format_and_missing_folder():
    done = run("graph", GOLDEN, "--output-format", "sgv")
    assert done.returncode == 2 and 'did you mean "svg"' in done.stderr
    assert run("graph", "/nowhere/at/all").returncode == 2


BROKEN = {
    "truncated.cu": "__global__ void first(float* y) { y[0] = 1; }\n__global__ void cut(float* y) { if (",
    "unbalanced.cu": "__global__ void second(float* y) {}\nvoid go(float* y) { second<<<1, 1(y); }\n",
    "loop.cu": '#include "loop.cu"\n__global__ void third(float* y) {}\n',
    "metal.cu": "#include <metal_stdlib>\nusing namespace metal;\nkernel void m(device float* y [[buffer(0)]]) {}\n",
    "hip.cu": "#include <hip/hip_runtime.h>\n__global__ void fourth(float* y) { y[hipThreadIdx_x] = 1; }\n",
    "blowup.cu": "template <int N> struct T { T<N + 1> t; };\nT<0> t;\n__global__ void fifth(float* y) {}\n",
}


def test_broken_files_do_not_hide_the_others(tmp_path):
    for name, text in BROKEN.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "good.cu").write_text("__global__ void good(float* y) { y[0] = 1; }\nvoid go(float* y) { good<<<1, 1>>>(y); }\n")
    (tmp_path / "away.cu").symlink_to("/etc/hostname")
    document = graph(tmp_path)
    names = {kernel["name"] for kernel in document["kernels"]}
    assert {"first", "second", "third", "fourth", "fifth", "good"} <= names
    status = {file["path"]: file["status"] for file in document["files"]}
    assert status["good.cu"] == "analysed"
    for name in BROKEN:
        assert status[name] == "partial", name
    assert all(f.get("reason") for f in document["files"] if f["status"] != "analysed")


LEXED = """
// __global__ void comment() {}
const char* text = "__global__ void string() {} <<<";
template <typename T> __global__ void __launch_bounds__(128, 2) bounded(T* y) { y[0] = 1; }
__global__ void declared(float*);
extern "C" __global__ void
split(float* y)
{ }
#define MAKE(name) __global__ void name##_kernel(float* y) {}
#define GO(k) k<<<1, 1>>>(nullptr)
void go() { bounded<float><<<1, 2>>>(nullptr); /* a<<<b */ }
"""


def test_lexer_counts_by_hand():
    assert [k.name for k in cuda_lexer.kernels(LEXED) if not k.macro] == ["bounded", "split"]
    assert [k.macro for k in cuda_lexer.kernels(LEXED) if k.macro] == ["MAKE"]
    assert [launch.macro for launch in cuda_lexer.launches(LEXED)] == ["GO", ""]


@pytest.mark.parametrize("folder", ["tests/golden/fused_block"])
def test_every_kernel_that_the_lexer_sees_is_in_the_graph(folder):
    document = graph(ROOT / folder)
    found = {(Path(k["where"]["path"]).name, k["name"]) for k in document["kernels"]}
    seen = {
        (path.name, kernel.name)
        for path in (ROOT / folder).rglob("*.cu")
        for kernel in cuda_lexer.kernels(path.read_text())
        if not kernel.macro
    }
    assert seen and seen <= found, seen - found

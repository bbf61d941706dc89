"""Host code of published extensions becomes device-neutral: rewritten by `fix --unsafe-fixes` it compiles with g++ and
libtorch for the CPU, reaches the registered ops, and before that it did not. A second run changes nothing, undo restores
every byte."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus"))
from sdist import HERE, NotReached, fetch  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve() / "neuron-port"
PINS = json.loads((HERE / "cuda_packages.json").read_text())
TORCH = Path(torch.__file__).parent
# Per package: the sources of the host side, include folders, and a call that reaches the device's side.
PACKAGES = {
    "torch-scatter": {"sources": ["csrc/*.cpp", "csrc/cpu/*.cpp"], "includes": ["csrc"], "probe": "scatter"},
    "torch-cluster": {"sources": ["csrc/*.cpp", "csrc/cpu/*.cpp"], "includes": ["csrc"], "probe": "cluster"},
    "torch-spline-conv": {"sources": ["csrc/*.cpp", "csrc/cpu/*.cpp"], "includes": ["csrc"], "probe": "spline"},
    "pytorch-fast-transformers": {"sources": ["fast_transformers/**/*_cuda.cu"], "includes": [], "probe": None},
    "causal-conv1d": {"sources": ["csrc/*.cpp"], "includes": ["csrc"], "probe": None},
    "mamba-ssm": {"sources": ["csrc/selective_scan/*.cpp"], "includes": ["csrc/selective_scan"], "probe": None},
}
# Each defines the device's op in Python, as ported kernels do, and calls the package's op with tensors that are not on
# the CPU. It prints what came back.
PROBES = {
    "scatter": """
lib = torch.library.Library("torch_scatter", "FRAGMENT")
lib.define("scatter_cuda(Tensor src, Tensor index, int dim, Tensor? out, int? dim_size, str reduce) -> (Tensor, Tensor?)")
lib.impl("scatter_cuda", lambda src, index, dim, out, size, reduce: (src.new_empty(size, 5), None), "CompositeExplicitAutograd")
y = torch.ops.torch_scatter.scatter_sum(torch.empty(7, 5, device="meta"), torch.empty(7, dtype=torch.long, device="meta"), 0, None, 3)
print("reached", tuple(y.shape), y.device.type)
x = torch.ops.torch_scatter.scatter_sum(torch.ones(4), torch.tensor([0, 1, 1, 1]), 0, None, 2)
print("cpu", x.tolist())
""",
    "cluster": """
lib = torch.library.Library("torch_cluster", "FRAGMENT")
lib.define("fps_cuda(Tensor src, Tensor ptr, Tensor ratio, bool random_start) -> Tensor")
lib.impl("fps_cuda", lambda src, ptr, ratio, start: ptr.new_empty(3), "CompositeExplicitAutograd")
y = torch.ops.torch_cluster.fps(torch.empty(7, 5, device="meta"), torch.empty(2, dtype=torch.long, device="meta"), torch.empty(1, device="meta"), False)
print("reached", tuple(y.shape), y.device.type)
x = torch.ops.torch_cluster.fps(torch.arange(4.0).view(4, 1), torch.tensor([0, 4]), torch.tensor([0.5]), False)
print("cpu", x.tolist())
""",
    "spline": """
lib = torch.library.Library("torch_spline_conv", "FRAGMENT")
lib.define("spline_weighting_fw_cuda(Tensor x, Tensor weight, Tensor basis, Tensor weight_index) -> Tensor")
lib.impl("spline_weighting_fw_cuda", lambda x, w, b, i: x.new_empty(x.size(0), w.size(2)), "CompositeExplicitAutograd")
def call(device):
    make = lambda *size: torch.ones(*size, device=device)
    return torch.ops.torch_spline_conv.spline_weighting(make(7, 5), make(2, 5, 3), make(7, 2), make(7, 2).long() * 0)
y = call("meta")
print("reached", tuple(y.shape), y.device.type)
print("cpu", call("cpu")[0].tolist())
""",
}
EXPECTED = {
    "scatter": "reached (3, 5) meta\ncpu [1.0, 3.0]\n",
    "cluster": "reached (3,) meta\ncpu [0, 3]\n",
    "spline": "reached (7, 3) meta\ncpu [10.0, 10.0, 10.0]\n",
}


@pytest.fixture(scope="module", params=PACKAGES)
def package(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    try:
        source = fetch(request.param, folder, PINS)
    except NotReached as error:
        pytest.skip(str(error))
    return request.param, source


def neuron_port(*arguments):
    done = subprocess.run([str(TOOL), *map(str, arguments)], capture_output=True, text=True, timeout=900)
    assert done.returncode in (0, 1), done.stderr
    assert "fault of neuron-port" not in done.stderr, done.stderr
    return done


def fix(folder):
    return neuron_port("fix", "--unsafe-fixes", "--select", "NPT1", "--extend-select", "NPT5004", "--isolated", "--output-format", "json=/dev/null", folder)


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and ".neuron-port" not in path.parts}


def unity(name, folder, work):
    """One source that holds them all: torch's headers are read once, and names that every file has get a number."""
    entry = PACKAGES[name]
    sources = [path for pattern in entry["sources"] for path in sorted(folder.glob(pattern))]
    assert sources
    lines = []
    for number, path in enumerate(sources):
        lines += [f"#define registry registry_{number}", f"#undef TORCH_EXTENSION_NAME\n#define TORCH_EXTENSION_NAME extension_{number}"]
        lines += [f'#include "{path}"', "#undef registry"]
    out = work / "unity.cpp"
    out.write_text("\n".join(lines) + "\n")
    return out


def gxx(name, folder, work, *arguments):
    include = [f"-I{folder / sub}" for sub in PACKAGES[name]["includes"]]
    system = [TORCH / "include", TORCH / "include/torch/csrc/api/include", sysconfig.get_paths()["include"]]
    command = ["g++", "-std=c++20", "-w", "-fPIC", "-O0", "-fopenmp", "-DWITH_NEURON", "-DWITH_PYTHON", *include]
    command += [word for path in system for word in ("-isystem", str(path))]
    return subprocess.run([*command, *arguments, str(unity(name, folder, work))], capture_output=True, text=True, timeout=1200)


def library(name, folder, work):
    """The host side as a shared library, or the compiler's answer."""
    out = work / "host.so"
    lib = TORCH / "lib"
    libraries = ["-shared", "-o", str(out), f"-L{lib}", f"-Wl,-rpath,{lib}"]
    done = gxx(name, folder, work, *libraries)
    assert done.returncode == 0, done.stderr[-3000:]
    return out


def run_probe(probe, shared):
    text = f"import torch\ntorch.ops.load_library({str(shared)!r})\n" + PROBES[probe]
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300)


def test_host_code_is_rewritten(package, tmp_path):
    name, source = package
    probe = PACKAGES[name]["probe"]
    before = files(source)
    if probe:
        # It compiles for the CPU, but a tensor of another device never reaches a kernel.
        refused = run_probe(probe, library(name, source, tmp_path))
        assert refused.returncode != 0 and "reached" not in refused.stdout, refused.stdout
    else:
        refused = gxx(name, source, tmp_path, "-fsyntax-only")
        assert refused.returncode != 0 and "error" in refused.stderr
    copy = tmp_path / "copy"
    shutil.copytree(source, copy)
    fix(copy)
    once = files(copy)
    changed = [path for path in before if once[path] != before[path]]
    print(name, len(changed), "files changed")
    assert changed and set(once) == set(before)
    if probe:
        reached = run_probe(probe, library(name, copy, tmp_path))
        assert reached.stdout == EXPECTED[probe], reached.stdout + reached.stderr[-3000:]
    else:
        done = gxx(name, copy, tmp_path, "-fsyntax-only")
        assert done.returncode == 0, done.stderr[:3000]
    second = fix(copy)
    assert "nothing to fix" in second.stderr and files(copy) == once
    neuron_port("fix", "--undo", copy)
    assert files(copy) == before
    assert not (copy / ".neuron-port").exists()

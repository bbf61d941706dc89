"""`pip wheel .` gives a small wheel whose executable runs in a clean environment, without Clang, LLVM and torch."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 15 << 20
LAUNCHER = f"env;CCACHE_BASEDIR={ROOT};CCACHE_NOHASHDIR=1;ccache"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "venv", folder / "build"], check=True)
    pip = folder / "build/bin/pip"
    # The compiler of the other builds, so that ccache has most of it.
    settings = ["CMAKE_C_COMPILER=clang-19", "CMAKE_CXX_COMPILER=clang++-19", f"CMAKE_C_COMPILER_LAUNCHER={LAUNCHER}",
                f"CMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}", "CMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"]
    defines = [word for setting in settings for word in ("-C", f"cmake.define.{setting}")]
    subprocess.run([pip, "wheel", ROOT, "--no-deps", "--wheel-dir", folder, "-C", f"build-dir={ROOT}/build-wheel",
                    "-C", "cmake.args=-GNinja", *defines], check=True)
    [made] = folder.glob("neuron_port-*.whl")
    return made


def test_size_and_contents(wheel):
    assert wheel.stat().st_size <= LARGEST
    names = zipfile.ZipFile(wheel).namelist()
    assert [n for n in names if ".dist-info/" not in n] == [n for n in names if n.endswith("/scripts/neuron-port")]


def test_runs_in_a_clean_environment(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "clean"], check=True)
    subprocess.run([tmp_path / "clean/bin/pip", "install", "--quiet", "--no-index", wheel], check=True)
    tool = tmp_path / "clean/bin/neuron-port"
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.py").write_text("import torch\nx = torch.zeros(3, device='cuda')\n")
    environment = {"PATH": "/usr/bin:/bin"}
    check = subprocess.run([tool, "check", "."], cwd=work, env=environment, capture_output=True, text=True)
    assert check.returncode == 1 and "NPT3001" in check.stdout, check.stderr
    assert subprocess.run([tool, "version"], cwd=work, env=environment).returncode == 0
    libraries = subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout
    assert not any(word in libraries for word in ("LLVM", "clang", "torch", "stdc++"))

"""Where the CUDA toolkit is installed, our kernels are valid CUDA."""

import pathlib
import re
import shutil
import subprocess

import pytest
from suite import GOOD, TOPICS

BAD = pathlib.Path(__file__).parent / "bad"
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
SOURCES = [GOOD / f"{topic}.cu" for topic in TOPICS] + sorted(BAD.glob("*.cu"))


@pytest.mark.skipif(NVCC is None, reason="nvcc is not installed")
@pytest.mark.parametrize("source", SOURCES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_nvcc_accepts(tmp_path, source):
    done = subprocess.run(
        [NVCC, "-ptx", "-std=c++17", "-arch=sm_80", "-w", str(source), "-o", str(tmp_path / "out.ptx")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode != 0 and (missing := re.search(r"error: (curand\w*\.h): No such file", done.stderr)):
        pytest.skip(f"this toolkit lacks {missing[1]}")
    assert done.returncode == 0, done.stderr[-3000:]

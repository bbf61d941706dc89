"""layout.inc holds for our torch headers and, where a CPU wheel is installed, for torch's own: sizes, enumerations and
result types on which analysis depends cannot drift apart unseen."""

import glob
import subprocess

import pytest

from clang import CLANG, ROOT

SHIMS = ["-isystem", str(ROOT / "shims/cuda"), "-isystem", str(ROOT / "shims/torch")]
WHEELS = glob.glob(str(ROOT / ".venv/lib/python3*/site-packages/torch/include"))


def compile_layout(tmp_path, includes, flags):
    source = tmp_path / "layout.cc"
    source.write_text(f'{includes}#include "{ROOT}/tests/shims/layout.inc"\n')
    run = subprocess.run(
        [CLANG, "-std=c++20", "-w", "-fsyntax-only", *flags, str(source)], capture_output=True, text=True, timeout=400
    )
    return run.stderr


pytestmark = pytest.mark.skipif(CLANG is None, reason="clang++-19 is not installed")


def test_shim_headers(tmp_path):
    assert compile_layout(tmp_path, "#include <torch/types.h>\n#include <ATen/AccumulateType.h>\n", SHIMS) == ""


@pytest.mark.skipif(not WHEELS, reason="no torch wheel in .venv")
def test_wheel_headers(tmp_path):
    includes = "#include <ATen/ATen.h>\n#include <ATen/AccumulateType.h>\n#include <ATen/OpMathType.h>\n"
    assert compile_layout(tmp_path, includes, ["-isystem", WHEELS[0]]) == ""

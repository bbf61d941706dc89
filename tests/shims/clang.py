"""Runs clang++-19 over a source with the shim headers, with the flags of shims/cuda/README.md."""

import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLANG = shutil.which("clang++-19")
OPT = shutil.which("opt-19")
BUILDER_MACROS = [
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
]


def resource_dir():
    return subprocess.run([CLANG, "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()


def cuda_flags(side, toolkit):
    flags = ["-x", "cuda", f"--cuda-{side}-only", "--cuda-gpu-arch=sm_80", f"--cuda-path={toolkit}", "-nocudainc"]
    flags += ["-nocudalib", "-nobuiltininc", "-idirafter", resource_dir() + "/include", "-std=c++20"]
    flags += ["-isystem", str(ROOT / "shims/cuda"), "-isystem", str(ROOT / "shims/torch")]
    flags += ["-include", "cuda_runtime.h", "-Xclang", "-target-sdk-version=12.5", "-DTORCH_EXTENSION_NAME=extension"]
    flags += ["-Xclang", "-fcuda-allow-variadic-functions"]
    if side == "device":
        flags += ["--cuda-feature=+ptx83", "-O2", "-Xclang", "-disable-llvm-passes", "-ffp-contract=off"]
    return flags


def check(source, side, extra=()):
    """Parses the source; returns clang's messages, empty when it is accepted without one."""
    with tempfile.TemporaryDirectory() as toolkit:
        command = [CLANG, *cuda_flags(side, toolkit), "-fsyntax-only", *extra, str(source)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return run.stderr if run.returncode or run.stderr else ""


def device_ir(source):
    """Device IR after the always-inliner, as text."""
    with tempfile.TemporaryDirectory() as folder:
        bitcode = pathlib.Path(folder) / "kernel.bc"
        command = [CLANG, *cuda_flags("device", folder), "-emit-llvm", "-c", str(source), "-o", str(bitcode)]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
        inlined = [OPT, "-passes=always-inline,globaldce", "-S", str(bitcode), "-o", "-"]
        return subprocess.run(inlined, check=True, capture_output=True, text=True, timeout=120).stdout

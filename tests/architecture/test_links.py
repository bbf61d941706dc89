"""What the executables load: the command line tool must start in milliseconds, so it links neither LLVM, Clang nor torch."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build"))


def needed(binary):
    out = subprocess.run(["objdump", "-p", str(binary)], capture_output=True, text=True, check=True).stdout
    return re.findall(r"NEEDED\s+(\S+)", out)


def test_cli_links_nothing_heavy():
    libraries = needed(BUILD / "neuron-port")
    assert libraries
    assert not [x for x in libraries if re.search(r"LLVM|clang|torch|c10", x)], libraries


@pytest.mark.parametrize("name, forbidden", [("neuron-port-kernel", "clang|torch|c10"), ("neuron-port-clang", "torch|c10")])
def test_siblings_link_only_what_they_need(name, forbidden):
    libraries = needed(BUILD / name)
    assert any("LLVM" in x for x in libraries)
    assert not [x for x in libraries if re.search(forbidden, x) and not (name.endswith("clang") and "clang" in x)], libraries

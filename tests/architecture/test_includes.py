"""Includes go one way (docs/architecture.md). Read from the #include lines of every tracked source file."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULES = json.loads((ROOT / "tests/architecture/rooms.json").read_text())
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
PRODUCT = ("analyzer/", "rewriter/", "runtime/", "kernel_port/", "cli/")


def source_files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [p for p in listed.splitlines() if p.startswith(PRODUCT) and p.endswith((".h", ".cc")) and (ROOT / p).exists()]


def room_of(path):
    names = [room for room in RULES["rooms"] if path.startswith(room + "/")]
    return max(names, key=len) if names else None


def allowed(path, included):
    if included.startswith("analyzer/base/"):
        return True
    room = room_of(path)
    if room_of(included) == room:
        return True
    return any(included.startswith(target + "/") for target in RULES["rooms"][room])


def edges():
    for path in source_files():
        for included in INCLUDE.findall((ROOT / path).read_text()):
            yield path, included


def test_there_is_something_to_check():
    assert len(source_files()) > 50


@pytest.mark.parametrize("path, included, verdict", [
    ("analyzer/python/scopes.cc", "analyzer/rules/registry.h", False),
    ("analyzer/rules/torch/x.cc", "analyzer/python/scopes.h", True),
    ("runtime/tile/program.cc", "kernel_port/spec/spec.h", False),
    ("kernel_port/lift/a.cc", "kernel_port/spec/spec.h", True),
    ("cli/main.cc", "rewriter/apply.h", True),
    ("analyzer/base/result.h", "cli/version.h", False),
])
def test_the_rule_itself(path, included, verdict):
    assert allowed(path, included) is verdict


def test_includes_go_one_way():
    wrong = [f"{path} includes {included}" for path, included in edges() if included.startswith(PRODUCT) and not allowed(path, included)]
    assert not wrong, "\n".join(wrong)


def test_heavy_headers_stay_in_their_rooms():
    wrong = []
    for path, included in edges():
        for prefix, rooms in RULES["only_in"].items():
            if included.startswith(prefix) and not path.startswith(tuple(r + "/" for r in rooms)):
                wrong.append(f"{path} includes {included}")
    assert not wrong, "\n".join(wrong)


def test_our_headers_do_not_include_heavy_ones():
    wrong = []
    for path, included in edges():
        internal = path.startswith(("analyzer/cuda/worker/",)) or path.endswith(("_internal.h", "_llvm.h", "_json.h"))
        if path.endswith(".h") and not internal and included.startswith(tuple(RULES["headers_without"])):
            wrong.append(f"{path} includes {included}")
    assert not wrong, "\n".join(wrong)

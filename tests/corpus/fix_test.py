"""What must hold of every fix, on eighteen published packages and in each mode: nothing that parsed is broken, a second
fix changes nothing, undo restores every byte, and we find no fault of ours."""

import ast
import json
import os
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest
from sdist import HERE, PACKAGES, NotReached, fetch

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve() / "neuron-port"
MORE = json.loads((HERE / "fix_packages.json").read_text())
MODES = {"safe": [], "unsafe": ["--unsafe-fixes"], "neuron": ["--unsafe-fixes", "--target", "neuron"]}
# Clang has nothing to say about Python, and takes its time for it.
CPP = shutil.ignore_patterns("*.cu", "*.cuh", "*.cpp", "*.cc", "*.cxx", "*.h", "*.hpp", "*.inl")


@pytest.fixture(scope="module", params=[*PACKAGES, *MORE])
def package(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    try:
        source = fetch(request.param, folder, {**PACKAGES, **MORE})
    except NotReached as error:
        pytest.skip(str(error))
    copy = folder / "python"
    shutil.copytree(source, copy, symlinks=True, ignore=CPP)
    shutil.rmtree(source)
    yield copy
    shutil.rmtree(folder)


def neuron_port(*arguments):
    done = subprocess.run([str(TOOL), *map(str, arguments)], capture_output=True, text=True, timeout=600)
    assert done.returncode in (0, 1), done.stderr
    assert "fault of neuron-port" not in done.stderr, done.stderr
    return done


def fix(package, mode):
    return neuron_port("fix", *MODES[mode], "--isolated", "--output-format", "json=/dev/null", package)


def parses(name, data):
    try:
        if name.endswith((".py", ".pyi")):
            ast.parse(data)
        elif name.endswith((".ipynb", ".json")):
            json.loads(data)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and ".neuron-port" not in path.parts}


@pytest.mark.parametrize("mode", MODES)
def test_fix(package, mode):
    warnings.simplefilter("ignore")  # invalid escapes of other people's strings
    before = files(package)
    first = fix(package, mode)
    once = files(package)
    assert set(once) == set(before)
    changed = [name for name in before if once[name] != before[name]]
    print(package.parent.name, mode, len(changed), "files changed")
    assert not [name for name in changed if parses(name, before[name]) and not parses(name, once[name])]
    assert all(f"fixed {name} (" in first.stderr for name in changed)
    second = fix(package, mode)
    assert "nothing to fix" in second.stderr and files(package) == once
    if changed:
        neuron_port("fix", "--undo", package)
    assert files(package) == before
    assert not (package / ".neuron-port").exists()

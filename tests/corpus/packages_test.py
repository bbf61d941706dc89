"""Five published packages: every file is accounted for, and fixing them breaks none."""

import ast
import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from sdist import PACKAGES, NotReached, fetch

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve() / "neuron-port"


@pytest.fixture(scope="module", params=list(PACKAGES))
def package(request, tmp_path_factory):
    try:
        return fetch(request.param, tmp_path_factory.mktemp("package"))
    except NotReached as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def report(package):
    done = neuron_port("check", package, "--output-format", "json", "--isolated")
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def neuron_port(*arguments):
    return subprocess.run([str(TOOL), *map(str, arguments)], capture_output=True, text=True, timeout=1200)


def parses(data):
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


def python_files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.py"))}


def test_every_file_is_accounted_for(report):
    coverage = report["coverage"]
    assert coverage["files"] > 0
    assert coverage["files"] == coverage["analysed"] + coverage["partial"] + len(coverage["skipped"])
    assert coverage["partial"] == len(coverage["partial_files"])
    print(coverage["files"], "files", coverage["analysed"], "analysed", len(report["findings"]), "findings")


def ignored_by_git(package, folder):
    """What the package's own .gitignore files leave out, in git's opinion."""
    git = ["git", f"--git-dir={folder / 'git'}", f"--work-tree={package}"]
    subprocess.run([*git, "init", "-q"], check=True, capture_output=True)
    listed = subprocess.run([*git, "ls-files", "-z", "--others", "--ignored", "--exclude-standard"], cwd=package, check=True, capture_output=True, text=True)
    return {package / name for name in listed.stdout.split("\0") if name}


def test_every_python_and_cuda_file_is_a_file_of_the_report(package, report, tmp_path):
    """The walk leaves out only what git ignores: as many files as a plain listing of the suffixes finds."""
    suffixes = {".py", ".pyi", ".pyw", ".ipynb", ".cu", ".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".cpp", ".cc", ".cxx", ".c++"}
    listed = {path for path in package.rglob("*") if path.is_file() and path.suffix in suffixes}
    assert report["coverage"]["files"] == len(listed - ignored_by_git(package, tmp_path))


def test_what_is_skipped(package, report):
    skipped = [entry["path"] for entry in report["coverage"]["skipped"]]
    assert sum(path.endswith(".py") for path in skipped) <= 0.01 * len(python_files(package)), skipped
    assert not [path for path in skipped if b"__global__" in (package / path).read_bytes()]


def test_python_that_parses_is_analysed_whole(package, report):
    """Our parser gives up on no file that Python itself can read."""
    partly = {entry["path"]: entry["reason"] for entry in report["coverage"]["partial_files"] if entry["path"].endswith(".py")}
    assert not {path: reason for path, reason in partly.items() if parses((package / path).read_bytes())}


def test_findings_lie_where_they_say(package, report):
    for f in report["findings"]:
        data = (package / f["path"]).read_bytes()
        start, end = f["range"]["start"]["offset"], f["range"]["end"]["offset"]
        assert 0 <= start <= end <= len(data), f
        assert f["range"]["start"]["line"] == data[:start].count(b"\n") + 1, f


def test_kernels_of_the_sources_are_found(package, report):
    """Every name that follows __global__ in a file is a kernel of the report."""
    import re

    pattern = re.compile(r"__global__\s+(?:static\s+|inline\s+)*void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(")
    wanted = Counter()
    for path in package.rglob("*.cu*"):
        code = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(errors="replace"), flags=re.S)
        wanted.update(set(pattern.findall(code)))
    found = {k["name"].split("::")[-1].split("<")[0] for k in report["kernels"]}
    assert set(wanted) <= found, set(wanted) - found


def test_fix_keeps_files_parseable_and_settles(package, report):
    before = python_files(package)
    first = neuron_port("fix", "--unsafe-fixes", "--isolated", package)
    assert first.returncode in (0, 1), first.stderr
    once = python_files(package)
    assert set(once) == set(before)
    changed = [name for name in before if once[name] != before[name]]
    broken = [name for name in changed if parses(before[name]) and not parses(once[name])]
    assert not broken
    fixable = any(fix["safety"] != "display" and fix["edits"] for f in report["findings"] for fix in f["fixes"])
    assert bool(changed) == fixable
    second = neuron_port("fix", "--unsafe-fixes", "--isolated", package)
    assert "nothing to fix" in second.stderr
    assert python_files(package) == once
    undone = neuron_port("fix", "--undo", package)
    assert undone.returncode == 0, undone.stderr
    assert python_files(package) == before

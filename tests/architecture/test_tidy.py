"""clang-tidy over the files that differ from the last commit on the main line (or over NP_TIDY_FILES), everything is an error."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build"))
LIMIT = 12  # files a run: clang-tidy takes seconds a file


def changed_files():
    if os.environ.get("NP_TIDY_FILES"):
        return os.environ["NP_TIDY_FILES"].split()
    listed = subprocess.run(["git", "diff", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    if not listed:  # a clean tree: the files of the last commit
        listed = subprocess.run(["git", "show", "--name-only", "--pretty=", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    known = {entry["file"] for entry in json.loads((BUILD / "compile_commands.json").read_text())}
    return [p for p in listed if p.endswith(".cc") and str(ROOT / p) in known][:LIMIT]


def test_changed_files_are_tidy():
    files = changed_files()
    if not files:
        files = ["analyzer/base/source_text.cc"]  # never nothing
    run = subprocess.run(["clang-tidy-19", "-p", str(BUILD), "--quiet", *files], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-6000:]


def test_the_check_can_fail(tmp_path):
    bad = tmp_path / "bad.cc"
    bad.write_text("#include <memory>\nint f(std::unique_ptr<int> p) { auto q = std::move(p); return *p + *q; }\n")
    run = subprocess.run(["clang-tidy-19", f"--config-file={ROOT / '.clang-tidy'}", "--quiet", str(bad), "--", "-std=c++20"],
                         capture_output=True, text=True)
    assert run.returncode != 0 and "use-after-move" in run.stdout

"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself from a clone of this repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve()
TRAIN = "import torch\n\ntorch.cuda.synchronize()\nx = torch.zeros(3, device='cuda')\n"


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory):
    venv = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([venv / "bin/pip", "install", "--quiet", "pre-commit"], check=True)
    return venv / "bin/pre-commit"


@pytest.fixture
def hooks(tmp_path):
    """The hooks file as it stands here, committed: pre-commit clones what it runs."""
    folder = tmp_path / "hooks"
    folder.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", folder)
    commit(folder)
    return folder


def git(folder, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder):
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "start")


def run_hook(pre_commit, hooks, folder, hook, tmp_path):
    environment = os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
                                "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return subprocess.run([pre_commit, "try-repo", hooks, hook, "--all-files"], cwd=folder, env=environment,
                          capture_output=True, text=True)


def test_check_fails_on_findings_and_passes_without(pre_commit, hooks, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.py").write_text(TRAIN)
    (work / "b.txt").write_text("no source")
    commit(work)
    done = run_hook(pre_commit, hooks, work, "neuron-port", tmp_path)
    assert done.returncode == 1 and "NPT3001" in done.stdout, done.stdout + done.stderr
    (work / "a.py").write_text("x = 1\n")
    assert run_hook(pre_commit, hooks, work, "neuron-port", tmp_path).returncode == 0


def test_fix_changes_the_file_and_fails_so_that_it_is_reviewed(pre_commit, hooks, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.py").write_text(TRAIN)
    commit(work)
    done = run_hook(pre_commit, hooks, work, "neuron-port-fix", tmp_path)
    assert done.returncode == 1 and "files were modified" in done.stdout, done.stdout + done.stderr

"""Results kept from run to run never change what is reported, whatever stands in the cache."""

import json
import os
import time

import pytest
from command import TOOL, TRAIN, contents, project, run

FILES = {
    "pyproject.toml": "",
    "train.py": TRAIN,
    "clean.py": "x = 1\n",
    "names.py": "import torch\nDEVICE = 'cuda'\n",
    "use.py": "import torch\nfrom names import DEVICE\nx = torch.zeros(3, device=DEVICE)\n",
    "quiet.py": "import torch\nx = torch.zeros(3, device='cuda')  # neuron-port: ignore[NPT3001]\ny = 1  # neuron-port: ignore\n",
    "broken.py": "def f(:\n",
    "requirements.txt": "torch==2.4.0\nflash-attn\n",
    "Dockerfile": "FROM nvidia/cuda:12.1.0-devel-ubuntu22.04\n",
    "train.sh": "nvidia-smi\npython train.py\n",
    "latin.py": b"x = '\xe4'\n",
    "note.ipynb": json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": ["import torch\n", "x = torch.zeros(3).cuda()\n"]}]}),
}


@pytest.fixture
def folder(tmp_path):
    made = project(tmp_path / "work", FILES)
    age(made)
    return made


def age(folder):
    """As files that were written a minute ago; what was written just now is never taken from the cache unread."""
    for path in folder.rglob("*"):
        os.utime(path, (time.time() - 60, time.time() - 60))


def check(folder, cache, *arguments, form="json"):
    done = run("check", "--output-format", form, *arguments, cwd=folder, XDG_CACHE_HOME=cache)
    assert done.returncode == 1, done.stderr
    return done.stdout


def kept(cache):
    return [p for p in cache.rglob("results-*.bin")]


def test_cold_warm_and_poisoned_runs_agree(folder, tmp_path):
    cache = tmp_path / "cache"
    without = check(folder, cache, "--isolated")
    assert not cache.exists()
    assert check(folder, cache) == without
    assert len(kept(cache)) == 1
    assert check(folder, cache) == without
    for form in ("text", "full", "sarif", "html"):
        assert check(folder, cache, form=form) == check(folder, cache, "--isolated", form=form)
    good = kept(cache)[0].read_bytes()
    for bad in (b"", b"NPCACHE3", good[: len(good) // 2], good + b"x", b"\0" * len(good), good[:40] + b"\xff" * 40 + good[80:]):
        for file in kept(cache):
            file.write_bytes(bad)
        assert check(folder, cache) == without


def test_a_warm_run_reads_no_clean_file(folder, tmp_path):
    cache = tmp_path / "cache"
    for path in folder.iterdir():
        os.utime(path, (0, 0))
    check(folder, cache)
    time.sleep(2.5)  # the files' inodes were changed just now; then they are old enough
    check(folder, cache)
    trace = tmp_path / "trace"
    import subprocess

    subprocess.run(["strace", "-f", "-e", "trace=openat", "-o", trace, str(TOOL), "check", "--exit-zero", "."], cwd=folder,
                   env=os.environ | {"XDG_CACHE_HOME": str(cache)}, stdout=subprocess.DEVNULL, check=True)
    opened = trace.read_text()
    assert "train.py" in opened and "clean.py" not in opened


def test_a_change_in_one_file_reaches_the_findings_of_another(folder, tmp_path):
    cache = tmp_path / "cache"
    before = check(folder, cache)
    assert check(folder, cache) == before
    (folder / "names.py").write_text("import torch\nDEVICE = 'cpu'\n")
    age(folder)
    after = check(folder, cache)
    assert after != before and after == check(folder, cache, "--isolated")


def test_the_same_size_and_time_but_other_bytes(folder, tmp_path):
    cache = tmp_path / "cache"
    check(folder, cache)
    at = os.stat(folder / "clean.py")
    (folder / "clean.py").write_text("y = 2\n")
    os.utime(folder / "clean.py", ns=(at.st_atime_ns, at.st_mtime_ns))
    (folder / "train.py").write_text(TRAIN.replace("zeros(3", "zeros(4"))
    assert check(folder, cache) == check(folder, cache, "--isolated")


def test_added_renamed_and_deleted_files(folder, tmp_path):
    cache = tmp_path / "cache"
    check(folder, cache)
    (folder / "train.py").rename(folder / "moved.py")
    (folder / "clean.py").unlink()
    (folder / "new.py").write_text(TRAIN)
    assert check(folder, cache) == check(folder, cache, "--isolated")


@pytest.mark.parametrize("settings", [["--target", "neuron"], ["--select", "NPT3001"], ["--strict"], ["train.py", "use.py"]])
def test_other_settings_take_nothing_from_each_other(folder, tmp_path, settings):
    cache = tmp_path / "cache"
    check(folder, cache)
    assert check(folder, cache, *settings) == check(folder, cache, "--isolated", *settings)
    assert check(folder, cache) == check(folder, cache, "--isolated")


def test_no_cache_inside_the_project_or_without_a_home(folder, tmp_path):
    before = contents(folder)
    check(folder, folder / "cache")
    assert contents(folder) == before
    done = run("check", cwd=folder, XDG_CACHE_HOME=None, HOME=None)
    assert done.returncode == 1 and contents(folder) == before


def test_a_cache_that_cannot_be_written(folder, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert check(folder, blocked) == check(folder, blocked, "--isolated")


def test_clean(folder, tmp_path):
    cache = tmp_path / "cache"
    check(folder, cache)
    assert run("clean", cwd=folder, XDG_CACHE_HOME=cache).returncode == 0
    assert kept(cache) == []
    assert "nothing" in run("clean", cwd=folder, XDG_CACHE_HOME=cache).stderr

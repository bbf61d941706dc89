"""Which files fix may write: those of the project that the arguments name, never through a link that leads out."""

import subprocess

import pytest
from command import TRAIN, assert_one_error, contents, git, project, run


def python_files(folder):
    return {name: data for name, data in contents(folder).items() if name.endswith((".py", ".pyi"))}


def test_arguments_of_two_projects_are_fixed_and_taken_back_together(tmp_path):
    folder = project(tmp_path / "work", {"one/setup.py": "", "one/a.py": TRAIN, "two/setup.py": "", "two/b.py": TRAIN})
    before = python_files(folder)
    done = run("fix", "--unsafe-fixes", "one", "two/b.py", cwd=folder)
    assert "fixed one/a.py" in done.stderr and "fixed two/b.py" in done.stderr, done.stderr
    assert "neuron-port fix --undo one two/b.py" in done.stderr
    assert all(b"'cuda'" not in data for data in python_files(folder).values())
    assert run("fix", "--undo", "one", "two/b.py", cwd=folder).returncode == 0
    assert python_files(folder) == before
    assert not (folder / ".neuron-port").exists() and not (folder / "one/.neuron-port").exists()


def test_each_project_says_what_may_be_changed_in_it(tmp_path):
    """The nearest configuration counts: its min-torch and what it excludes."""
    keeps = 'min-torch = "1.13"\n'
    files = {"one/setup.py": "", "one/neuron-port.toml": keeps, "one/a.py": TRAIN, "two/setup.py": "", "two/b.py": TRAIN}
    files |= {"two/old/c.py": TRAIN, "two/pyproject.toml": '[tool.neuron-port]\nexclude = ["old/"]\n'}
    folder = project(tmp_path / "work", files)
    done = run("fix", "--unsafe-fixes", "one", "two", cwd=folder)
    assert "fixed two/b.py" in done.stderr and "fixed one/a.py" not in done.stderr, done.stderr
    assert "newer than the promised min-torch 1.13" in done.stderr
    assert (folder / "two/old/c.py").read_text() == TRAIN


def test_arguments_of_one_project_share_its_root(tmp_path):
    folder = project(tmp_path / "work", {"pyproject.toml": "", "pkg/x/a.py": TRAIN, "pkg/y/b.py": TRAIN})
    done = run("fix", "--unsafe-fixes", "pkg/x/a.py", "pkg/y", cwd=folder)
    assert "fixed pkg/x/a.py" in done.stderr and "fixed pkg/y/b.py" in done.stderr, done.stderr
    assert run("fix", "--undo", cwd=folder).returncode == 0


def test_a_link_to_a_file_outside_is_not_written_through(tmp_path):
    outside = project(tmp_path / "outside", {"a.py": TRAIN, "setup.py": ""})
    folder = project(tmp_path / "work", {"setup.py": "", "mine.py": TRAIN})
    (folder / "link.py").symlink_to(outside / "a.py")
    (folder / "sub").symlink_to(outside)
    for arguments in ([], ["link.py"], ["link.py", "mine.py"]):
        done = run("fix", "--unsafe-fixes", *arguments, cwd=folder)
        assert (outside / "a.py").read_text() == TRAIN, done.stderr
        assert (folder / "link.py").is_symlink()
        if "link.py" in arguments:
            assert "a link that leads there" in done.stderr, done.stderr
    assert "'cuda'" not in (folder / "mine.py").read_text()
    assert sorted(p.name for p in outside.iterdir()) == ["a.py", "setup.py"]


def test_a_read_only_file_stays_and_is_named(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN, "b.py": TRAIN})
    (folder / "a.py").chmod(0o444)
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert '"a.py" is read-only' in done.stderr and "fixed b.py" in done.stderr, done.stderr
    assert (folder / "a.py").read_text() == TRAIN


def test_names_say_nothing_to_the_terminal(tmp_path):
    folder = project(tmp_path / "work", {"a\x1b[31m.py": TRAIN, "-x.py": TRAIN, "sp ace.py": TRAIN})
    done = run("fix", "--", "-x.py", "sp ace.py", "a\x1b[31m.py", cwd=folder)
    assert "\x1b" not in done.stderr and "fixed sp ace.py" in done.stderr
    assert "--undo ./-x.py 'sp ace.py' '" in done.stderr, done.stderr
    undone = run("fix", "--undo", cwd=folder)
    assert undone.returncode == 0 and "\x1b" not in undone.stderr


def test_two_fixes_are_two_steps_back(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN, "b.py": TRAIN})
    start = python_files(folder)
    run("fix", cwd=folder)
    middle = python_files(folder)
    run("fix", "--unsafe-fixes", "--allow-dirty", cwd=folder)
    assert start != middle != python_files(folder)
    assert run("fix", "--undo", cwd=folder).returncode == 0
    assert python_files(folder) == middle
    assert run("fix", "--undo", cwd=folder).returncode == 0
    assert python_files(folder) == start
    assert_one_error(run("fix", "--undo", cwd=folder), "no fix to take back")


def test_every_file_edited_since_is_named(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN, "b.py": TRAIN, "c.py": TRAIN})
    run("fix", cwd=folder)
    (folder / "a.py").write_text("mine\n")
    (folder / "c.py").unlink()
    before = python_files(folder)
    done = run("fix", "--undo", cwd=folder)
    assert_one_error(done, '"a.py" was edited')
    assert '"c.py" was removed' in done.stderr and '"b.py"' not in done.stderr
    assert python_files(folder) == before


def test_an_interrupted_fix_has_to_be_taken_back_first(tmp_path):
    """As a kill between two files leaves it: the step is marked as begun, one of two files is new."""
    folder = project(tmp_path / "work", {"a.py": TRAIN, "b.py": TRAIN})
    start = python_files(folder)
    run("fix", cwd=folder)
    new = python_files(folder)
    (folder / ".neuron-port/undo/000001").rename(folder / ".neuron-port/undo/begun")
    (folder / "b.py").write_bytes(start["b.py"])
    assert_one_error(run("fix", cwd=folder), "was interrupted", "neuron-port fix --undo")
    assert python_files(folder) == {"a.py": new["a.py"], "b.py": start["b.py"]}
    assert run("fix", "--undo", cwd=folder).returncode == 0
    assert python_files(folder) == start
    assert "fixed a.py" in run("fix", cwd=folder).stderr


@pytest.mark.parametrize("setting", ["filter.evil.clean", "filter.evil.process", "core.fsmonitor", "core.hooksPath"])
def test_fix_runs_nothing_of_the_repository(tmp_path, setting):
    folder = project(tmp_path / "work", {"a.py": TRAIN, ".gitattributes": "*.py filter=evil\n"})
    git("init", "-q", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-qm", "start", cwd=folder)
    ran, script = tmp_path / "ran", tmp_path / "hooks" / "post-index-change"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\nexec cat\n")
    script.chmod(0o755)
    git("config", setting, str(script.parent if setting.endswith("Path") else script), cwd=folder)
    (folder / "a.py").write_bytes(TRAIN.replace("3", "4").encode())  # of the same size: git has to compare
    ran.unlink(missing_ok=True)
    assert_one_error(run("fix", cwd=folder), "uncommitted changes")
    assert not ran.exists()
    (folder / "a.py").write_bytes(TRAIN.encode())
    assert "fixed a.py" in run("fix", cwd=folder).stderr
    assert not ran.exists()
    (folder / "a.py").write_bytes(TRAIN.encode())
    subprocess.run(["git", "status"], cwd=folder, capture_output=True)
    if setting != "core.hooksPath":
        assert ran.exists(), "the test would not notice"


def test_a_stub_is_left_alone(tmp_path):
    stub = 'import torch\ndef f(x: int, device: str = "cuda") -> torch.Tensor: ...\nclass A:\n    device = torch.device("cuda")\n'
    folder = project(tmp_path / "work", {"a.pyi": stub, "a.py": TRAIN})
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert (folder / "a.pyi").read_text() == stub
    assert "fixed a.py" in done.stderr


def test_reasons_for_what_stays_are_in_text_and_json(tmp_path):
    import json

    code = "import torch\nx = torch.zeros(3).cuda()\ntorch.cuda.synchronize()\n"
    folder = project(tmp_path / "work", {"a.py": code, "neuron-port.toml": 'min-torch = "2.1"\n'})
    done = run("fix", "--unsafe-fixes", "--output-format", "json", cwd=folder)
    assert "newer than the promised min-torch 2.1" in done.stderr and "  a.py:3:1 NPT3" in done.stderr, done.stderr
    notes = [note for f in json.loads(done.stdout)["findings"] for note in f["notes"]]
    assert any(note.startswith("fix not made: needs torch 2.") for note in notes), notes
    (folder / "neuron-port.toml").unlink()
    (folder / "requirements.txt").write_text("torch<2.1\n")
    done = run("fix", "--output-format", "json", cwd=folder)
    assert "the project's pin" in done.stderr and "(--unsafe-fixes)" in done.stderr, done.stderr
    notes = [note for f in json.loads(done.stdout)["findings"] for note in f["notes"]]
    assert any(note.startswith("fix not made: needs torch 2.") and note.endswith("(--unsafe-fixes)") for note in notes), notes

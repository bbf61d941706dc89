"""Accepted findings stay out of the report; lines that move keep them out, new ones come in."""

import json

import pytest
from command import TRAIN, assert_one_error, contents, project, run

NAME = "neuron-port-baseline.json"


@pytest.fixture
def folder(tmp_path):
    made = project(tmp_path / "work", {"pyproject.toml": "", "a.py": TRAIN, "sub/b.py": TRAIN})
    assert run("baseline", "create", cwd=made).returncode == 0
    return made


def entries(folder):
    return json.loads((folder / NAME).read_text())["findings"]


def check(folder, *arguments):
    return run("check", "--baseline", NAME, "--output-format", "concise", *arguments, cwd=folder)


def test_nothing_new(folder):
    done = check(folder)
    assert done.returncode == 0 and done.stdout == "" and "of the baseline left out" in done.stderr
    assert {e["path"] for e in entries(folder)} == {"a.py", "sub/b.py"}


def test_moved_lines_stay_known_and_new_ones_are_reported(folder):
    (folder / "a.py").write_text("# one\n\n# two\n" + TRAIN + "y = torch.ones(2, device='cuda')\n")
    done = check(folder)
    assert done.returncode == 1
    assert [line.split(":")[1] for line in done.stdout.splitlines()] == ["9"]


def test_a_second_equal_line_is_new(folder):
    (folder / "a.py").write_text(TRAIN + "torch.cuda.synchronize()\n")
    assert len(check(folder).stdout.splitlines()) == 1


def test_prune_takes_out_what_is_gone_and_adds_nothing(folder):
    before = len(entries(folder))
    (folder / "a.py").write_text("x = 1\n")
    (folder / "new.py").write_text(TRAIN)
    assert run("baseline", "prune", cwd=folder).returncode == 0
    assert {e["path"] for e in entries(folder)} == {"sub/b.py"} and len(entries(folder)) < before
    assert check(folder).returncode == 1


def test_update_of_one_folder_leaves_the_rest(folder):
    (folder / "sub/b.py").write_text("x = 1\n")
    (folder / "a.py").write_text("x = 1\n")
    assert run("baseline", "update", "sub", cwd=folder).returncode == 0
    assert {e["path"] for e in entries(folder)} == {"a.py"}
    (folder / "sub/c.py").write_text(TRAIN)
    assert run("baseline", "update", cwd=folder).returncode == 0
    assert {e["path"] for e in entries(folder)} == {"sub/c.py"}


def test_create_does_not_overwrite(folder):
    before = contents(folder)
    assert_one_error(run("baseline", "create", cwd=folder), NAME, "update")
    assert contents(folder) == before


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2, "findings": []}', '{"version": 1}', '{"version": 1, "findings": [1]}',
                                  '{"version": 1, "findings": [{"path": "a"}]}', "\0\xff"])
def test_a_file_that_is_no_baseline(folder, text):
    (folder / NAME).write_text(text)
    before = contents(folder)
    for arguments in (["check", "--baseline", NAME], ["baseline", "update"], ["baseline", "prune"]):
        assert_one_error(run(*arguments, cwd=folder), NAME)
    assert contents(folder) == before


def test_missing_files_and_wrong_use(folder):
    assert_one_error(run("check", "--baseline", "none.json", cwd=folder), '"none.json"')
    assert_one_error(run("check", "--fix", "--baseline", NAME, cwd=folder), "--baseline")
    assert_one_error(run("baseline", "create", "--baseline", "no/such/folder.json", cwd=folder), "no/such/folder.json")
    assert_one_error(run("baseline", "crate", cwd=folder), '"create"')

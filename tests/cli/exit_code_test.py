"""Exit codes: 0 nothing at or above the level, 1 findings remain, 2 usage or input; and what changes them."""

import pytest
from command import TRAIN, project, run


@pytest.fixture
def folder(tmp_path):
    return project(tmp_path / "work", {"train.py": TRAIN, "clean/clean.py": "import torch\n\nx = torch.zeros(3)\n"})


def code(folder, *arguments):
    return run("check", *arguments, cwd=folder).returncode


def test_clean_and_not_clean(folder):
    assert code(folder, "clean") == 0
    assert code(folder, "train.py") == 1


@pytest.mark.parametrize("severity", ["error", "warning", "hint"])
def test_fail_on(tmp_path, severity):
    """A report whose worst finding has `severity` fails at that level and below, and passes above."""
    by_severity = {
        "error": "import torch\nx = torch.zeros(3, device='cuda')\n",
        "warning": "import torch\nx = torch.zeros(3).to('cuda:0')\n",
        "hint": "import torch\nx = torch.zeros(3)  # neuron-port: ignore[NPT3001]\n",
    }
    folder = project(tmp_path / "work", {"a.py": by_severity[severity]})
    order = ["hint", "warning", "error"]
    found = run("check", "--output-format", "concise", cwd=folder).stdout
    worst = next(s for s in reversed(order) if f": {s} " in found)
    for level in order:
        expected = 1 if order.index(worst) >= order.index(level) else 0
        assert code(folder, "--fail-on", level) == expected, (worst, level, found)


def test_default_level_is_warning(tmp_path):
    folder = project(tmp_path / "work", {"a.py": "import torch\nx = torch.zeros(3).to('cuda:0')\n"})
    assert code(folder) == 1 and code(folder, "--fail-on", "error") == 0


def test_exit_zero(folder):
    done = run("check", "--exit-zero", "train.py", cwd=folder)
    assert done.returncode == 0 and "NPT3001" in done.stdout


def test_exit_zero_does_not_hide_mistakes(folder):
    assert code(folder, "--exit-zero", "nowhere.py") == 2


def test_select_and_ignore(folder):
    assert code(folder, "--select", "NPT5", "train.py") == 0
    assert code(folder, "--ignore", "NPT3", "train.py") == 0
    shown = run("check", "--select", "NPT3001", "--output-format", "concise", "train.py", cwd=folder).stdout
    assert shown and all(" NPT3001 " in line for line in shown.splitlines())


def test_level_of_the_configuration_and_of_the_command_line(folder):
    project(folder, {"neuron-port.toml": 'select = ["NPT3001"]\nfail-on = "error"\n', "w.py": "import torch\nx = torch.zeros(3).to('cuda:0')\n"})
    assert code(folder, "train.py") == 1
    assert code(folder, "w.py", "--select", "NPT3004") == 0
    assert code(folder, "w.py", "--select", "NPT3004", "--fail-on", "warning") == 1
    assert code(folder, "w.py", "--isolated") == 1


def test_strict_turns_gaps_into_findings(tmp_path):
    folder = project(tmp_path / "work", {"bad.py": "import torch.cuda\ndef f(:\n", "latin.py": b"x = '\xe4'\n", "ok.py": "x = 1\n"})
    assert code(folder) == 0
    done = run("check", "--strict", "--output-format", "concise", cwd=folder)
    assert done.returncode == 1
    assert {line.split(":")[0] for line in done.stdout.splitlines()} == {"bad.py", "latin.py"}


def test_exclude(folder):
    assert code(folder, "--exclude", "train.py", "clean", ".") == 0
    assert code(folder, "--exclude", "train.py", "train.py") == 1
    assert code(folder, "--exclude", "train.py", "--force-exclude", "clean", "train.py") == 0


def test_findings_to_standard_output_everything_else_to_standard_error(folder):
    done = run("check", "train.py", cwd=folder)
    assert "NPT3001" in done.stdout and done.stderr == ""
    fixed = run("fix", "train.py", cwd=folder)
    assert "fixed train.py" in fixed.stderr and "fixed train.py" not in fixed.stdout


def test_help_and_version(folder):
    assert run("--help", cwd=folder).returncode == 0
    for verb in (["check"], ["fix"], ["kernel", "translate"], ["port"], ["run"]):
        done = run(*verb, "--help", cwd=folder)
        assert done.returncode == 0 and done.stdout and done.stderr == "", verb
    by_flag, by_verb = run("--version", cwd=folder), run("version", cwd=folder)
    assert by_flag.stdout == by_verb.stdout and by_flag.stdout.startswith("neuron-port 0.")

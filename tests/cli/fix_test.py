"""fix: what it writes, that a second run changes nothing, that everything can be taken back."""

import ast
import subprocess

import pytest
from command import TRAIN, assert_one_error, contents, git, project, run

FILES = {
    "train.py": TRAIN,
    "crlf.py": b"import torch\r\ndef f():\r\n    return torch.zeros(3, device='cuda')\r\n",
    "bom.py": b"\xef\xbb\xbfimport torch\ndef f():\n    return torch.zeros(3, device='cuda')\n",
    "text.py": "import torch\ndef f():\n    ü = '日本😀'; return torch.zeros(3, device='cuda')  # 日\n",
    "last.py": "import torch\ndef f():\n\treturn torch.zeros(3, device='cuda')",
    "sub/clean.py": "x = 1\n",
    "broken.py": "import torch\ndef f():\n    return torch.zeros(3, device='cuda'\n",
}


@pytest.fixture
def folder(tmp_path):
    return project(tmp_path / "work", FILES)


def sources(folder):
    return {name: data for name, data in contents(folder).items() if name.endswith(".py")}


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]])
def test_second_run_changes_nothing(folder, options):
    before = sources(folder)
    assert run("fix", *options, cwd=folder).returncode in (0, 1)
    once = sources(folder)
    assert once != before
    second = run("fix", *options, cwd=folder)
    assert "nothing to fix" in second.stderr
    assert sources(folder) == once


def test_only_what_the_fix_is_about_changes(folder):
    run("fix", cwd=folder)
    after = sources(folder)
    assert after["sub/clean.py"] == FILES["sub/clean.py"].encode()
    assert after["broken.py"] == FILES["broken.py"].encode()
    assert after["crlf.py"].count(b"\r\n") == 3 and after["crlf.py"].count(b"\n") == 3
    assert after["bom.py"].startswith(b"\xef\xbb\xbfimport torch\n")
    assert "ü = '日本😀'; return ".encode() in after["text.py"] and after["text.py"].endswith("  # 日\n".encode())
    assert not after["last.py"].endswith(b"\n")
    for name, data in after.items():
        if name != "broken.py":
            ast.parse(data)
    assert all(b"device='cuda'" not in after[name] for name in ("crlf.py", "bom.py", "text.py", "last.py"))


def test_check_fix_is_fix(tmp_path):
    one, two = (project(tmp_path / name, FILES) for name in ("one", "two"))
    run("check", "--fix", cwd=one)
    run("fix", cwd=two)
    assert sources(one) == sources(two) != sources(project(tmp_path / "three", FILES))


def test_fixed_code_runs_as_before(tmp_path):
    """On a machine with neither CUDA nor Neuron: a choice of the CPU stays a choice of the CPU."""
    import sys

    code = "import torch\nd = 'cuda' if torch.cuda.is_available() else 'cpu'\nprint(torch.zeros(2, device=d).device)\n"
    folder = project(tmp_path / "work", {"a.py": code})
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert "fixed a.py" in done.stderr and (folder / "a.py").read_text() != code
    shown = subprocess.run([sys.executable, "a.py"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert shown.stdout == "cpu\n", shown.stderr


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]])
def test_diff_writes_nothing_and_applies_with_patch(folder, options):
    before = contents(folder)
    done = run("fix", "--diff", *options, cwd=folder, text=False)
    assert done.returncode == 1 and contents(folder) == before
    patched = subprocess.run(["patch", "-p1", "--binary", "--fuzz=0"], cwd=folder, input=done.stdout, capture_output=True)
    assert patched.returncode == 0, patched.stdout
    by_patch = sources(folder)
    for name, data in FILES.items():
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    run("fix", *options, cwd=folder)
    assert sources(folder) == by_patch


def test_diff_of_nothing_is_empty(tmp_path):
    folder = project(tmp_path / "work", {"a.py": "x = 1\n"})
    done = run("fix", "--diff", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]])
def test_undo_restores_every_byte(folder, options):
    (folder / "train.py").chmod(0o755)
    before = contents(folder)
    run("fix", *options, cwd=folder)
    assert sources(folder) != {k: v for k, v in before.items() if k.endswith(".py")}
    assert (folder / "train.py").stat().st_mode & 0o777 == 0o755
    done = run("fix", "--undo", cwd=folder)
    assert done.returncode == 0 and "restored train.py" in done.stderr
    assert sources(folder) == {k: v for k, v in before.items() if k.endswith(".py")}
    assert (folder / "train.py").stat().st_mode & 0o777 == 0o755
    assert_one_error(run("fix", "--undo", cwd=folder), "no fix to take back")


def test_undo_does_not_overwrite_later_work(folder):
    run("fix", cwd=folder)
    (folder / "train.py").write_text("# written by hand since\n")
    before = sources(folder)
    assert_one_error(run("fix", "--undo", cwd=folder), '"train.py"', "edited since")
    assert sources(folder) == before


def test_uncommitted_changes(folder):
    git("init", "-q", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-qm", "start", cwd=folder)
    (folder / "sub/clean.py").write_text("x = 2\n")
    before = sources(folder)
    assert_one_error(run("fix", cwd=folder), "uncommitted changes", "--allow-dirty")
    assert sources(folder) == before
    assert run("fix", "--diff", cwd=folder).returncode == 1
    assert "fixed train.py" in run("fix", "--allow-dirty", cwd=folder).stderr


def test_clean_work_tree_stays_clean_but_for_the_fixes(folder):
    git("init", "-q", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-qm", "start", cwd=folder)
    run("fix", cwd=folder)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True, text=True).stdout
    assert status and all(line.startswith(" M ") for line in status.splitlines()), status


def test_summary_says_what_changed_what_stayed_and_what_next(folder):
    done = run("fix", cwd=folder)
    assert "fixed train.py (" in done.stderr and "stayed: " in done.stderr
    assert "needs torch 2." in done.stderr and "test with: " in done.stderr and "--undo" in done.stderr


def test_named_files_only(folder):
    run("fix", "train.py", cwd=folder)
    after = sources(folder)
    changed = {name for name, data in FILES.items() if after[name] != (data if isinstance(data, bytes) else data.encode())}
    assert changed == {"train.py"}


def test_links_to_files_stay_links(tmp_path):
    """A file with two names is read, reported and fixed once."""
    folder = project(tmp_path / "work", {"real/a.py": TRAIN})
    (folder / "link.py").symlink_to("real/a.py")
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert done.returncode == 0 and "fixed real/a.py" in done.stderr and "link.py" not in done.stderr, done.stderr
    assert (folder / "link.py").is_symlink()
    assert "'cuda'" not in (folder / "real/a.py").read_text()


def test_text_that_looks_like_a_suppression_is_kept(folder):
    path = folder / "strings.py"
    path.write_text("import torch\ns = 'x # neuron-port: ignore[NPT3001]'\n")
    before = path.read_bytes()
    run("fix", "--unsafe-fixes", "--allow-dirty", "strings.py", cwd=folder)
    assert path.read_bytes() == before

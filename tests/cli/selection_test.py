"""What is looked at and what is reported: suppressions, --since, standard input, ignore files."""

import pytest
from command import TRAIN, assert_one_error, git, project, report, run

LINE = "x = torch.zeros(3, device='cuda')"


def rules(found):
    return [(f["path"], f["range"]["start"]["line"], f["rule"]) for f in found["findings"]]


@pytest.mark.parametrize(
    "text",
    [
        f"import torch\n{LINE}  # neuron-port: ignore[NPT3001] kept on purpose\n",
        f"import torch\n{LINE}  # neuron-port: ignore[NPT3]\n",
        f"import torch\n# neuron-port: ignore[NPT3001]\n{LINE}\n",
        f"import torch\n{LINE}  # noqa: NPT3001\n",
        f"import torch\n{LINE}  # noqa: E501, NPT3001\n",
        f"# neuron-port: file-ignore[NPT3001]\nimport torch\n{LINE}\n",
        f"import torch\n# neuron-port: off[NPT3001]\n{LINE}\n# neuron-port: on[NPT3001]\n",
    ],
)
def test_suppressed(tmp_path, text):
    folder = project(tmp_path / "work", {"a.py": text})
    found = report(cwd=folder)
    assert found["findings"] == [] and found["coverage"]["suppressed"] == 1


@pytest.mark.parametrize(
    "text",
    [
        f"import torch\n{LINE}  # neuron-port: ignore[NPT3004]\n",
        f"import torch\n{LINE}  # noqa: E501\n",
        f"import torch\n# neuron-port: off[NPT3001]\n# neuron-port: on[NPT3001]\n{LINE}\n",
        f"import torch\n# neuron-port: ignore[NPT3001]\n\n{LINE}\n",
    ],
)
def test_not_suppressed(tmp_path, text):
    folder = project(tmp_path / "work", {"a.py": text})
    assert "NPT3001" in [rule for _, _, rule in rules(report(cwd=folder))]


def test_unused_suppressions_are_findings(tmp_path):
    folder = project(tmp_path / "work", {"a.py": "x = 1  # neuron-port: ignore[NPT3001]\ny = 2  # noqa: NPT3001\n"})
    assert rules(report(cwd=folder)) == [("a.py", 1, "NPT0002")]


def test_suppressed_findings_are_not_fixed(tmp_path):
    text = f"import torch\n{LINE}  # neuron-port: ignore[NPT3001]\n"
    folder = project(tmp_path / "work", {"a.py": text})
    run("fix", "--unsafe-fixes", cwd=folder)
    assert (folder / "a.py").read_text() == text


def test_since(tmp_path):
    folder = project(tmp_path / "work", {"old.py": TRAIN, "sub/changed.py": TRAIN, "other.py": TRAIN})
    git("init", "-q", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-qm", "start", cwd=folder)
    assert run("check", "--since", "HEAD", cwd=folder).returncode == 0
    (folder / "sub/changed.py").write_text(TRAIN + "\n")
    found = report("--since", "HEAD", cwd=folder)
    assert found["findings"] and {f["path"] for f in found["findings"]} == {"sub/changed.py"}
    assert found["coverage"]["files"] == 1
    git("commit", "-qam", "second", cwd=folder)
    assert report("--since", "HEAD~1", cwd=folder)["coverage"]["files"] == 1
    assert report("--since", "HEAD~1", ".", cwd=folder / "sub")["coverage"]["files"] == 1
    assert_one_error(run("check", "--since", "nothing", cwd=folder), '"nothing"')


def test_standard_input(tmp_path):
    folder = project(tmp_path / "work", {})
    done = run("check", "-", "--output-format", "concise", cwd=folder, input=TRAIN)
    assert done.returncode == 1 and " NPT3001 " in done.stdout
    assert run("check", "-", cwd=folder, input="x = 1\n").returncode == 0
    diff = run("check", "--diff", "-", cwd=folder, input=TRAIN)
    assert diff.returncode == 1 and diff.stdout.startswith("--- a/") and "+" in diff.stdout
    assert list(folder.iterdir()) == []


def test_standard_input_that_is_no_text(tmp_path):
    folder = project(tmp_path / "work", {})
    done = run("check", "-", cwd=folder, input=b"x = '\xe4'\n", text=False)
    assert done.returncode == 2 and b"UTF-8" in done.stderr and done.stdout == b""
    assert run("check", "-", cwd=folder, input="").returncode == 0


def test_ignored_and_left_out_folders(tmp_path):
    files = {".gitignore": "generated/\n*.tmp.py\n!keep.tmp.py\n", "generated/a.py": TRAIN, "b.tmp.py": TRAIN, "keep.tmp.py": TRAIN}
    files |= {f"{name}/a.py": TRAIN for name in (".venv", "node_modules", "__pycache__", ".git", "build", "dist")}
    folder = project(tmp_path / "work", files | {"a.py": TRAIN})
    assert {f["path"] for f in report(cwd=folder)["findings"]} == {"a.py", "keep.tmp.py"}
    assert report("generated/a.py", cwd=folder)["coverage"]["files"] == 1


def test_paths_are_relative_to_the_project_root(tmp_path):
    folder = project(tmp_path / "work", {"pyproject.toml": "", "pkg/sub/a.py": TRAIN})
    for where, arguments in ((folder, []), (folder / "pkg", ["sub"]), (folder / "pkg/sub", ["a.py"]), (tmp_path, ["work/pkg"])):
        assert {f["path"] for f in report(*arguments, cwd=where)["findings"]} == {"pkg/sub/a.py"}


def test_the_same_file_named_twice_is_read_once(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN})
    (folder / "loop").symlink_to(".")
    assert report("a.py", "./a.py", ".", cwd=folder)["coverage"]["files"] == 1


def test_target_neuron(tmp_path):
    folder = project(tmp_path / "work", {"a.py": f"import torch\n{LINE}\n"})
    run("fix", "--unsafe-fixes", "--target", "neuron", cwd=folder)
    assert "neuron" in (folder / "a.py").read_text()

"""Suppressions count in comments only, and fix takes away those that keep nothing from being reported."""

import json

from command import contents, project, report, run

CUDA = "torch.zeros(3, device='cuda')"


def fixed(folder, name, *options):
    done = run("fix", *options, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    return (folder / name).read_bytes()


def test_a_string_suppresses_nothing(tmp_path):
    code = f"import torch\nx = {CUDA}, '# neuron-port: ignore[NPT3001]'\ny = '''\n# neuron-port: file-ignore\n'''\n"
    folder = project(tmp_path / "work", {"a.py": code, "b.cu": 'const char* s = "// neuron-port: ignore";\n'})
    found = report(cwd=folder)
    assert [f["rule"] for f in found["findings"] if f["path"] == "a.py"] == ["NPT3001"]
    assert not [f for f in found["findings"] if f["rule"] == "NPT0002"]
    assert found["coverage"]["suppressed"] == 0
    run("fix", "--unsafe-fixes", cwd=folder)
    after = (folder / "a.py").read_text()
    assert "'# neuron-port: ignore[NPT3001]'\ny = '''\n# neuron-port: file-ignore\n'''\n" in after


def test_unused_ones_are_removed_with_their_reason(tmp_path):
    files = {
        "a.py": b"import torch\nx = 1  # neuron-port: ignore[NPT3001] because\n# neuron-port: file-ignore[NPT4]\ny = 2\n",
        "crlf.py": b"x = 1  # neuron-port: ignore\r\n    # neuron-port: off[NPT3]\r\ny = 2\r\n",
        "cr.py": b"# neuron-port: ignore\ry = 2\r",
        "bom.py": b"\xef\xbb\xbf# neuron-port: ignore\ny = 2\n",
        "last.py": b"x = 1 # neuron-port: ignore",
        "other.py": b"x = 1  # type: ignore # neuron-port: ignore[NPT3001] # pylint: disable=all\n",
        "noqa.py": b"x = 1  # noqa: NPT3001\n",
        "used.py": b"import torch\nx = torch.zeros(3, device='cuda')  # neuron-port: ignore[NPT3001]\n",
        "k.cu": b"int a;  // neuron-port: ignore[NPT1003] why\n// neuron-port: file-ignore\nint b; /* neuron-port: ignore */\n",
        "requirements.txt": b"numpy  # neuron-port: ignore\n",
    }
    folder = project(tmp_path / "work", files)
    assert sum(f["rule"] == "NPT0002" for f in report(cwd=folder)["findings"]) >= 8
    run("fix", cwd=folder)
    after = {name: data for name, data in contents(folder).items() if name in files}
    assert after == {
        "a.py": b"import torch\nx = 1\ny = 2\n",
        "crlf.py": b"x = 1\r\ny = 2\r\n",
        "cr.py": b"y = 2\r",
        "bom.py": b"\xef\xbb\xbfy = 2\n",
        "last.py": b"x = 1",
        "other.py": b"x = 1  # type: ignore # pylint: disable=all\n",
        "noqa.py": files["noqa.py"],
        "used.py": files["used.py"],
        "k.cu": b"int a;\nint b; /* neuron-port: ignore */\n",
        "requirements.txt": files["requirements.txt"],
    }


def test_one_for_a_rule_that_is_not_selected_is_not_unused(tmp_path):
    code = f"import torch\nx = {CUDA}  # neuron-port: ignore[NPT3001]\n"
    folder = project(tmp_path / "work", {"a.py": code})
    assert fixed(folder, "a.py", "--ignore", "NPT3001") == code.encode()
    assert fixed(folder, "a.py", "--select", "NPT0002") == code.encode()


def test_a_file_that_was_not_read_whole_keeps_its_suppressions(tmp_path):
    code = "import torch\ndef f(:\n    x = 1  # neuron-port: ignore[NPT3001]\n"
    folder = project(tmp_path / "work", {"a.py": code, "ok.py": "x = 1\n"})
    assert fixed(folder, "a.py") == code.encode()


def test_half_a_flow_is_not_fixed(tmp_path):
    """What compares a device with "cuda" keeps doing so where the device itself has to stay."""
    use = 'x = torch.zeros(3, device=DEVICE)\nif DEVICE == "cuda":\n    print(1)\n'
    kept = f'import torch\nDEVICE = "cuda"  # neuron-port: ignore[NPT3001]\n{use}'
    plain = kept.replace("  # neuron-port: ignore[NPT3001]", "")
    folder = project(tmp_path / "work", {"a.py": kept, "b.py": plain})
    assert fixed(folder, "a.py", "--unsafe-fixes") == kept.encode()
    assert "finding: belongs to a device flow with a place that is suppressed" in run("fix", "--allow-dirty", "a.py", cwd=folder).stderr
    assert b'"cuda":' not in fixed(folder, "b.py", "--unsafe-fixes")
    (folder / "b.py").write_text(plain)
    assert fixed(folder, "b.py", "--unsafe-fixes", "--select", "NPT3005") == plain.encode()
    assert fixed(folder, "b.py", "--unsafe-fixes", "--ignore", "NPT3005") == plain.encode()
    notes = [note for f in report("--select", "NPT3005", cwd=folder)["findings"] for note in f["notes"]]
    assert notes.count("belongs to a device flow with a place that is suppressed or not selected") == 2


def notebook(*cells):
    return json.dumps(
        {
            "cells": [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source} for source in cells],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
    )


def test_in_a_notebook_a_line_is_a_line_of_code(tmp_path):
    """Also when the whole cell is one string, which is one line of the JSON."""
    text = notebook(
        f"import torch\na = {CUDA}  # neuron-port: ignore[NPT3001]\nb = {CUDA}\ns = '# neuron-port: ignore'",
        ["x = 1  # neuron-port: ignore\n", "# neuron-port: off\n", "y = 1"],
        ["z = 1\n", "# neuron-port: ignore"],
    )
    folder = project(tmp_path / "work", {"n.ipynb": text})
    found = report(cwd=folder)
    assert sorted(f["rule"] for f in found["findings"]) == ["NPT0002"] * 3 + ["NPT3001"]
    assert found["coverage"]["suppressed"] == 1
    after = json.loads(fixed(folder, "n.ipynb", "--unsafe-fixes"))
    sources = [cell["source"] for cell in after["cells"]]
    assert f"a = {CUDA}  # neuron-port: ignore[NPT3001]\n" in sources[0] and f"b = {CUDA}" not in sources[0]
    assert "".join(sources[1]) == "x = 1\ny = 1"
    assert "".join(sources[2]) == "z = 1\n"
    assert report(cwd=folder)["findings"] == []

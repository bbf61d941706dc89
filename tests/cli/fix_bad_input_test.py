"""Files that are no sources: they are named, keep every byte, and the rest goes on."""

import json
import os
import socket
import threading

import pytest
from command import TRAIN, contents, project, report, run

NEST = 100_000
BAD = {
    "binary": ("b.py", bytes(range(256)) * 40),
    "elf": ("e.py", b"\x7fELF\x02\x01\x01" + b"\x00" * 500 + b"torch.cuda"),
    "utf-16": ("u.py", TRAIN.encode("utf-16")),
    "utf-32": ("u.py", TRAIN.encode("utf-32")),
    "latin-1": ("l.py", b"# \xe4\n" + TRAIN.encode()),
    "nul": ("n.py", TRAIN.encode() + b"x = '\x00'\n"),
    "not a notebook": ("n.ipynb", b'{"torch": "device=\'cuda\'"}'),
    "a list": ("n.ipynb", b'["torch.cuda"]'),
    "cut notebook": ("n.ipynb", b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["torch.zeros(3, device=\'cuda\')'),
    "old notebook": ("n.ipynb", b'{"nbformat": 3, "worksheets": []}'),
    "deep json": ("n.ipynb", b'{"nbformat": 4, "cells": ' + b"[" * NEST),
    "empty notebook": ("n.ipynb", b""),
}


@pytest.mark.parametrize("kind", BAD)
def test_is_named_and_kept(tmp_path, kind):
    name, data = BAD[kind]
    folder = project(tmp_path / "work", {name: data, "good.py": TRAIN})
    coverage = report(cwd=folder)["coverage"]
    assert coverage["files"] == 2 and [entry["path"] for entry in coverage["skipped"]] == [name], coverage
    assert coverage["skipped"][0]["reason"]
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert done.returncode in (0, 1) and "fixed good.py" in done.stderr, done.stderr
    assert (folder / name).read_bytes() == data
    strict = report("--strict", cwd=folder)
    assert [f["path"] for f in strict["findings"] if f["rule"] == "NPT0001"] == [name]


DEEP = {
    "brackets": "x = " + "(" * NEST + "1" + ")" * NEST + "\n",
    "open brackets": "x = " + "[" * NEST + "\n",
    "calls": "x = " + "f(" * NEST + ")" * NEST + "\n",
    "attributes": "x = torch" + ".a" * NEST + "\n",
    "not": "x = " + "not " * NEST + "y\n",
    "sum": "x = " + "a + " * NEST + "b\n",
    "lambdas": "x = " + "lambda: " * NEST + "0\n",
    "cuda calls": "x = y" + ".cuda()" * 3000 + "\n",
    "elif": "if a:\n    pass\n" + "elif b:\n    pass\n" * 20_000,
    "blocks": "".join(" " * i + "if a:\n" for i in range(300)) + " " * 300 + "torch.zeros(3).cuda()\n",
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_ends(tmp_path, kind):
    folder = project(tmp_path / "work", {"deep.py": "import torch\n" + DEEP[kind], "good.py": TRAIN})
    coverage = report(cwd=folder)["coverage"]
    assert coverage["files"] == 2 and coverage["analysed"] + coverage["partial"] + len(coverage["skipped"]) == 2
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert done.returncode in (0, 1) and "fixed good.py" in done.stderr, done.stderr
    if "cuda" not in DEEP[kind]:
        assert (folder / "deep.py").read_text() == "import torch\n" + DEEP[kind]
    else:
        assert "nothing to fix" in run("fix", "--unsafe-fixes", cwd=folder).stderr


LINE_ENDS = {
    "bom": b"\xef\xbb\xbf" + TRAIN.encode(),
    "bom alone": b"\xef\xbb\xbf",
    "crlf": TRAIN.encode().replace(b"\n", b"\r\n"),
    "lone cr": TRAIN.encode().replace(b"\n", b"\r"),
    "mixed": TRAIN.encode().replace(b"\n", b"\r\n", 2).replace(b")\n", b")\r", 1),
    "form feed": TRAIN.encode().replace(b"\n", b"\n\x0c\n", 1),
    "no end": TRAIN.encode().rstrip(b"\n"),
}


@pytest.mark.parametrize("kind", LINE_ENDS)
def test_line_ends_and_marks_are_kept(tmp_path, kind):
    """The fixed text is that of the plain file, but for what was different before."""
    data = LINE_ENDS[kind]
    folder = project(tmp_path / "work", {"a.py": data, "plain.py": TRAIN})
    assert report(cwd=folder)["coverage"]["analysed"] == 2
    run("fix", "--unsafe-fixes", cwd=folder)
    after, plain = (folder / "a.py").read_bytes(), (folder / "plain.py").read_bytes()
    for mark in (b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\x0c"):
        assert after.count(mark) == data.count(mark), kind
    if kind != "bom alone":
        bare = after.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\x0c\n", b"")
        assert bare.rstrip(b"\n") == plain.rstrip(b"\n")


def test_links_pipes_sockets_and_folders(tmp_path):
    folder = project(tmp_path / "work", {"good.py": TRAIN, "dir.py/inner.py": TRAIN})
    (folder / "loop").symlink_to(".")
    (folder / "up").symlink_to("..")
    (folder / "a.py").symlink_to("b.py")
    (folder / "b.py").symlink_to("a.py")
    (folder / "gone.py").symlink_to("nowhere.py")
    (folder / "self.py").symlink_to("self.py")
    os.mkfifo(folder / "pipe.py")
    here = os.getcwd()
    os.chdir(folder)  # a socket's path may not be long
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.bind("socket.py")
    finally:
        os.chdir(here)
    coverage = report(cwd=folder)["coverage"]
    assert coverage["analysed"] == 2
    assert {"a.py", "b.py", "gone.py", "self.py"} <= {entry["path"] for entry in coverage["skipped"]}
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert "fixed good.py" in done.stderr and "fixed dir.py/inner.py" in done.stderr, done.stderr
    assert all((folder / name).is_symlink() for name in ("a.py", "b.py", "gone.py", "self.py", "loop", "up"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_and_folder(tmp_path):
    folder = project(tmp_path / "work", {"good.py": TRAIN, "secret.py": TRAIN, "closed/a.py": TRAIN})
    (folder / "secret.py").chmod(0)
    (folder / "closed").chmod(0)
    try:
        skipped = {entry["path"] for entry in report(cwd=folder)["coverage"]["skipped"]}
        assert {"secret.py", "closed"} <= skipped
        assert "fixed good.py" in run("fix", "--unsafe-fixes", cwd=folder).stderr
    finally:
        (folder / "closed").chmod(0o755)


def test_a_tree_that_changes_meanwhile(tmp_path):
    """Nothing that somebody else wrote is lost, no file is half one text and half the other."""
    one, two = TRAIN, TRAIN.replace("3", "44") + "\n" * 500
    folder = project(tmp_path / "plain", {"one.py": one, "two.py": two})
    run("fix", "--unsafe-fixes", cwd=folder)
    known = {one, two, (folder / "one.py").read_text(), (folder / "two.py").read_text()}
    assert len(known) == 4
    folder = project(tmp_path / "work", {f"f{i}.py": one for i in range(40)})
    stop = threading.Event()

    def change():
        i = 0
        while not stop.is_set():
            i += 1
            path, new = folder / f"f{i % 10}.py", folder / "writing.txt"
            new.write_text(two if i % 3 else one)
            os.replace(new, path)
            if i % 7 == 0:
                (folder / f"f{i % 20 + 10}.py").unlink(missing_ok=True)
            (folder / f"new{i % 5}.py").write_bytes(one.encode())

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(12):
            done = run("fix", "--unsafe-fixes", cwd=folder)
            assert done.returncode in (0, 1) or "changed while it was being" in done.stderr or "nothing was changed" in done.stderr, done.stderr
    finally:
        stop.set()
        thread.join()
    (folder / "writing.txt").unlink(missing_ok=True)
    texts = {name: data.decode() for name, data in contents(folder).items() if name.endswith(".py")}
    assert not {name for name, text in texts.items() if text not in known and not (name.startswith("new") and one.startswith(text))}
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    assert "nothing to fix" in run("fix", "--unsafe-fixes", cwd=folder).stderr
    assert not [p for p in folder.rglob(".neuron-port-*")]


def test_outputs_and_layout_of_a_notebook_are_kept(tmp_path):
    """Whatever the indentation, the key order and the escapes: only the bytes of the edit change."""
    text = (
        '{\n  "nbformat":4, "cells" :[ {"outputs": [{"text": ["x.cuda()\\n", "\\u00e9\\ud83d\\ude00"]}],\n'
        '\t"cell_type":"code","source": ["import torch\\n",\n "m = \\"caf\\u00e9 \\/ \\ud83d\\ude00\\"; x = torch.zeros(3, device=\\"cuda\\")\\n", "%matplotlib inline"],\n'
        '  "metadata":{"z": 1e5, "a": 1.0}, "execution_count": 3}\r\n ],  "metadata": {}}\n\n'
    )
    folder = project(tmp_path / "work", {"n.ipynb": text})
    run("fix", "--unsafe-fixes", cwd=folder)
    after = (folder / "n.ipynb").read_bytes().decode()
    start, end = text.index('\\"cuda\\"'), text.index('\\"cuda\\"') + len('\\"cuda\\"')
    assert after != text and after.startswith(text[:start]) and after.endswith(text[end:])
    assert "accelerator" in json.loads(after)["cells"][0]["source"][1]

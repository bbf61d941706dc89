"""fix in notebooks: the cells that are Python, as IPython runs them, and not a byte beside the edit."""

import ast
import json

import pytest
from command import project, report, run

CUDA = "torch.zeros(3, device='cuda')"
CELLS = {
    "plain": ["import torch\n", f"x = {CUDA}"],
    "time": ["%%time\n", f"x = {CUDA}\n"],
    "stacked": ["%%capture out\n", "%%time\n", f"x = {CUDA}"],
    "timeit": ["%%timeit -n 1 -r 1\n", f"{CUDA}\n"],
    "line magic": [f"%time x = {CUDA}\n", "%matplotlib inline\n", "!nvidia-smi --query-gpu=name\n"],
    "shell result": ["files = !ls *.pt\n", f"x = {CUDA}\n", "print('why?')  # or not?\n", "torch.nn?\n", f"y = {CUDA}"],
    "operator at a line's start": ["print('%d %d'\n", "      % (1,\n", f"         {CUDA}))\n", "!echo 'x.cuda()'\n"],
    "magic in a block": ["for i in range(2):\n", "    !echo $i\n", "if x is None:\n", f"    x = {CUDA}\n"],
    "over several lines": ["d = ('cuda'\n", "     if torch.cuda.is_available()\n", f"     else 'cpu')\n", f"x = {CUDA}"],
    "one string": f"%%time\ny = {CUDA}\n",
}
KEPT = {
    "shell": ["%%bash\n", f"python -c \"import torch; {CUDA}\"\n"],
    "file": ["%%writefile a.py\n", f"x = {CUDA}\n"],
    "unended": [f"f({CUDA},\n"],
    "text in a string": ["s = '''\n", "!torch.cuda\n", "%torch.zeros(3).cuda()\n", "'''\n"],
}


def notebook(cells, **layout):
    made = []
    for kind, source in cells.items():
        made.append({"cell_type": "code", "execution_count": 1, "metadata": {"tags": [kind]}, "outputs": [{"output_type": "stream", "text": [CUDA, "é\u2028😀"]}], "source": source})
    made.append({"cell_type": "markdown", "metadata": {}, "source": f"`{CUDA}`"})
    return json.dumps({"cells": made, "metadata": {"kernelspec": {"language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}, **layout)


@pytest.mark.parametrize("layout", [{}, {"indent": 1}, {"indent": 4, "ensure_ascii": False}, {"sort_keys": True, "separators": (",", ":")}])
def test_python_cells_are_fixed_and_others_kept(tmp_path, layout):
    text = notebook({**CELLS, **KEPT}, **layout)
    folder = project(tmp_path / "work", {"n.ipynb": text})
    coverage = report(cwd=folder)["coverage"]
    assert coverage["partial"] == 1 and "does not end in its code cell" in coverage["partial_files"][0]["reason"]
    done = run("fix", "--unsafe-fixes", cwd=folder)
    assert done.returncode in (0, 1) and "fixed n.ipynb" in done.stderr, done.stderr
    after = (folder / "n.ipynb").read_text()
    old, new = json.loads(text), json.loads(after)
    for number, cell in enumerate(new["cells"]):
        kind = cell["metadata"].get("tags", ["markdown"])[0]
        source, before = "".join(cell["source"]), "".join(old["cells"][number]["source"])
        if kind in CELLS:
            assert CUDA not in source and source.count("current_accelerator") == before.count(CUDA) + before.count("if torch.cuda"), kind
        else:
            assert source == before, kind
        cell["source"] = old["cells"][number]["source"]
    assert new == old
    assert "nothing to fix" in run("fix", "--unsafe-fixes", cwd=folder).stderr
    run("fix", "--undo", cwd=folder)
    assert (folder / "n.ipynb").read_text() == text


def test_the_plain_cells_are_python_afterwards(tmp_path):
    folder = project(tmp_path / "work", {"n.ipynb": notebook({k: CELLS[k] for k in ("plain",)})})
    run("fix", "--unsafe-fixes", cwd=folder)
    for cell in json.loads((folder / "n.ipynb").read_text())["cells"][:-1]:
        ast.parse("".join(cell["source"]))


def test_a_fix_that_a_notebook_cannot_take_is_said(tmp_path):
    """The import would need a cell of its own."""
    folder = project(tmp_path / "work", {"n.ipynb": notebook({"a": ["from torch import nn\n", "m = nn.Linear(2, 2).cuda()\n"]})})
    done = run("check", "--output-format", "json", cwd=folder)
    notes = [note for f in json.loads(done.stdout)["findings"] for note in f["notes"]]
    assert any("in a notebook that is by hand" in note for note in notes), notes

"""Fixes that are right in one file and wrong for another of the project."""

from command import project, run

NET = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.zeros(2, device="cuda")


START = torch.zeros(2, device="cuda")
"""
COMPAT = """import torch
from torch.cuda import synchronize
import torch.cuda as tc
import torch.cuda.nvtx as marks
"""


def test_functions_that_torchscript_may_compile_are_not_changed_by_safe_fixes(tmp_path):
    alone = project(tmp_path / "alone", {"net.py": NET})
    assert run("fix", ".", cwd=alone).returncode in (0, 1)
    assert 'zeros(2, device="cuda")\n\n\nSTART' not in (alone / "net.py").read_text()
    scripted = project(tmp_path / "scripted", {"net.py": NET, "export.py": "import torch\nfrom net import Net\ntorch.jit.script(Net()).save('n.pt')\n"})
    done = run("fix", ".", cwd=scripted)
    assert done.returncode in (0, 1), done.stderr
    assert 'return x + torch.zeros(2, device="cuda")' in (scripted / "net.py").read_text()
    assert "TorchScript" in run("check", ".", "--output-format", "json", "--exit-zero", cwd=scripted).stdout


def test_imports_that_other_files_take_are_not_removed(tmp_path):
    folder = project(tmp_path / "work", {"compat.py": COMPAT, "use.py": "from compat import synchronize, tc\nsynchronize()\ntc.synchronize()\n"})
    done = run("fix", "--unsafe-fixes", ".", cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    text = (folder / "compat.py").read_text()
    assert "import synchronize" in text and "as tc" in text
    assert "nvtx" not in text

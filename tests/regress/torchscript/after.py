# TorchScript knows no torch.accelerator: what it compiles stays as it is.
import torch
from torch import nn


@torch.jit.script
def scripted(n: int):
    return torch.zeros(n, device="cuda")


def passed(n: int):
    return torch.zeros(n, device="cuda")


def plain(n: int):
    return torch.zeros(n, device=torch.accelerator.current_accelerator(check_available=True))


class Layer(nn.Module):
    def forward(self, x):
        return x + torch.ones(1, device="cuda")


compiled = torch.jit.script(passed)
layer = torch.jit.script(Layer())

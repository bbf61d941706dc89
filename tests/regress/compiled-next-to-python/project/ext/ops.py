import torch
from . import _C  # hint: NPT3203
from .names import _D as _C2


def scale(x: torch.Tensor):
    return _C2.scale(_C.scale(x))  # hint: NPT3205 see whether

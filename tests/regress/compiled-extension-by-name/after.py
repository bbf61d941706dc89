# Calls into a compiled extension keep their guard shut, however it is imported.
import torch

from . import cuda as _C


def scan(x):
    if x.is_cuda:
        return _C.scan(x)
    return torch.cumsum(x, 0)

# What follows the early exit launches kernels, here or in a function of this file.
import torch

from .kernels import norm_kernel


def norm(x):
    if x.device.type != "cuda":
        return torch.nn.functional.normalize(x)
    y = torch.empty_like(x)
    norm_kernel[(x.shape[0],)](x, y)
    return y

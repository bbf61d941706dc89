# The file holds Triton kernels; which function launches them is not followed.
import torch

from .compat import tl, triton


@triton.jit
def scale_kernel(x, n: tl.constexpr):
    pass


def scale(x):
    if x.device.type != "cuda":
        raise ValueError("on the device, please")
    return launch(x)


def launch(x):
    scale_kernel[(1,)](x, 1)
    return x

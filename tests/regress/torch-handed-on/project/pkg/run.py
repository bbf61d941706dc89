from .kernels import scale
from .compat import triton

HANDLERS = {0: print}


def run(x, n, key):
    grid = (triton.cdiv(n, 64),)  # warning: NPT3205 plain arithmetic
    scale[grid](x, BLOCK=64)  # warning: NPT3205 launches
    HANDLERS[key](n)

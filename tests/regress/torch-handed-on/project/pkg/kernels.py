from pkg.compat import tl, triton


@triton.jit  # error: NPT3202
def scale(x, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x + offsets, tl.load(x + offsets) * 2)

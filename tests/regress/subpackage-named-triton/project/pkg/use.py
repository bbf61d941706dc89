from pkg.triton.ops import blocks
from .triton import ops

print(blocks(9), ops)

try:
    import torch
except ImportError:
    torch = None
try:
    import triton  # hint: NPT3201
    import triton.language as tl  # hint: NPT3201
except ImportError:
    triton = tl = None

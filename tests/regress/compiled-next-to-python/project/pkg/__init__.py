try:
    from pkg import mask_cuda  # hint: NPT3203
except ImportError:
    mask_cuda = None

from .moving import to_cuda

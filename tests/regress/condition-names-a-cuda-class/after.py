# The condition asks for more than a device.
import torch

from .builder import CUDABuilder


def flags(builder):
    if torch.cuda.is_available() and isinstance(builder, CUDABuilder):
        return [torch.accelerator.device_count()]
    return []

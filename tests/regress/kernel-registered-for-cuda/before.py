# A kernel for CUDA is not a kernel for another device.
import torch

from .registry import register_op


@register_op("ours::attention", mutates_args=(), device_types="cuda")
def attention(x: torch.Tensor) -> torch.Tensor:
    return x

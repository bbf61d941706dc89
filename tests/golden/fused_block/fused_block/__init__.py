"""Fused ops for a transformer block."""

from . import _C  # registers torch.ops.fused_block
from .functional import bias_gelu, scaled_softmax
from .modules import FusedBlock

__all__ = ["FusedBlock", "bias_gelu", "scaled_softmax"]

import math

import torch
from torch import nn

from .functional import bias_gelu, scaled_softmax


class FusedBlock(nn.Module):
    """One pre-norm transformer block. x: [batch, time, dim]."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.up = nn.Linear(dim, 4 * dim, bias=False)
        self.up_bias = nn.Parameter(torch.zeros(4 * dim))
        self.down = nn.Linear(4 * dim, dim)

    def attention(self, x):
        batch, time, dim = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.reshape(batch, time, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        weights = scaled_softmax(q @ k.transpose(-1, -2), 1.0 / math.sqrt(dim // self.heads))
        return self.proj((weights.to(v.dtype) @ v).transpose(1, 2).reshape(batch, time, dim))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(bias_gelu(self.up(self.norm2(x)), self.up_bias))

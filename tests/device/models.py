"""A small GPT and a small convnet, made the same way on every device."""

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        batch, time, dim = x.shape
        parts = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        q, k, v = (part.view(batch, time, self.heads, -1).transpose(1, 2) for part in parts)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(attended.transpose(1, 2).reshape(batch, time, dim))
        return x + self.mlp(self.norm2(x))


class Gpt(nn.Module):
    def __init__(self, vocab=96, dim=48, heads=4, layers=2, time=32):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocab, dim), nn.Embedding(time, dim)
        self.blocks = nn.Sequential(*(Block(dim, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocab, bias=False)

    def forward(self, tokens):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        return self.head(self.norm(self.blocks(self.tokens(tokens) + self.positions(positions))))


class ConvNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1, groups=2), nn.BatchNorm2d(16), nn.SiLU(), nn.AdaptiveAvgPool2d(4),
        )  # fmt: skip
        self.head = nn.Linear(16 * 16, classes)

    def forward(self, images):
        return self.head(self.features(images).flatten(1))


def gpt_batch(step, vocab=96, batch=4, time=32):
    generator = torch.Generator().manual_seed(step)
    tokens = torch.randint(vocab, (batch, time + 1), generator=generator)
    return tokens[:, :-1], tokens[:, 1:]


def image_batch(step, batch=8, size=16):
    generator = torch.Generator().manual_seed(step)
    return torch.randn(batch, 3, size, size, generator=generator), torch.randint(10, (batch,), generator=generator)


def train(make_model, make_batch, device, make_optimizer, steps=20):
    """Returns the losses and the final state on the CPU."""
    torch.manual_seed(1)
    model = make_model().to(device)
    optimizer = make_optimizer(model.parameters())
    losses = []
    for step in range(steps):
        inputs, targets = (tensor.to(device) for tensor in make_batch(step))
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = F.cross_entropy(outputs.flatten(0, -2), targets.flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, {name: tensor.cpu() for name, tensor in model.state_dict().items()}

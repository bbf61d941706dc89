"""Trains a two-block byte model on synthetic text."""

import argparse

import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset

from fused_block import FusedBlock


class Model(nn.Module):
    def __init__(self, vocab=64, dim=32, heads=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.Sequential(FusedBlock(dim, heads), FusedBlock(dim, heads))
        self.head = nn.Linear(dim, vocab)

    def forward(self, tokens):
        return self.head(self.blocks(self.embed(tokens)))


def make_loader(batch_size, time=24, vocab=64):
    starts = torch.arange(64).unsqueeze(1)
    text = (starts + 3 * torch.arange(time + 1)) % vocab
    return DataLoader(TensorDataset(text[:, :-1], text[:, 1:]), batch_size=batch_size, shuffle=True, pin_memory=True)


def train(steps=20, lr=3e-3, batch_size=16, seed=0):
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    model = Model().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scaler = GradScaler()
    losses = []
    while len(losses) < steps:
        for tokens, targets in make_loader(batch_size):
            tokens = tokens.cuda(non_blocking=True)
            targets = targets.cuda(non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            with autocast():
                logits = model(tokens)
                loss = nn.functional.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
            if len(losses) == steps:
                break
    torch.cuda.synchronize()
    return losses


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    losses = train(args.steps)
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")
    print(f"peak memory {torch.cuda.max_memory_allocated() / 2**20:.1f} MiB")

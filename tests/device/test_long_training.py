"""Fifty training steps of eight kinds of models: on neuron with a checkpoint and a fresh start in the middle, on the CPU
in one go. Losses and weights are bitwise equal, of recurrent models equal to rounding."""

import io

import pytest
import torch
from models import Gpt, gpt_batch, image_batch
from torch import nn
from torch.nn import functional as F

STEPS = 50


class Vit(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.patches = nn.Conv2d(3, dim, 4, stride=4)
        self.positions = nn.Parameter(torch.zeros(1, 17, dim))
        self.start = nn.Parameter(torch.zeros(1, 1, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 10)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.start.expand(len(x), -1, -1), x], 1) + self.positions
        return self.head(self.layers(x)[:, 0])


class Unet(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.inward = nn.Sequential(nn.Conv2d(channels, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.SiLU())
        self.down = nn.Sequential(nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.SiLU())
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.outward = nn.Conv2d(16, channels, 1)

    def forward(self, x):
        high = self.inward(x)
        return self.outward(torch.cat([high, self.up(self.down(high))], 1))


class Gan(nn.Module):
    def __init__(self):
        super().__init__()
        self.generator = nn.Sequential(nn.Linear(8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 16), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(16, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))


class MixtureOfExperts(nn.Module):
    def __init__(self, dim=16, experts=4):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, dim)) for _ in range(experts))
        self.head = nn.Linear(dim, 4)

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).topk(2)
        total = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            row, place = (chosen == number).nonzero(as_tuple=True)
            total = total.index_add(0, row, expert(x[row]) * weights[row, place, None])
        return self.head(total)


class Recurrent(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.layer = cell(6, 12, num_layers=2, batch_first=True)
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        return self.head(self.layer(x)[0][:, -1])


def noise(step, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1000 + step))


def classify(make_batch):
    def losses(model, step, device):
        inputs, targets = (tensor.to(device) for tensor in make_batch(step))
        return [F.cross_entropy(model(inputs).flatten(0, -2), targets.flatten())]

    return losses


def vectors(step):
    return noise(step, 16, 16), torch.arange(16) % 4


def sequences(step):
    return noise(step, 8, 5, 6), torch.arange(8) % 3


def segment(model, step, device):
    images = image_batch(step)[0].to(device)
    return [F.binary_cross_entropy_with_logits(model(images), (images > 0).float())]


def denoise(model, step, device):
    images, added = image_batch(step)[0].to(device), noise(step, 8, 3, 16, 16).to(device)
    level = torch.rand(8, 1, 1, 1, generator=torch.Generator().manual_seed(step)).to(device)
    return [F.mse_loss(model(level.sqrt() * images + (1 - level).sqrt() * added), added)]


def compete(model, step, device):
    real, seed = noise(step, 16, 16).to(device), noise(step + 1, 16, 8).to(device)
    made = model.generator(seed)
    critic_loss = F.softplus(-model.critic(real)).mean() + F.softplus(model.critic(made.detach())).mean()
    return [critic_loss, F.softplus(-model.critic(made)).mean()]


TASKS = {
    "gpt": (Gpt, classify(gpt_batch)),
    "vit": (Vit, classify(image_batch)),
    "unet": (Unet, segment),
    "gan": (Gan, compete),
    "moe": (MixtureOfExperts, classify(vectors)),
    "diffusion": (Unet, denoise),
    "lstm": (lambda: Recurrent(nn.LSTM), classify(sequences)),
    "gru": (lambda: Recurrent(nn.GRU), classify(sequences)),
}


def make(name, device):
    torch.manual_seed(2)
    model = TASKS[name][0]().to(device)
    return model, torch.optim.AdamW(model.parameters(), lr=2e-3, foreach=True)


def train(name, device, resume_at=None):
    """The losses and the final weights."""
    model, optimizer = make(name, device)
    history = []
    for step in range(STEPS):
        if step == resume_at:
            checkpoint = io.BytesIO()
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, checkpoint)
            checkpoint.seek(0)
            model, optimizer = make(name, device)
            state = torch.load(checkpoint, map_location=device)
            model.load_state_dict(state["model"])
            optimizer.load_state_dict(state["optimizer"])
        optimizer.zero_grad()
        losses = TASKS[name][1](model, step, device)
        for loss in losses:
            loss.backward()
        optimizer.step()
        history += [loss.item() for loss in losses]
    return history, {key: value.cpu() for key, value in model.state_dict().items()}


@pytest.mark.parametrize("name", TASKS)
def test_fifty_steps(name):
    expected, weights = train(name, "cpu")
    losses, ours = train(name, "neuron", resume_at=STEPS // 2)
    assert len(set(losses)) > 10
    if name in ("lstm", "gru"):
        torch.testing.assert_close(losses, expected, rtol=1e-3, atol=1e-4)
        torch.testing.assert_close(ours, weights, rtol=1e-2, atol=1e-3)
    else:
        assert losses == expected
        assert [key for key in weights if not torch.equal(ours[key], weights[key])] == []

"""Training on neuron is bit for bit training on the CPU: the same kernels run on the same bytes."""

import functools

import pytest
import torch
from models import ConvNet, Gpt, gpt_batch, image_batch, train

ADAMW = functools.partial(torch.optim.AdamW, lr=1e-3, foreach=True)
SGD = functools.partial(torch.optim.SGD, lr=0.05, momentum=0.9, nesterov=True, foreach=True)


def assert_same_run(model, batch, optimizer, steps=20):
    cpu_losses, cpu_state = train(model, batch, "cpu", optimizer, steps)
    losses, state = train(model, batch, "neuron", optimizer, steps)
    assert losses == cpu_losses
    assert losses[-1] != losses[0]
    assert state.keys() == cpu_state.keys()
    different = [name for name in state if not torch.equal(state[name], cpu_state[name])]
    assert not different


def test_gpt_trains_20_steps_bitwise_equal_to_cpu():
    assert_same_run(Gpt, gpt_batch, ADAMW)


def test_convnet_trains_20_steps_bitwise_equal_to_cpu():
    assert_same_run(ConvNet, image_batch, SGD)


@pytest.mark.parametrize(
    "optimizer",
    [
        functools.partial(torch.optim.AdamW, lr=1e-3, foreach=False),
        functools.partial(torch.optim.AdamW, lr=1e-3, fused=True),
        functools.partial(torch.optim.SGD, lr=0.05, fused=True),
        functools.partial(torch.optim.RMSprop, lr=1e-3, foreach=True),
        functools.partial(torch.optim.Adagrad, lr=1e-2, foreach=True),
        functools.partial(torch.optim.NAdam, lr=1e-3, foreach=True),
    ],
    ids=["adamw-loop", "adamw-fused", "sgd-fused", "rmsprop", "adagrad", "nadam"],
)
def test_optimizers_are_bitwise_equal(optimizer):
    assert_same_run(ConvNet, image_batch, optimizer, steps=3)


def test_clip_grad_norm_and_scheduler():
    norms = {}
    for device in ("cpu", "neuron"):
        torch.manual_seed(3)
        model = ConvNet().to(device)
        optimizer = SGD(model.parameters())
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
        norms[device] = []
        for step in range(4):
            images, labels = (tensor.to(device) for tensor in image_batch(step))
            torch.nn.functional.cross_entropy(model(images), labels).backward()
            norms[device].append(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5, foreach=True).item())
            optimizer.step()
            scheduler.step()
    assert norms["neuron"] == norms["cpu"]


@pytest.mark.parametrize("cell", [torch.nn.LSTM, torch.nn.GRU])
def test_recurrent_layers_agree_to_rounding(cell):
    torch.manual_seed(5)
    layer = cell(12, 16, num_layers=2, batch_first=True)
    x = torch.randn(3, 7, 12)
    moved = cell(12, 16, num_layers=2, batch_first=True)
    moved.load_state_dict(layer.state_dict())
    moved.to("neuron")
    expected, actual = layer(x)[0], moved(x.to("neuron"))[0]
    torch.testing.assert_close(actual.cpu(), expected, rtol=1e-5, atol=1e-6)
    weight = torch.randn_like(expected)
    (expected * weight).sum().backward()
    (actual * weight.to("neuron")).sum().backward()
    for ours, theirs in zip(moved.parameters(), layer.parameters()):
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-4, atol=1e-5)


def test_parameters_keep_their_identity_when_a_module_moves():
    model = torch.nn.Linear(4, 3)
    before = list(model.parameters())
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    model.to("neuron")
    assert [id(p) for p in model.parameters()] == [id(p) for p in before]
    model(torch.ones(2, 4, device="neuron")).sum().backward()
    old = model.bias.detach().clone()
    optimizer.step()
    assert torch.equal((old - 2).cpu(), model.bias.detach().cpu())


def test_threads_train_independently():
    import concurrent.futures

    def work(seed):
        generator = torch.Generator().manual_seed(seed)
        weight = torch.randn(32, 32, generator=generator)
        results = []
        for device in ("cpu", "neuron"):
            w = weight.detach().clone().to(device).requires_grad_()
            for _ in range(5):
                (w @ w).relu().sum().backward()
            results.append(w.grad.cpu())
        return torch.equal(*results)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))

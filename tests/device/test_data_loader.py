"""Pinned memory and the DataLoader."""

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset


def test_pinned_memory():
    x = torch.arange(8.0)
    assert not x.is_pinned()
    pinned = x.pin_memory()
    assert pinned.is_pinned() and pinned.device.type == "cpu" and torch.equal(pinned, x)
    assert pinned[2:].is_pinned()
    assert torch.empty(3, pin_memory=True).is_pinned()
    assert torch.equal(pinned.to("neuron", non_blocking=True).cpu(), x)
    assert x.untyped_storage().pin_memory().is_pinned()
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.empty(1, device="neuron", pin_memory=True)


@pytest.mark.parametrize("workers", [0, 2])
def test_loader_pins_and_feeds_the_device(workers):
    data = TensorDataset(torch.arange(40.0).view(20, 2), torch.arange(20))
    seen = []
    for values, labels in DataLoader(data, batch_size=4, pin_memory=True, num_workers=workers):
        assert values.is_pinned() and labels.is_pinned()
        moved = values.to("neuron", non_blocking=True)
        assert torch.equal(moved.sum(1).cpu(), values.sum(1))
        seen += labels.tolist()
    assert seen == list(range(20))

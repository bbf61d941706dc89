"""Checkpoints: save, load and map between devices."""

import copy
import io
import pickle

import pytest
import torch


def round_trip(value, **options):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return torch.load(buffer, **options)


def test_tensor_keeps_its_device():
    x = torch.arange(5.0, device="neuron:1")
    loaded = round_trip(x)
    assert loaded.device == x.device and torch.equal(loaded, x)


@pytest.mark.parametrize(
    "location, device",
    [
        ("cpu", "cpu"),
        ("neuron", "neuron:0"),
        ("neuron:1", "neuron:1"),
        (torch.device("neuron:0"), "neuron:0"),
        ({"neuron:0": "neuron:1"}, "neuron:1"),
        (lambda storage, location: storage, "cpu"),
    ],
    ids=["cpu", "neuron", "indexed", "device", "map", "function"],
)
def test_map_location(location, device):
    x = torch.arange(4.0, device="neuron:0")
    loaded = round_trip(x, map_location=location)
    assert loaded.device == torch.device(device) and torch.equal(loaded.cpu(), x.cpu())


def test_cpu_checkpoint_loads_onto_the_device():
    state = torch.nn.Linear(3, 2).state_dict()
    loaded = round_trip(state, map_location="neuron", weights_only=True)
    assert all(tensor.is_neuron and torch.equal(tensor.cpu(), state[name]) for name, tensor in loaded.items())


def test_views_keep_sharing():
    base = torch.arange(6.0, device="neuron")
    first, second = round_trip([base[:3], base[1:]])
    first[1] = 9
    assert second[0].item() == 9


def test_module_and_optimizer_state(tmp_path):
    model = torch.nn.Linear(4, 4).to("neuron")
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(1, 4, device="neuron")).sum().backward()
    optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, tmp_path / "checkpoint.pt")
    loaded = torch.load(tmp_path / "checkpoint.pt", map_location="neuron")
    other = torch.nn.Linear(4, 4).to("neuron")
    other.load_state_dict(loaded["model"])
    resumed = torch.optim.AdamW(other.parameters())
    resumed.load_state_dict(loaded["optimizer"])
    assert torch.equal(other.weight, model.weight)
    assert all(state["exp_avg"].is_neuron for state in resumed.state.values())


def test_pickle_and_deepcopy():
    x = torch.arange(3, device="neuron")
    for copied in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert copied.is_neuron and torch.equal(copied, x) and copied.data_ptr() != x.data_ptr()
    model = copy.deepcopy(torch.nn.Linear(2, 2).to("neuron"))
    assert model.weight.is_neuron

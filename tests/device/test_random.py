"""Random numbers: seeds, states, independence of the CPU generator, and the moments of what is drawn."""

import pytest
import torch


def test_seed_repeats_and_differs():
    torch.manual_seed(7)
    first = torch.randn(100, device="neuron")
    torch.manual_seed(7)
    again = torch.randn(100, device="neuron")
    torch.neuron.manual_seed_all(8)
    other = torch.randn(100, device="neuron")
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_state_round_trip_is_16_bytes():
    state = torch.neuron.get_rng_state()
    assert state.shape == (16,) and state.dtype == torch.uint8 and state.device.type == "cpu"
    a = torch.rand(5, device="neuron")
    torch.neuron.set_rng_state(state)
    assert torch.equal(a, torch.rand(5, device="neuron"))
    with pytest.raises((RuntimeError, TypeError), match="16 elements"):
        torch.neuron.set_rng_state(torch.zeros(5056, dtype=torch.uint8))


@pytest.mark.filterwarnings("ignore:neuron reports that you have 2 available devices")
def test_fork_rng_restores():
    with torch.random.fork_rng(device_type="neuron"):
        a = torch.rand(3, device="neuron")
    assert torch.equal(a, torch.rand(3, device="neuron"))


def test_cpu_generator_is_untouched():
    torch.manual_seed(0)
    expected = torch.rand(4)
    torch.manual_seed(0)
    torch.randn(10, device="neuron")
    torch.nn.functional.dropout(torch.ones(10, device="neuron"), 0.5)
    torch.randperm(10, device="neuron")
    assert torch.equal(torch.rand(4), expected)


def test_generators():
    generator = torch.Generator(device="neuron").manual_seed(3)
    a = torch.randn(4, device="neuron", generator=generator)
    assert torch.equal(a, torch.randn(4, device="neuron", generator=torch.Generator("neuron").manual_seed(3)))
    assert generator.device.type == "neuron" and generator.initial_seed() == 3
    with pytest.raises(RuntimeError, match="Expected a 'neuron' device type for generator but found 'cpu'"):
        torch.randn(4, device="neuron", generator=torch.Generator())


def test_devices_have_their_own_streams():
    torch.manual_seed(0)
    torch.rand(3, device="neuron:0")
    b = torch.rand(3, device="neuron:1")
    torch.manual_seed(0)
    assert torch.equal(b, torch.rand(3, device="neuron:1"))


@pytest.mark.parametrize(
    "draw, mean, deviation",
    [
        (lambda: torch.rand(20000, device="neuron"), 0.5, 12**-0.5),
        (lambda: torch.randn(20000, device="neuron"), 0.0, 1.0),
        (lambda: torch.randint(0, 11, (20000,), device="neuron").float(), 5.0, 10**0.5),
        (lambda: torch.empty(20000, device="neuron").exponential_(2.0), 0.5, 0.5),
        (lambda: torch.bernoulli(torch.full((20000,), 0.3, device="neuron")), 0.3, 0.21**0.5),
        (lambda: torch.nn.functional.dropout(torch.ones(20000, device="neuron"), 0.25), 1.0, 3**-0.5),
    ],
    ids=["uniform", "normal", "integers", "exponential", "bernoulli", "dropout"],
)
def test_moments(draw, mean, deviation):
    sample = draw()
    assert sample.is_neuron
    tolerance = 5 * deviation / 20000**0.5
    assert abs(sample.mean().item() - mean) < tolerance
    assert abs(sample.std().item() - deviation) < 0.05 * deviation


def test_consecutive_draws_are_not_correlated():
    a, b = torch.randn(20000, device="neuron"), torch.randn(20000, device="neuron")
    assert abs((a * b).mean().item()) < 5 / 20000**0.5


def test_permutation_and_multinomial():
    assert sorted(torch.randperm(50, device="neuron").tolist()) == list(range(50))
    drawn = torch.multinomial(torch.tensor([0.0, 1.0, 0.0], device="neuron"), 5, replacement=True)
    assert drawn.tolist() == [1] * 5

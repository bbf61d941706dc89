"""Streams: in async mode copies are put off, in chaos mode a missing synchronisation is an error or shows in the bytes."""

import pytest
import torch


@pytest.fixture(params=["sync", "async", "chaos"])
def mode(request):
    torch.ops.neuron_port.set_streams(request.param)
    yield request.param
    torch.ops.neuron_port.set_streams("sync")


@pytest.fixture
def chaos():
    torch.ops.neuron_port.set_streams("chaos")
    yield
    torch.ops.neuron_port.set_streams("sync")


def side_stream():
    return torch.neuron.Stream()


def test_a_program_that_synchronises_is_right_in_every_mode(mode):
    pinned = torch.arange(8.0).pin_memory()
    stream, done = side_stream(), torch.neuron.Event()
    with torch.neuron.stream(stream):
        x = pinned.to("neuron", non_blocking=True)
        y = x * 2
        done.record()
    torch.neuron.current_stream().wait_event(done)
    z = y + 1
    y.record_stream(torch.neuron.current_stream())
    back = torch.empty(8, pin_memory=True)
    back.copy_(z, non_blocking=True)
    torch.neuron.synchronize()
    assert torch.equal(back, pinned * 2 + 1)


def test_put_off_copies_run_in_stream_order(mode):
    source = torch.zeros(4).pin_memory()
    x = torch.ones(4, device="neuron")
    x.copy_(source, non_blocking=True)
    x.add_(1)
    assert x.tolist() == [1.0] * 4


def test_reading_the_host_side_too_early_shows(mode):
    x = torch.ones(4, device="neuron")
    back = torch.zeros(4, pin_memory=True)
    back.copy_(x, non_blocking=True)
    early = back.clone()
    torch.neuron.synchronize()
    assert back.tolist() == [1.0] * 4
    if mode == "sync":
        assert early.tolist() == [1.0] * 4
    elif mode == "async":
        assert early.tolist() == [0.0] * 4
    else:
        assert early.isnan().all()


def test_polling_an_event_ends(mode):
    back = torch.zeros(4, pin_memory=True)
    back.copy_(torch.ones(4, device="neuron"), non_blocking=True)
    event = torch.neuron.Event()
    event.record()
    for _ in range(3):
        if event.query():
            break
    else:
        pytest.fail("the event never completes")
    assert back.tolist() == [1.0] * 4


def test_a_missing_wait_is_an_error(chaos):
    x = torch.ones(4, device="neuron")
    stream = side_stream()
    stream.wait_stream(torch.neuron.current_stream())
    with torch.neuron.stream(stream):
        y = x * 2
    with pytest.raises(RuntimeError, match=r"missing synchronisation on device neuron:0: the default stream reads memory that stream \d+ wrote"):
        y + 1
    torch.neuron.current_stream().wait_stream(stream)
    assert (y + 1).tolist() == [3.0] * 4


def test_a_forgotten_wait_before_the_side_stream_starts(chaos):
    x = torch.randn(4, device="neuron")
    with torch.neuron.stream(side_stream()), pytest.raises(RuntimeError, match="that the default stream wrote"):
        x * 2


def test_item_of_another_streams_result(chaos):
    stream = side_stream()
    with torch.neuron.stream(stream):
        y = torch.ones(1, device="neuron") * 2
    with pytest.raises(RuntimeError, match="missing synchronisation"):
        y.item()
    stream.synchronize()
    assert y.item() == 2


def test_a_source_that_changes_before_its_copy_ran(chaos):
    pinned = torch.ones(4).pin_memory()
    x = pinned.to("neuron", non_blocking=True)
    pinned.zero_()
    with pytest.raises(RuntimeError, match="the pinned source of a non_blocking copy to device neuron changed"):
        (x + 1).sum()
        (x + 1).sum()


def test_memory_freed_in_use_needs_record_stream(chaos):
    def use_on_side_stream(record):
        x = torch.ones(4, device="neuron") * 1
        stream = side_stream()
        stream.wait_stream(torch.neuron.current_stream())
        with torch.neuron.stream(stream):
            y = x * 2
        y.record_stream(torch.neuron.current_stream())
        if record:
            x.record_stream(stream)
        del x
        torch.neuron.current_stream().wait_stream(stream)
        return y

    use_on_side_stream(record=True) + 1
    with pytest.raises(RuntimeError, match="was freed while stream .* call tensor.record_stream"):
        use_on_side_stream(record=False) + 1


def test_training_is_clean_and_bitwise_in_chaos(chaos):
    results = []
    for device in ("cpu", "neuron"):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
        for step in range(5):
            batch = torch.randn(4, 8, generator=torch.Generator().manual_seed(step)).pin_memory()
            loss = model(batch.to(device, non_blocking=True)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        results.append([p.detach().cpu() for p in model.parameters()])
    assert all(map(torch.equal, *results))


def test_the_mode_has_three_values():
    with pytest.raises(ValueError, match="the stream mode is 'fast'; choose one of 'async', 'chaos', 'sync'"):
        torch.ops.neuron_port.set_streams("fast")

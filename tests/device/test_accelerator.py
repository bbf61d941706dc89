"""torch.accelerator, torch.neuron, devices, streams, events and memory figures."""

import pytest
import torch

MIB = 2**20


def test_accelerator_is_neuron():
    assert torch.accelerator.is_available()
    assert torch.accelerator.current_accelerator() == torch.device("neuron")
    assert torch.accelerator.current_accelerator(check_available=True).type == "neuron"
    assert torch.accelerator.device_count() == torch.neuron.device_count() == 2
    assert torch.neuron.is_available()


def test_current_device():
    torch.accelerator.set_device_index(1)
    assert torch.accelerator.current_device_index() == torch.neuron.current_device() == 1
    assert torch.empty(1, device="neuron").device == torch.device("neuron", 1)
    torch.neuron.set_device("neuron:0")
    with torch.accelerator.device_index(1):
        assert torch.empty(1, device="neuron").device.index == 1
    with torch.neuron.device(1):
        assert torch.neuron.current_device() == 1
    assert torch.neuron.current_device() == 0
    with torch.device("neuron:1"):
        assert torch.ones(2).device == torch.device("neuron:1")


def test_a_device_that_does_not_exist():
    with pytest.raises(RuntimeError, match="invalid device index 5; this process has 2"):
        torch.empty(1, device="neuron:5")
    with pytest.raises(RuntimeError, match="invalid device index 2"):
        torch.neuron.set_device(2)


def test_backward_runs_on_the_right_device():
    seen = []
    x = torch.ones(2, device="neuron:1", requires_grad=True)
    x.register_hook(lambda grad: seen.append((grad.device.index, torch.neuron.current_device())))
    (x * 2).sum().backward()
    assert seen == [(1, 1)]


def test_generated_methods():
    assert torch.ones(2).neuron().is_neuron
    assert next(torch.nn.Linear(2, 2).neuron().parameters()).is_neuron
    assert not torch.ones(2).is_neuron
    assert torch.ones(2).neuron(1).device.index == 1
    packed = torch.nn.utils.rnn.pack_sequence([torch.ones(3, 2), torch.ones(1, 2)]).neuron()
    assert packed.data.is_neuron and not packed.batch_sizes.is_neuron


def test_memory_statistics():
    torch.accelerator.empty_cache()
    torch.accelerator.reset_peak_memory_stats()
    before = torch.accelerator.memory_allocated()
    x = torch.empty(4 * MIB, dtype=torch.uint8, device="neuron")
    assert torch.accelerator.memory_allocated() == before + 4 * MIB
    assert torch.accelerator.max_memory_allocated() >= before + 4 * MIB
    assert torch.accelerator.memory_reserved() >= torch.accelerator.memory_allocated()
    free, total = torch.accelerator.get_memory_info()
    assert total == 24 * 1024 * MIB and 0 < free < total
    del x
    assert torch.accelerator.memory_allocated() == before
    reserved = torch.accelerator.memory_reserved()
    torch.accelerator.empty_cache()
    assert torch.accelerator.memory_reserved() < reserved
    stats = torch.accelerator.memory_stats()
    assert stats["allocated_bytes.all.current"] == torch.neuron.memory_allocated()
    assert torch.neuron.max_memory_allocated() >= torch.neuron.memory_allocated()


def test_memory_is_counted_per_device():
    before = torch.neuron.memory_allocated(0)
    x = torch.ones(1000, device="neuron:1") + 1
    assert torch.neuron.memory_allocated(0) == before
    assert torch.neuron.memory_allocated(1) >= x.nbytes


def test_out_of_memory():
    with pytest.raises(torch.OutOfMemoryError, match="neuron out of memory. Tried to allocate 1048576 MiB on neuron:0"):
        torch.empty(2**40, dtype=torch.uint8, device="neuron")
    assert torch.ones(2, device="neuron").sum().item() == 2


def test_capability_is_a_dict_of_types():
    supported = torch.accelerator.get_device_capability()["supported_dtypes"]
    assert torch.bfloat16 in supported and torch.float64 not in supported


def test_streams_and_events():
    stream = torch.Stream(device="neuron")
    assert stream.query()
    with stream:
        assert torch.accelerator.current_stream() == stream
        x = torch.ones(4, device="neuron") * 3
    x.record_stream(stream)
    torch.accelerator.current_stream().wait_stream(stream)
    start, end = torch.Event(device="neuron", enable_timing=True), torch.Event(device="neuron", enable_timing=True)
    start.record()
    x.sum()
    end.record()
    end.synchronize()
    assert start.query() and start.elapsed_time(end) >= 0
    torch.accelerator.synchronize()
    other = torch.neuron.Stream()
    assert isinstance(other, torch.Stream) and other != torch.neuron.default_stream()
    with torch.neuron.stream(other):
        assert torch.neuron.current_stream() == other
    assert torch.neuron.current_stream() == torch.neuron.default_stream()
    event = torch.neuron.Event()
    other.record_event(event)
    torch.neuron.current_stream().wait_event(event)
    with pytest.raises((RuntimeError, ValueError), match="enable_timing"):
        event.elapsed_time(event)


def test_copies_between_devices():
    x = torch.arange(4.0)
    there = x.to("neuron:0", non_blocking=True).to("neuron:1")
    assert there.device.index == 1 and torch.equal(there.cpu(), x)
    target = torch.zeros(4, dtype=torch.float64)
    target.copy_(there)
    assert torch.equal(target, x.double())
    there[::2] = x[:2]  # a CPU source for an indexed store
    assert there.cpu().tolist() == [0, 1, 1, 3]


def test_device_properties():
    assert torch.neuron.get_device_properties(0).total_memory == 24 * 1024 * MIB
    assert torch.neuron.get_device_name() == "trn2"
    assert "stand-in" in repr(torch.neuron.get_device_properties())


def test_profiler_sees_ops():
    x = torch.ones(4, 4, device="neuron")
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        x @ x
    assert "aten::mm" in {event.key for event in profile.key_averages()}


def test_names_of_the_real_module():
    names = """is_available device_count current_device set_device get_device_name get_device_properties synchronize empty_cache
        memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_stats memory_summary memory
        reset_peak_memory_stats reset_accumulated_memory_stats manual_seed manual_seed_all seed seed_all initial_seed
        get_rng_state set_rng_state get_rng_state_all set_rng_state_all is_bf16_supported get_amp_supported_dtype
        is_initialized init device Stream stream current_stream default_stream set_stream Event get_dynamo_metrics
        reset_dynamo_metrics _sleep _is_in_bad_fork""".split()
    assert [name for name in names if not hasattr(torch.neuron, name)] == []
    # Absent there: code that relies on them would fail on the chip.
    for name in ("mem_get_info", "can_device_access_peer", "ipc_collect", "CUDAGraph", "nvtx", "FloatTensor"):
        assert not hasattr(torch.neuron, name)
    assert "bytes now" in torch.neuron.memory.memory_summary()
    before = [torch.neuron.get_rng_state_all(), torch.rand(3, device="neuron")]
    torch.neuron.set_rng_state_all(before[0])
    assert torch.equal(torch.rand(3, device="neuron"), before[1])

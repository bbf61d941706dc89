"""`torch.neuron`: the names that TorchNeuron has (documented, or used by its consumers), and no others.

A name that works here and is missing on the chip would hide a porting bug, so nothing is added for convenience.
"""

import contextlib
import os

import torch

from neuron_port_runtime import compiled, inductor_refusal

_PRIVATE_USE_1 = 20  # c10::DeviceType::PrivateUse1
_initialized = True  # torch.utils.checkpoint keeps random states only of modules that say so
_in_bad_fork = False
_chip = "trn2"  # what the settings say; see environment.CHIP_MEMORY_MB


def _mark_fork():
    global _in_bad_fork
    _in_bad_fork = True


os.register_at_fork(after_in_child=_mark_fork)


def _is_in_bad_fork():
    return _in_bad_fork


# --- device -----------------------------------------------------------------------------------------------------------


def is_available():
    return True


def is_initialized():
    return True


def init():
    pass


def device_count():
    return torch.ops.neuron_port.device_count()


def current_device():
    return torch.accelerator.current_device_index()


def set_device(device):
    torch.accelerator.set_device_index(_index(device))


def synchronize(device=None):
    torch.accelerator.synchronize(_index(device))


def get_device_name(device=None):
    return get_device_properties(device).name


class _DeviceProperties:
    def __init__(self, name, total_memory):
        self.name = name
        self.total_memory = total_memory

    def __repr__(self):
        size = self.total_memory // 2**20
        return f"_DeviceProperties(name='{self.name}', total_memory={size}MB, stand-in of neuron-port, not Trainium)"


def get_device_properties(device=None):
    _, total = torch.accelerator.get_memory_info(_index(device))
    return _DeviceProperties(_chip, total)


class device:
    """Makes a device current for a block; None or a device of another type changes nothing."""

    def __init__(self, device):
        self._index = -1 if device is None else _index(device)

    def __enter__(self):
        self._before = current_device()
        if self._index >= 0:
            set_device(self._index)

    def __exit__(self, *exception):
        set_device(self._before)


def _index(device):
    """The index that a device argument names; the current device for None or one without an index."""
    if device is None:
        return current_device()
    if isinstance(device, int):
        return device
    index = torch.device(device).index
    return current_device() if index is None else index


# --- random numbers ---------------------------------------------------------------------------------------------------


def _generator(device="neuron"):
    return torch.ops.neuron_port.default_generator(_index(device))


def manual_seed(seed):
    _generator().manual_seed(seed)


def manual_seed_all(seed):
    for index in range(device_count()):
        _generator(index).manual_seed(seed)


def seed():
    return _generator().seed()


def seed_all():
    manual_seed_all(_generator().seed())


def initial_seed():
    return _generator().initial_seed()


def get_rng_state(device="neuron"):
    return _generator(device).get_state()


def set_rng_state(new_state, device="neuron"):
    _generator(device).set_state(new_state)


def get_rng_state_all():
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state_all(new_states):
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


# --- memory -----------------------------------------------------------------------------------------------------------


def empty_cache():
    torch.accelerator.empty_cache()


def memory_allocated(device=None):
    return torch.accelerator.memory_allocated(_index(device))


def max_memory_allocated(device=None):
    return torch.accelerator.max_memory_allocated(_index(device))


def memory_reserved(device=None):
    return torch.accelerator.memory_reserved(_index(device))


def max_memory_reserved(device=None):
    return torch.accelerator.max_memory_reserved(_index(device))


def memory_stats(device=None):
    return torch.accelerator.memory_stats(_index(device))


def reset_peak_memory_stats(device=None):
    torch.accelerator.reset_peak_memory_stats(_index(device))


def reset_accumulated_memory_stats(device=None):
    torch.accelerator.reset_accumulated_memory_stats(_index(device))


def memory_summary(device=None):
    """The memory figures as text."""
    stats, capacity = memory_stats(device), get_device_properties(device).total_memory
    rows = [("allocated", "allocated_bytes.all"), ("reserved", "reserved_bytes.all")]
    lines = [f"{name:>10}: {stats[f'{key}.current']} bytes now, {stats[f'{key}.peak']} at most" for name, key in rows]
    return "\n".join([f"neuron:{_index(device)}, {capacity} bytes", *lines])


class memory:
    """The same functions under their other name, `torch.neuron.memory`."""

    empty_cache = staticmethod(empty_cache)
    memory_allocated = staticmethod(memory_allocated)
    max_memory_allocated = staticmethod(max_memory_allocated)
    memory_reserved = staticmethod(memory_reserved)
    max_memory_reserved = staticmethod(max_memory_reserved)
    memory_stats = staticmethod(memory_stats)
    memory_summary = staticmethod(memory_summary)
    reset_peak_memory_stats = staticmethod(reset_peak_memory_stats)
    reset_accumulated_memory_stats = staticmethod(reset_accumulated_memory_stats)


# --- streams ----------------------------------------------------------------------------------------------------------


# The generic classes, which default to the accelerator: PyTorch's checks do not accept subclasses of Event.
Stream = torch.Stream
Event = torch.Event


def current_stream(device=None):
    return torch.accelerator.current_stream(_index(device))


def default_stream(device=None):
    return torch.Stream(stream_id=0, device_index=_index(device), device_type=_PRIVATE_USE_1)


def set_stream(stream):
    torch.accelerator.set_stream(stream)


def stream(stream):
    """Makes a stream current for a block; None changes nothing. A stream is such a block itself, which Dynamo can trace."""
    return contextlib.nullcontext() if stream is None else stream


def _sleep(cycles):
    """Does nothing, as in TorchNeuron."""


# --- mixed precision --------------------------------------------------------------------------------------------------


def is_bf16_supported():
    return True


def get_amp_supported_dtype():
    return [torch.float32, torch.float16, torch.bfloat16]


# --- torch.compile ----------------------------------------------------------------------------------------------------


def get_dynamo_metrics():
    """What torch.compile made so far: one entry a graph."""
    return compiled.graphs()


def reset_dynamo_metrics():
    compiled.clear()


def __getattr__(name):
    generator = inductor_refusal.code_generator(name)
    if generator is None:
        raise AttributeError(f"module 'torch.neuron' has no attribute '{name}'")
    return generator

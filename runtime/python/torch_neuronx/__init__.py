"""Stand-in for AWS's `torch_neuronx`: NKI kernels on device `neuron`, custom ops made of them, op tracking.

Not Trainium. The launcher puts this package on the path; it is refused beside the real one. What is here has the name
and meaning of TorchNeuron 2.33's; what is missing raises AttributeError as it would where the real package lacks it.
"""

import neuron_port_runtime

neuron_port_runtime.load()

from neuron_port_runtime.device_module import Event, Stream  # noqa: E402
from neuron_port_runtime.device_module import stream as StreamContext  # noqa: E402, N812
from torch_neuronx.kernel_call import call_kernel  # noqa: E402
from torch_neuronx.memory import (  # noqa: E402
    empty_cache,
    max_memory_allocated,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_peak_memory_stats,
)
from torch_neuronx.nki_op import nki_op  # noqa: E402
from torch_neuronx.tracking import clear_op_tracking, get_executed_ops, get_fallback_ops  # noqa: E402

__all__ = [
    "Event",
    "Stream",
    "StreamContext",
    "call_kernel",
    "clear_op_tracking",
    "empty_cache",
    "get_executed_ops",
    "get_fallback_ops",
    "max_memory_allocated",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "nki_op",
    "reset_peak_memory_stats",
]

"""torch.compile(backend="neuron"): the real backend's checks, then the graph runs op by op on the device.

AOTAutograd differentiates the graph as on the chip; the parts are interpreted on neuron tensors, so the numbers are
those of eager. What the compiler would do with them (fusion, layout) is not emulated.
"""

import os
import re
import warnings

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.device_interface import DeviceInterface, register_interface_for_device
from torch._functorch.aot_autograd import make_boxed_func

from neuron_port_runtime import compiled

_KNOWN_OPTIONS = {"fallback_execution", "model_name"}
_CPU_INPUTS_OFF = "TORCH_NEURONX_DYNAMO_DISABLE_CPU_AUTOCOPY"


class CompileError(RuntimeError):
    """Why Trainium's compiler would not take the graph, in one sentence."""


def neuron(graph_module, example_inputs, *, mode=None, options=None):
    """The backend; PyTorch finds it by its entry point."""
    _check(mode, options or {})
    graph = compiled.Graph(f"torch.compile graph {len(compiled._graphs)}", _place(graph_module))
    devices = {x.device.type for x in example_inputs if isinstance(x, torch.Tensor)}
    runner = _runner_of_cpu_graph if devices == {"cpu"} else _runner
    return aot_autograd(
        fw_compiler=lambda module, inputs: runner(graph, module, counts=True),
        bw_compiler=lambda module, inputs: runner(graph, module, counts=False),
    )(graph_module, example_inputs)


def _check(mode, options):
    if not torch._dynamo.config.assume_static_by_default:
        raise CompileError(
            "backend 'neuron' does not take dynamic=True (NCC_EMOD025: symbolic shapes); leave `dynamic` unset, and pad or "
            "bucket inputs whose shapes vary"
        )
    if mode not in (None, "default"):
        warnings.warn(f"backend 'neuron' ignores mode='{mode}'; it has the default mode only", stacklevel=4)
    unknown = set(options) - _KNOWN_OPTIONS
    if unknown:
        raise CompileError(f"backend 'neuron' has no option '{min(unknown)}'; it knows {sorted(_KNOWN_OPTIONS)}")


def _place(graph_module):
    """Where the graph's first op stands in the user's source."""
    for node in graph_module.graph.nodes:
        trace = re.findall(r'File "(.+?)", line (\d+), in (\S+)', node.meta.get("stack_trace") or "")
        if trace:
            path, line, function = trace[-1]
            return path, int(line), function
    return None


def _runner(graph, module, counts):
    def run(*inputs):
        if counts:
            graph.called(inputs)
        return module(*inputs)

    return make_boxed_func(run)


def _runner_of_cpu_graph(graph, module, counts):
    """Inputs on the CPU are copied to the device, and the results stay there."""
    if os.environ.get(_CPU_INPUTS_OFF) == "1":
        raise CompileError(f"the compiled function got CPU tensors and '{_CPU_INPUTS_OFF}' is set; move them with .to('neuron')")
    if not counts:
        raise CompileError("a compiled function with CPU parameters cannot be trained on neuron; move the module with .to('neuron')")
    for node in module.graph.nodes:
        if node.kwargs.get("device") == torch.device("cpu"):
            node.kwargs = {**node.kwargs, "device": torch.device("neuron")}
    module.recompile()
    moved = _runner(graph, module, counts)

    def run(inputs):
        inputs[:] = [x.to("neuron") if isinstance(x, torch.Tensor) else x for x in inputs]
        return moved(inputs)

    run._boxed_call = True
    return run


class NeuronInterface(DeviceInterface):
    """What Dynamo asks of a device while it traces."""

    device = torch.neuron.device
    Event = torch.Event
    Stream = torch.Stream

    class Worker:
        @staticmethod
        def set_device(device):
            torch.neuron.set_device(device)

        @staticmethod
        def current_device():
            return torch.neuron.current_device()

        @staticmethod
        def get_device_properties(device=None):
            return torch.neuron.get_device_properties(device)

    current_device = staticmethod(torch.neuron.current_device)
    set_device = staticmethod(torch.neuron.set_device)
    device_count = staticmethod(torch.neuron.device_count)
    is_available = staticmethod(torch.neuron.is_available)
    synchronize = staticmethod(torch.neuron.synchronize)
    current_stream = staticmethod(torch.neuron.current_stream)
    set_stream = staticmethod(torch.neuron.set_stream)
    stream = staticmethod(torch.neuron.stream)
    get_device_properties = staticmethod(torch.neuron.get_device_properties)

    @staticmethod
    def exchange_device(device):
        before = torch.neuron.current_device()
        torch.neuron.set_device(device)
        return before

    @staticmethod
    def maybe_exchange_device(device):
        return NeuronInterface.exchange_device(device) if device >= 0 else -1

    @staticmethod
    def get_raw_stream(device):
        return torch.neuron.current_stream(device).stream_id

    @staticmethod
    def is_bf16_supported(including_emulation=False):
        return True

    @staticmethod
    def get_compute_capability(device=None):
        return torch.neuron.get_device_name(device)


register_interface_for_device("neuron", NeuronInterface)

"""Calls an NKI kernel with neuron tensors: NumPy views in, fresh neuron tensors out.

The stand-in `nki` traces the kernel and runs it on host arrays; it knows nothing of PyTorch. Fake tensors
(torch.compile, torch.export) get the types of the results from the trace alone.
"""

import nki
import torch
from torch._subclasses.fake_tensor import FakeTensor

from torch_neuronx._host import numpy_view, to_neuron


def call_kernel(kernel, args, kwargs=None):
    """The kernel's result: one tensor, or a tuple if it returns several."""
    kwargs = kwargs or {}
    tensors = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
    device = _device_of(tensors, kernel)
    if any(isinstance(tensor, FakeTensor) for tensor in tensors):
        types = nki.result_types(kernel, *_converted(args, kwargs, _shape_only))
        made = [torch.empty(shape, dtype=getattr(torch, name), device=device) for shape, name in types]
    else:
        results = nki.run(kernel, *_converted(args, kwargs, _array))
        made = [_tensor(result, device) for result in results]
    return made[0] if len(made) == 1 else tuple(made)


def _converted(args, kwargs, convert):
    def host(value):
        return convert(value) if isinstance(value, torch.Tensor) else value

    return [host(value) for value in args], {name: host(value) for name, value in kwargs.items()}


def _array(tensor):
    view = numpy_view(tensor)
    return nki.Bfloat16(view) if tensor.dtype == torch.bfloat16 else view


def _shape_only(tensor):
    return nki.ShapeOnly(tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."))


def _tensor(result, device):
    if isinstance(result, nki.Bfloat16):
        return to_neuron(result.bits, device, torch.bfloat16)
    return to_neuron(result, device)


def _device_of(tensors, kernel):
    name = getattr(kernel, "__name__", repr(kernel))
    devices = sorted({str(tensor.device) for tensor in tensors})
    if len(devices) != 1 or torch.device(devices[0]).type != "neuron":
        found = ", ".join(f"'{device}'" for device in devices) or "no tensor"
        raise RuntimeError(
            f"kernel '{name}' takes tensors on one neuron device, got {found}; move them with .to('neuron')"
        )
    return tensors[0].device

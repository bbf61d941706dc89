"""Calls an `@nki.jit` kernel with neuron tensors: NumPy views in, fresh neuron tensors out.

The stand-in `nki` traces the kernel and runs it on host arrays (`nki.run`); it knows nothing of PyTorch. Under
FakeTensorMode (torch.compile, torch.export) the kernel runs on zeros to learn the shapes of its results.
"""

import numpy
import torch
from torch._subclasses.fake_tensor import FakeTensor

from torch_neuronx._host import numpy_view, to_neuron


def call_kernel(kernel, args, kwargs=None):
    """The kernel's result: one tensor, or a tuple if it returns several."""
    kwargs = kwargs or {}
    tensors = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
    device = _device_of(tensors, kernel)
    if any(isinstance(tensor, FakeTensor) for tensor in tensors):
        results = _run(kernel, args, kwargs, _zeros_like)
        made = [torch.empty(result.shape, dtype=_dtype_of(result), device=device) for result in results]
    else:
        results = _run(kernel, args, kwargs, numpy_view)
        made = [to_neuron(result, device) for result in results]
    return made[0] if len(made) == 1 else tuple(made)


def _run(kernel, args, kwargs, convert):
    import nki  # here, so that what needs no kernel runs in a tree without them

    def host(value):
        return convert(value) if isinstance(value, torch.Tensor) else value

    return nki.run(kernel, [host(value) for value in args], {name: host(value) for name, value in kwargs.items()})


def _device_of(tensors, kernel):
    name = getattr(kernel, "__name__", repr(kernel))
    devices = sorted({str(tensor.device) for tensor in tensors})
    if len(devices) != 1 or torch.device(devices[0]).type != "neuron":
        found = ", ".join(f"'{device}'" for device in devices) or "no tensor"
        raise RuntimeError(f"kernel '{name}' takes tensors on one neuron device, got {found}; move them with .to('neuron')")
    for tensor in tensors:
        if tensor.dtype == torch.bfloat16:
            raise NotImplementedError(f"kernel '{name}' got a bfloat16 tensor, which the stand-in cannot pass to kernels yet; cast it with .float()")
    return tensors[0].device


def _zeros_like(tensor):
    return numpy.zeros(tuple(tensor.shape), _NUMPY_DTYPES[tensor.dtype])


def _dtype_of(array):
    return next(dtype for dtype, numpy_dtype in _NUMPY_DTYPES.items() if numpy_dtype == array.dtype)


_NUMPY_DTYPES = {
    getattr(torch, name): numpy.dtype(name)
    for name in ("float16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool")
}

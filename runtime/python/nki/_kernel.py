"""Kernels: `@nki.jit`, and tracing and running them on NumPy arrays."""

import functools
import inspect
import json
import os

import numpy

from nki import _assumptions, _backend, _tracer, _types
from nki._tensor import NkiTensor

DEFAULT_TARGET = "trn2"


class Bfloat16:
    """An array of bfloat16 values as their uint16 bit patterns, since NumPy has no such type."""

    def __init__(self, bits):
        self.bits = numpy.asarray(bits)
        if self.bits.dtype != numpy.uint16:
            raise TypeError(f"bit patterns are uint16, not {self.bits.dtype}")

    shape = property(lambda self: self.bits.shape)

    @staticmethod
    def from_float32(values):
        """Rounds to nearest even."""
        words = numpy.ascontiguousarray(values, numpy.float32).view(numpy.uint32)
        rounded = (words + 0x7FFF + ((words >> 16) & 1)) >> 16
        quiet = (words >> 16) | 0x40
        return Bfloat16(numpy.where(numpy.isnan(values), quiet, rounded).astype(numpy.uint16))

    def to_float32(self):
        return (self.bits.astype(numpy.uint32) << 16).view(numpy.float32)


class Kernel:
    """A function that NKI compiles. Called with arrays it runs here; called inside a kernel it is inlined."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self._function = function
        self._programs = {}

    def __call__(self, *args, **kwargs):
        if _tracer.is_tracing():
            return self._function(*args, **kwargs)
        if any(_is_torch(value) for value in (*args, *kwargs.values())):
            import torch_neuronx

            return torch_neuronx.call_kernel(self, args, kwargs)
        results = run(self, args, kwargs)
        return results[0] if len(results) == 1 else results

    def __getitem__(self, lnc):
        if lnc != 1:
            raise NotImplementedError(f"kernel[{lnc}]: the stand-in models one physical core per logical core")
        return self


def jit(function=None, *, compile_config=None, specialization_config=None):
    """Marks a kernel. The configurations steer AWS's compiler and change no result."""
    return Kernel if function is None else Kernel(function)


def simulate(kernel):
    """`nki.simulate(kernel)(*arrays)`, as NKI spells running on the CPU."""

    def call(*args, **kwargs):
        results = run(kernel, args, kwargs)
        return results[0] if len(results) == 1 else results

    return call


def trace_text(kernel, args=(), kwargs=None):
    """Canonical flat Tile IR of a kernel for these arguments; arrays count by shape and dtype only."""
    return _program(kernel, args, kwargs or {})[0].text()


def result_types(kernel, args=(), kwargs=None):
    """Shape and NKI dtype name of each result, without running; arrays may be ShapeOnly."""
    return [(shape, dtype.name) for shape, dtype in _program(kernel, args, kwargs or {})[2]]


def cost(kernel, args=(), kwargs=None, *, target=DEFAULT_TARGET):
    """What the cost model predicts on `target`, in microseconds: low_us, estimate_us, high_us, bound, busy_us .."""
    return json.loads(_program(kernel, args, kwargs or {})[0].cost(target))


def run(kernel, args=(), kwargs=None, *, target=None):
    """Runs a kernel (made by `@nki.jit`, or a plain function) and returns a tuple of fresh arrays.

    Arrays are NumPy arrays, or Bfloat16. The kernel must keep the hardware's rules on `target` (default: what
    NEURON_PLATFORM_TARGET_OVERRIDE says, else trn2), else TileError names them.
    """
    target = target or os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE", DEFAULT_TARGET)
    program, bound, results = _program(kernel, args, kwargs or {})
    program.verify(target)
    function = getattr(kernel, "_function", kernel)
    _assumptions.check(getattr(function, "__globals__", {}), function.__name__, bound)
    inputs = [_host(value) for value in bound.values() if _is_array(value)]
    outputs = [numpy.empty(shape, _backend.numpy_dtype(dtype)) for shape, dtype in results]
    program.run(inputs, outputs)
    return tuple(
        Bfloat16(array) if dtype.name == "bfloat16" else array for array, (_, dtype) in zip(outputs, results)
    )


def _program(kernel, args, kwargs):
    """The loaded program, the arguments by name, and shape and dtype of each result; kept per specialisation."""
    function = getattr(kernel, "_function", kernel)
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    arguments = {
        name: value.item() if isinstance(value, numpy.generic) else value for name, value in bound.arguments.items()
    }
    cache = getattr(kernel, "_programs", {})
    key = tuple((name, _key(value)) for name, value in arguments.items())
    if key not in cache:
        cache[key] = _trace(function, arguments)
    program, results = cache[key]
    return program, arguments, results


def _trace(function, arguments):
    tracer = _tracer.Tracer(function.__name__)
    with tracer.active():
        values = {
            name: tracer.input(value.shape, _dtype(value)) if _is_array(value) else value
            for name, value in arguments.items()
        }
        returned = function(**values)
    returned = list(returned) if isinstance(returned, (tuple, list)) else [returned]
    program = _backend.Program(tracer.text(returned))
    return program, [(tensor.shape, tensor.dtype) for tensor in returned if isinstance(tensor, NkiTensor)]


def _is_array(value):
    return isinstance(value, (numpy.ndarray, Bfloat16, ShapeOnly))


def _is_torch(value):
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "device")


def _key(value):
    if _is_array(value):
        return ("array", tuple(value.shape), _dtype(value).name)
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"a kernel takes arrays, numbers, strings and tuples, not {value!r}") from None
    return (type(value).__name__, value)


class ShapeOnly:
    """An array that is not there: for tracing."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), _types.dtype_of(dtype)


def _dtype(value):
    if isinstance(value, ShapeOnly):
        return value.dtype
    if isinstance(value, Bfloat16):
        return _types.DTYPES["bfloat16"]
    name = "uint8" if value.dtype == numpy.bool_ else value.dtype.name
    if name not in _types.DTYPES:
        raise TypeError(f"{value.dtype} is no NKI dtype; convert the array to one of {', '.join(_types.DTYPES)}")
    return _types.DTYPES[name]


def _host(value):
    return numpy.ascontiguousarray(value.bits if isinstance(value, Bfloat16) else value)

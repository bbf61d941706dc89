"""The tile library: Tile IR text in, results out.

It is taken from $NEURON_PORT_LIB_DIR, else from a build folder of the source tree.
"""

import ctypes
import dataclasses
import functools
import os
import pathlib

import numpy

_NAME = "libneuron_port_tile.so"


class TileError(RuntimeError):
    """A kernel that is not legal NKI, or that went wrong when it ran."""


@dataclasses.dataclass(frozen=True)
class ArgumentSchema:
    name: str
    kind: str
    required: bool


@functools.cache
def library():
    lib = ctypes.CDLL(str(_find()))
    text, handle, error = ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    arrays = [ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t), ctypes.c_size_t]
    for name, result, arguments in (
        ("np_tile_load", handle, [ctypes.c_char_p, ctypes.c_char_p, error]),
        ("np_tile_release", None, [handle]),
        ("np_tile_free", None, [text]),
        ("np_tile_schema", text, []),
        ("np_tile_text", text, [handle]),
        ("np_tile_verify", text, [handle, ctypes.c_char_p]),
        ("np_tile_run", text, [handle, *arrays, *arrays]),
        ("np_tile_cost", text, [handle, ctypes.c_char_p, error]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def _find():
    folder = os.environ.get("NEURON_PORT_LIB_DIR")
    root = pathlib.Path(__file__).resolve().parents[3]
    folders = [pathlib.Path(folder)] if folder else [root / "build" / "lib", *sorted(root.glob("build*/lib"))]
    for candidate in folders:
        if (candidate / _NAME).exists():
            return candidate / _NAME
    looked = ", ".join(map(str, folders))
    raise ImportError(f"'{_NAME}' is not in {looked}; build the target neuron_port_tile or set NEURON_PORT_LIB_DIR")


def _take(pointer):
    """A string of the library's, freed; None for NULL."""
    if not pointer:
        return None
    text = ctypes.string_at(pointer).decode()
    library().np_tile_free(pointer)
    return text


@functools.cache
def schema():
    """Opcode to its arguments, from the library's instruction table."""
    out = {}
    for line in _take(library().np_tile_schema()).splitlines():
        opcode, *arguments = line.split()
        split = [argument.split(":") for argument in arguments]
        out[opcode] = [ArgumentSchema(name, kind, need == "required") for name, kind, need in split]
    return out


class Program:
    """Flat Tile IR, loaded."""

    def __init__(self, text, sizes=None):
        error = ctypes.c_void_p()
        bindings = " ".join(f"{name}={value}" for name, value in (sizes or {}).items())
        self._handle = library().np_tile_load(text.encode(), bindings.encode(), ctypes.byref(error))
        if not self._handle:
            raise TileError(_take(error.value))
        self._legal_on = set()

    def __del__(self):
        if getattr(self, "_handle", None):
            library().np_tile_release(self._handle)

    def text(self):
        """The canonical flat text."""
        return _take(library().np_tile_text(self._handle))

    def verify(self, target):
        """Raises TileError with the hardware rules that the program breaks on "trn2" or "trn3"."""
        if target in self._legal_on:
            return
        broken = _take(library().np_tile_verify(self._handle, target.encode()))
        if broken:
            raise TileError(broken)
        self._legal_on.add(target)

    def run(self, inputs, outputs):
        """Runs on C-contiguous arrays; `outputs` are written."""
        error = _take(library().np_tile_run(self._handle, *_arrays(inputs), *_arrays(outputs)))
        if error:
            raise TileError(error)

    def cost(self, target):
        """The cost model's answer as JSON text."""
        error = ctypes.c_void_p()
        text = _take(library().np_tile_cost(self._handle, target.encode(), ctypes.byref(error)))
        if text is None:
            raise TileError(_take(error.value))
        return text


def _arrays(arrays):
    for array in arrays:
        if not array.flags.c_contiguous:
            raise ValueError("arrays must be C-contiguous")
    pointers = (ctypes.c_void_p * max(1, len(arrays)))(*[array.ctypes.data for array in arrays])
    sizes = (ctypes.c_size_t * max(1, len(arrays)))(*[array.nbytes for array in arrays])
    return pointers, sizes, len(arrays)


def numpy_dtype(dtype):
    """The NumPy type that holds elements of an NKI dtype; bfloat16 is held as uint16 bit patterns."""
    return numpy.dtype(numpy.uint16 if dtype.name == "bfloat16" else dtype.name)

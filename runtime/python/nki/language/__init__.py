"""`nki.language`: dtypes, memories, allocation, the names of operations.

Operations (nl.add, nl.exp ..) are values to pass as `op=`; as calls they are experimental in NKI and not modelled.
"""

import contextlib
import types

from nki import _table, _tracer, _types
from nki._tensor import NkiTensor

globals().update(_types.DTYPES)
globals().update(_types.MEMORIES)

affine_range = sequential_range = static_range = range


def ds(start, size):
    """`tensor[nl.ds(start, size)]` is `tensor[start:start + size]`."""
    return slice(start, start + size)


def ndarray(shape, dtype, buffer=_types.MEMORIES["sbuf"], name="", address=None):
    """A tensor with unknown contents; kernel outputs are in nl.shared_hbm."""
    if address is not None:
        raise NotImplementedError("nl.ndarray(address=) is not modelled by the stand-in")
    if not isinstance(buffer, _types.MemoryRegion):
        raise TypeError(f"{buffer!r} is no memory; use nl.sbuf, nl.psum, nl.private_hbm or nl.shared_hbm")
    return _tracer.current().allocate(shape, _types.dtype_of(dtype), buffer)


def full(shape, fill_value, dtype, buffer=_types.MEMORIES["sbuf"], name=""):
    """A tensor filled by one memset."""
    tensor = ndarray(shape, dtype, buffer)
    _tracer.current().record("memset", {"dst": tensor, "value": fill_value})
    return tensor


def zeros(shape, dtype, buffer=_types.MEMORIES["sbuf"], name=""):
    return full(shape, 0, dtype, buffer)


def ones(shape, dtype, buffer=_types.MEMORIES["sbuf"], name=""):
    return full(shape, 1, dtype, buffer)


def empty_like(x, dtype=None, buffer=None, name="", *, transpose_axes=None, address=None):
    if transpose_axes is not None:
        raise NotImplementedError("nl.empty_like(transpose_axes=) is not modelled by the stand-in")
    return ndarray(x.shape, dtype or x.dtype, buffer or x.buffer, address=address)


def zeros_like(x, dtype=None, buffer=None, name=""):
    return zeros(x.shape, dtype or x.dtype, buffer or x.buffer)


def is_hbm(buffer):
    return buffer.tile == "hbm"


def is_sbuf(buffer):
    return buffer.tile == "sbuf"


def is_psum(buffer):
    return buffer.tile == "psum"


def is_on_chip(buffer):
    return not is_hbm(buffer)


def program_id(axis=0):
    """One physical core per logical core here."""
    return 0


def num_programs(axes=0):
    return 1


def program_ndim():
    return 1


@contextlib.contextmanager
def no_reorder():
    """The interpreter keeps program order anyway."""
    yield


def _tile_size():
    """Constants such as nl.tile_size.pmax, where the table gives a number."""
    out = types.SimpleNamespace()
    for name, row in _table.entries().items():
        if name.startswith("nki.language.tile_size."):
            number = row["constraints"].split()[0] if row["constraints"] else ""
            if number.isdigit():
                setattr(out, name.rpartition(".")[2], int(number))
    return out


tile_size = _tile_size()


def __getattr__(name):
    if name in _types.UNMODELLED_DTYPES:
        raise NotImplementedError(f"'nl.{name}' exists in NKI but the stand-in does not model it")
    if (found := _types.function(name)) is not None:
        return found
    raise _table.missing_attribute("nki.language", name)

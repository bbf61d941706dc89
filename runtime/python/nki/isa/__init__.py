"""`nki.isa`: one function per instruction, destination first, as the NKI call table has it."""

from nki import _backend, _table, _tracer


def get_nc_version():
    return _table.enumeration("nc_version").gen3


def _instruction(opcode):
    def call(*args, **kwargs):
        tracer = _tracer.current()
        given = _table.bind(f"nki.isa.{opcode}", args, kwargs)
        if opcode == "tensor_reduce":
            _check_keepdims(given)
        tracer.record(opcode, given)

    call.__name__ = call.__qualname__ = opcode
    call.__doc__ = _table.entries()[f"nki.isa.{opcode}"]["signature"]
    return call


def _check_keepdims(given):
    """`keepdims` says what shape dst has; the instruction only counts elements."""
    data, dst, axis = given["data"], given["dst"], given["axis"]
    axes = {axis % data.ndim} if isinstance(axis, int) else {each % data.ndim for each in axis}
    kept = [1 if dim in axes else size for dim, size in enumerate(data.shape)]
    if given.get("keepdims") and list(dst.shape) != kept:
        raise ValueError(f"nisa.tensor_reduce(keepdims=True): dst has shape {dst.shape}, not {tuple(kept)}")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if _table.is_enumeration(name):
        found = _table.enumeration(name)
    elif f"nki.isa.{name}" in _table.entries() and name in _backend.schema():
        found = _instruction(name)
    else:
        raise _table.missing_attribute("nki.isa", name)
    globals()[name] = found
    return found

"""Records the instructions of a kernel while Python runs it, and writes them as Tile IR text.

Argument names and kinds come from the library's instruction table, defaults from the NKI call table: an argument that
Tile IR does not model must have its default value.
"""

import contextlib
import contextvars
import enum
import numbers

from nki import _backend, _table, _types
from nki._tensor import Buffer, NkiTensor, row_major

_active = contextvars.ContextVar("nki_tracer", default=None)


def is_tracing():
    return _active.get() is not None


def current():
    tracer = _active.get()
    if tracer is None:
        raise RuntimeError("NKI calls work inside a kernel only: call it through nki.run, nki.simulate or @nki.jit")
    return tracer


class Tracer:
    def __init__(self, name):
        self._name = name
        self._inputs, self._tiles, self._lines = [], [], []

    @contextlib.contextmanager
    def active(self):
        token = _active.set(self)
        try:
            yield self
        finally:
            _active.reset(token)

    def input(self, shape, dtype):
        buffer = Buffer(f"in{len(self._inputs)}", _types.MEMORIES["shared_hbm"], dtype, tuple(shape), is_input=True)
        self._inputs.append(buffer)
        return NkiTensor(buffer, row_major(buffer.shape))

    def allocate(self, shape, dtype, memory):
        shape = tuple(_extent(extent) for extent in ([shape] if isinstance(shape, int) else shape))
        buffer = Buffer(f"b{len(self._tiles)}", memory, dtype, shape)
        if buffer.on_chip and len(shape) < 2:
            raise ValueError(f"an on-chip tensor needs a partition and a free dimension, not shape {shape}")
        self._tiles.append(buffer)
        return NkiTensor(buffer, row_major(shape))

    def record(self, opcode, given):
        """One instruction; `given` maps parameter names to the values passed."""
        schema = _backend.schema()[opcode]
        modelled = {argument.name for argument in schema}
        for parameter, default in _table.signature(f"nki.isa.{opcode}"):
            if parameter in modelled or parameter in ("name", "keepdims") or parameter not in given:
                continue
            if not _is_default(given[parameter], default):
                text = f"nisa.{opcode}({parameter}={given[parameter]!r})"
                raise NotImplementedError(f"{text} is not modelled by the stand-in")
        parts = []
        for argument in schema:
            value = given.get(argument.name)
            if value is None and not argument.required:
                continue
            text = _argument_text(f"nisa.{opcode}", argument, value, given)
            parts.append(text if argument.required else f"{argument.name}={text}")
        self._lines.append(f"  {opcode} {', '.join(parts)}")

    def text(self, results):
        """Tile IR text of the kernel that returns these tensors."""
        outputs = [_output(result) for result in results]
        if len({id(buffer) for buffer in outputs}) != len(outputs):
            raise ValueError("a kernel returns each output once")
        params = [f"in {_declaration(buffer)}" for buffer in self._inputs]
        params += [f"out {_declaration(buffer)}" for buffer in outputs]
        tiles = [
            f"  tile %{buffer.name}: {buffer.memory.tile} {buffer.dtype.tile}{_extents(buffer)}"
            for buffer in self._tiles
            if not any(buffer is output for output in outputs)
        ]
        return "\n".join([f"kernel @{self._name}({', '.join(params)}) {{", *tiles, *self._lines, "}", ""])


def _extent(extent):
    if isinstance(extent, bool) or not hasattr(extent, "__index__"):
        raise TypeError(f"a shape holds integers, not {extent!r}")
    return extent.__index__()


def _output(result):
    if not isinstance(result, NkiTensor):
        raise TypeError(f"a kernel returns tensors, not {result!r}")
    if result._storage.is_input:
        raise NotImplementedError("returning an input is not modelled; write a fresh nl.shared_hbm tensor")
    if result._storage.memory.name != "shared_hbm" or not result._is_whole():
        raise ValueError("a kernel returns whole tensors made by nl.ndarray(.., buffer=nl.shared_hbm)")
    return result._storage


def _extents(buffer):
    return "[" + ", ".join(str(extent) for extent in buffer.shape) + "]"


def _declaration(buffer):
    return f"%{buffer.name}: {buffer.dtype.tile}{_extents(buffer)}"


def _is_default(value, default):
    text = value.name if isinstance(value, enum.Enum) else repr(value)
    return text == default or text == default.rpartition(".")[2] or (value == () and default in ("()", "None"))


def _argument_text(call, argument, value, given):
    try:
        return _RENDER[argument.kind](value, argument, given)
    except TypeError as error:
        raise TypeError(f"{call}({argument.name}=): {error}") from None


def _view(value, *_):
    if not isinstance(value, NkiTensor):
        raise TypeError(f"expected a tensor, got {value!r}")
    pairs = ", ".join(f"[{step}, {size}]" for step, size in value._dims)
    text = f"%{value._storage.name}.ap({value._offset}, {pairs})"
    if value._dtype != value._storage.dtype:
        text += f".as({value._dtype.tile})"
    return text if value._index is None else f"{text}.gather({_view(value._index)})"


def _number(value, argument, given):
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"expected a number, got {value!r}")
    to_integers = argument.name == "value" and given["dst"].dtype.name.startswith(("int", "uint"))
    if to_integers and not isinstance(value, numbers.Integral):
        raise TypeError(f"a memset of {given['dst'].dtype!r} takes an integer, not {value!r}")
    return repr(float(value))


def _scalar(value, argument, given):
    if isinstance(value, NkiTensor):
        return _view(value)
    # Unary operations take no operand.
    return "0.0" if value is None else _number(value, argument, given)


def _flag(value, *_):
    if not isinstance(value, bool):
        raise TypeError(f"expected True or False, got {value!r}")
    return str(value).lower()


def _integer(value, *_):
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"expected an integer, got {value!r}")
    return str(int(value))


def _function(value, *_):
    if not isinstance(value, _types.Function):
        raise TypeError(f"expected a function of nki.language such as nl.add, got {value!r}")
    return value.name


def _axes(value, argument, given):
    axes = [value] if isinstance(value, numbers.Integral) else list(value)
    rank = given["data"].ndim
    return "[" + ", ".join(_integer(axis + rank * (axis < 0)) for axis in axes) + "]"


def _pattern(value, *_):
    return "[" + ", ".join(f"[{_integer(step)}, {_integer(size)}]" for step, size in value) + "]"


def _member(enumeration):
    def render(value, *_):
        if not isinstance(value, _table.enumeration(enumeration)):
            raise TypeError(f"expected a member of nisa.{enumeration}, got {value!r}")
        return value.name

    return render


_RENDER = {
    "view": _view,
    "scalar": _scalar,
    "number": _number,
    "flag": _flag,
    "tristate": _flag,
    "integer": _integer,
    "function": _function,
    "axes": _axes,
    "pattern": _pattern,
    "engine": _member("engine"),
    "reduce_command": _member("reduce_cmd"),
    "oob_mode": _member("oob_mode"),
}

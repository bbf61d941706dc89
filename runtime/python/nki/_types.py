"""Dtypes, memory regions and functions of `nki.language`, as values that kernels pass around."""

import dataclasses

from nki import _table


@dataclasses.dataclass(frozen=True)
class DType:
    """An element type: its NKI name and its name in Tile IR."""

    name: str
    tile: str
    bytes: int

    def __repr__(self):
        return f"nl.{self.name}"


DTYPES = {
    dtype.name: dtype
    for dtype in (
        DType("float32", "f32", 4),
        DType("float16", "f16", 2),
        DType("bfloat16", "bf16", 2),
        DType("int32", "i32", 4),
        DType("uint32", "u32", 4),
        DType("int16", "i16", 2),
        DType("uint16", "u16", 2),
        DType("int8", "i8", 1),
        DType("uint8", "u8", 1),
    )
}
# NKI has these, Tile IR does not.
UNMODELLED_DTYPES = (
    "tfloat32 bool_ float8_e4m3 float8_e4m3fn float8_e5m2 float8_e8m0fnu "
    "float8_e4m3fn_x4 float8_e5m2_x4 float4_e2m1fn_x4"
).split()


def dtype_of(value):
    """A DType from one, or from its name as NKI also accepts it."""
    if isinstance(value, DType):
        return value
    if isinstance(value, str) and value in DTYPES:
        return DTYPES[value]
    raise TypeError(f"{value!r} is no NKI dtype; use nl.float32, nl.bfloat16, nl.int32 ..")


@dataclasses.dataclass(frozen=True)
class MemoryRegion:
    """Where a tensor lives: its NKI name and the memory in Tile IR."""

    name: str
    tile: str

    def __repr__(self):
        return f"nl.{self.name}"


MEMORIES = {
    "sbuf": MemoryRegion("sbuf", "sbuf"),
    "psum": MemoryRegion("psum", "psum"),
    "private_hbm": MemoryRegion("private_hbm", "hbm"),
    "shared_hbm": MemoryRegion("shared_hbm", "hbm"),
}
MEMORIES["hbm"] = MEMORIES["private_hbm"]


@dataclasses.dataclass(frozen=True)
class Function:
    """An nl function as the `op` of an instruction."""

    name: str

    def __repr__(self):
        return f"nl.{self.name}"

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(
            f"nl.{self.name}() as a call is an experimental convenience that the stand-in does not model; "
            f"pass op=nl.{self.name} to an instruction of nki.isa"
        )


def function(name):
    """The function of this name, or None if the table knows no such operation."""
    rows = _table.entries()
    return Function(name) if f"aluop:{name}" in rows or f"actfn:{name}" in rows else None

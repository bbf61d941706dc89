"""NkiTensor: a view of a buffer in HBM, SBUF or PSUM while a kernel is traced.

A view is an offset and a list of (step, size) over the buffer's flattened storage, which is also what Tile IR's flat
form holds; every view method only rewrites that list. A tensor is a device value: it has a shape, but no number that
Python could test, so using one in `if`, `while`, `range` or a comparison is a TypeError.
"""

import dataclasses
import math

from nki import _types


@dataclasses.dataclass
class Buffer:
    """Storage: made by a kernel argument or by nl.ndarray."""

    name: str
    memory: _types.MemoryRegion
    dtype: _types.DType
    shape: tuple
    is_input: bool = False

    @property
    def on_chip(self):
        return self.memory.tile != "hbm"


class NkiTensor:
    def __init__(self, storage, dims, offset=0, dtype=None, index=None):
        self._storage = storage
        self._dims = list(dims)
        self._offset = offset
        self._dtype = dtype or storage.dtype
        self._index = index

    shape = property(lambda self: tuple(size for _, size in self._dims))
    ndim = property(lambda self: len(self._dims))
    dtype = property(lambda self: self._dtype)
    buffer = property(lambda self: self._storage.memory)

    def _with(self, dims, offset=None):
        return NkiTensor(self._storage, dims, self._offset if offset is None else offset, self._dtype, self._index)

    def _is_whole(self):
        return self._offset == 0 and self._index is None and self._dims == row_major(self._storage.shape)

    def _check_dim(self, dim, partition_too=False):
        """A dimension that a view method may change."""
        if not -self.ndim <= dim < self.ndim:
            raise IndexError(f"dimension {dim} of a tensor with {self.ndim}")
        dim %= self.ndim
        if dim == 0 and self._storage.on_chip and not partition_too:
            raise ValueError("the partition dimension of an on-chip tensor cannot be changed")
        return dim

    # Views

    def __getitem__(self, key):
        key = list(key) if isinstance(key, tuple) else [key]
        if Ellipsis in [part for part in key if not isinstance(part, NkiTensor)]:
            at = key.index(Ellipsis)
            key[at : at + 1] = [slice(None)] * (self.ndim - len(key) + 1)
        if len(key) > self.ndim:
            raise IndexError(f"{len(key)} indices for a tensor with {self.ndim} dimensions")
        key += [slice(None)] * (self.ndim - len(key))
        dims, offset = [], self._offset
        for position, (part, (step, size)) in enumerate(zip(key, self._dims)):
            if isinstance(part, slice):
                start, count, stride = _resolve(part, size, position)
                dims.append((step * stride, count))
            else:
                start = _index(part, size, position)
                if position == 0 and self._storage.on_chip:
                    dims.append((step, 1))  # the partition dimension stays
            offset += start * step
        return self._with(dims, offset)

    def slice(self, dim, start, end, step=1):
        key = [slice(None)] * self.ndim
        key[self._check_dim(dim, partition_too=True)] = slice(start, end, step)
        return self[tuple(key)]

    def select(self, dim, index):
        if isinstance(index, NkiTensor):
            raise NotImplementedError("select() with a tensor is not modelled by the stand-in; use .ap(vector_offset=)")
        key = [slice(None)] * self.ndim
        key[self._check_dim(dim)] = index
        return self[tuple(key)]

    def permute(self, dims):
        if sorted(dims) != list(range(self.ndim)):
            raise ValueError(f"{dims!r} is no permutation of {self.ndim} dimensions")
        if self._storage.on_chip and dims[0] != 0:
            raise ValueError("permute() must leave the partition dimension of an on-chip tensor first")
        return self._with([self._dims[dim] for dim in dims])

    def broadcast(self, dim, size):
        dim = self._check_dim(dim)
        if self._dims[dim][1] != 1:
            raise ValueError(f"broadcast() needs size 1 in dimension {dim}, it is {self._dims[dim][1]}")
        dims = list(self._dims)
        dims[dim] = (0, size)
        return self._with(dims)

    def expand_dim(self, dim):
        if dim == 0 and self._storage.on_chip:
            raise ValueError("the partition dimension of an on-chip tensor stays first")
        return self._with([*self._dims[:dim], (1, 1), *self._dims[dim:]])

    def squeeze_dim(self, dim):
        dim = self._check_dim(dim)
        if self._dims[dim][1] != 1:
            raise ValueError(f"squeeze_dim() needs size 1 in dimension {dim}, it is {self._dims[dim][1]}")
        return self._with([*self._dims[:dim], *self._dims[dim + 1 :]])

    def reshape_dim(self, dim, shape):
        dim = self._check_dim(dim)
        step, size = self._dims[dim]
        if math.prod(shape) != size:
            raise ValueError(f"{size} elements do not fit the shape {tuple(shape)}")
        inner = [(step * inner_step, inner_size) for inner_step, inner_size in row_major(shape)]
        return self._with([*self._dims[:dim], *inner, *self._dims[dim + 1 :]])

    def flatten_dims(self, start_dim, end_dim):
        start, end = self._check_dim(start_dim), self._check_dim(end_dim)
        merged = self._dims[end]
        for step, size in reversed(self._dims[start:end]):
            if size != 1 and merged[1] != 1 and step != merged[0] * merged[1]:
                raise ValueError(f"dimensions {start} to {end} are not contiguous, they cannot be one")
            merged = (merged[0] if merged[1] != 1 else step, merged[1] * size)
        return self._with([*self._dims[:start], merged, *self._dims[end + 1 :]])

    def reshape(self, shape):
        if math.prod(shape) != math.prod(self.shape):
            raise ValueError(f"a tensor of shape {self.shape} cannot be reshaped to {tuple(shape)}")
        if not self.is_contiguous():
            raise ValueError("reshape() needs a contiguous tensor")
        first = [self._dims[0]] if self._storage.on_chip else []
        if first and shape[0] != self.shape[0]:
            raise ValueError("reshape() must leave the partition dimension of an on-chip tensor")
        return self._with(first + row_major(shape)[len(first) :])

    def view(self, dtype):
        dtype = _types.dtype_of(dtype)
        if dtype.bytes != self._dtype.bytes:
            raise NotImplementedError("view() to an element type of another size is not modelled by the stand-in")
        return NkiTensor(self._storage, self._dims, self._offset, dtype, self._index)

    def ap(self, pattern, offset=None, scalar_offset=None, vector_offset=None, indirect_dim=0, dtype=None):
        if not self._is_whole():
            raise NotImplementedError("ap() of a view is not modelled by the stand-in; call it on the whole tensor")
        if scalar_offset is not None:
            raise NotImplementedError("ap(scalar_offset=) is not modelled by the stand-in")
        if vector_offset is not None and (not isinstance(vector_offset, NkiTensor) or indirect_dim != 0):
            raise NotImplementedError("ap(vector_offset=) takes a tensor and indirect_dim=0 here")
        dims = [(_integer(step, "a step"), _integer(size, "a size")) for step, size in pattern]
        if not 1 <= len(dims) <= 5:
            raise ValueError(f"ap() takes 1 to 5 dimensions, not {len(dims)}")
        storage = self._storage
        start = 0 if offset is None else _integer(offset, "the offset")
        view = NkiTensor(storage, dims, start, self._dtype, vector_offset)
        return view if dtype is None else view.view(dtype)

    # Questions

    def is_contiguous(self):
        at = 1
        for step, size in reversed(self._dims[1:] if self._storage.on_chip else self._dims):
            if size != 1 and step != at:
                return False
            at *= size
        return True

    def is_indirect(self):
        return self._index is not None

    def get_pattern(self):
        return [[step, size] for step, size in self._dims]

    def __repr__(self):
        return f"<NkiTensor {self._storage.name} {self.shape} {self._dtype.name} in {self._storage.memory.name}>"

    def __setitem__(self, key, value):
        raise NotImplementedError("assigning to a tensor is not modelled; use nisa.dma_copy or nisa.tensor_copy")

    def __getattr__(self, name):
        if name in ("rearrange", "vector_select", "indirect"):
            raise NotImplementedError(f"NkiTensor.{name}() is not modelled by the stand-in")
        raise AttributeError(f"NkiTensor has no '{name}'")

    def _steers(self, *_):
        raise TypeError(
            "a device value cannot steer Python: if, while, range, comparisons and iteration take sizes and Python "
            "numbers only; use nisa.tensor_copy_predicated or a select for choices that depend on data"
        )

    __bool__ = __index__ = __int__ = __float__ = __iter__ = __len__ = __contains__ = _steers
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _steers
    __hash__ = object.__hash__

    def _arithmetic(self, *_):
        raise TypeError("tensors have no Python arithmetic here; use nisa.tensor_tensor or nisa.tensor_scalar")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _arithmetic


def row_major(shape):
    """The (step, size) pairs of a dense array."""
    dims, step = [], 1
    for size in reversed(shape):
        dims.append((step, size))
        step *= size
    return dims[::-1]


def _integer(value, what):
    try:
        return value.__index__()
    except AttributeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None


def _index(part, size, position):
    at = _integer(part, f"index {position}")
    if not -size <= at < size:
        raise IndexError(f"index {at} in dimension {position} of size {size}")
    return at % size


def _resolve(part, size, position):
    """Start, count and step of a slice. Unlike NumPy's, a slice that leaves the tensor is an error."""
    step = 1 if part.step is None else _integer(part.step, "a slice step")
    start = 0 if part.start is None else _integer(part.start, "a slice start")
    stop = size if part.stop is None else _integer(part.stop, "a slice end")
    start, stop = start + size * (start < 0), stop + size * (stop < 0)
    count = -((start - stop) // step) if step > 0 else 0
    if step < 1 or count < 1 or start < 0 or start + (count - 1) * step >= size:
        text = f"{part.start}:{part.stop}:{part.step}"
        raise IndexError(f"slice {text} in dimension {position} of size {size} is empty or leaves it")
    return start, count, step

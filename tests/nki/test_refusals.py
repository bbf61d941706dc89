"""What is not NKI is refused, by name."""

import numpy
import pytest

import nki
import nki.isa as nisa
import nki.language as nl

import kernels

X = numpy.ones((4, 8), numpy.float32)


def run(body, x=X):
    return nki.run(kernels.copy_with(body), (x,))


def tile(*shape, dtype=nl.float32, buffer=nl.sbuf):
    return nl.ndarray(shape, dtype, buffer=buffer)


CASES = {
    "unknown call": (
        lambda x, t: nisa.tensor_tensr,
        AttributeError,
        "'nki.isa' has no 'tensor_tensr'; did you mean 'tensor_tensor'?",
    ),
    "removed call": (lambda x, t: nl.arange(4), AttributeError, "'nki.language' has no 'arange'"),
    "unmodelled call": (lambda x, t: nisa.bn_stats, NotImplementedError, "'nki.isa.bn_stats' exists in NKI but"),
    "unknown keyword": (
        lambda x, t: nisa.memset(dst=t, valu=0.0),
        TypeError,
        "nki.isa.memset() has no argument 'valu'; did you mean 'value'?",
    ),
    "mask of Beta 1": (lambda x, t: nisa.tensor_copy(dst=t, src=t, mask=None), TypeError, "has no argument 'mask'"),
    "missing argument": (lambda x, t: nisa.tensor_tensor(dst=t, data1=t, data2=t), TypeError, "misses 'op'"),
    "too many arguments": (lambda x, t: nisa.reciprocal(t, t, "n", 1), TypeError, "takes 3 arguments, 4 are given"),
    "argument twice": (lambda x, t: nisa.reciprocal(t, dst=t), TypeError, "got several values for 'dst'"),
    "unknown dtype": (lambda x, t: tile(4, 8, dtype=nl.float64), AttributeError, "'nki.language' has no 'float64'"),
    "unmodelled dtype": (lambda x, t: tile(4, 8, dtype=nl.float8_e5m2), NotImplementedError, "nl.float8_e5m2"),
    "no dtype": (lambda x, t: tile(4, 8, dtype=numpy.float32), TypeError, "is no NKI dtype"),
    "unknown engine": (lambda x, t: nisa.memset(t, 0.0, engine=nisa.engine.turbo), AttributeError, "turbo"),
    "engine as string": (lambda x, t: nisa.memset(t, 0.0, engine="vector"), TypeError, "a member of nisa.engine"),
    "op as string": (lambda x, t: nisa.tensor_tensor(t, t, t, "add"), TypeError, "expected a function of nki.language"),
    "unmodelled argument": (
        lambda x, t: nisa.dma_copy(t, x, dge_mode=nisa.dge_mode.swdge),
        NotImplementedError,
        "nisa.dma_copy(dge_mode=",
    ),
    "float into an integer memset": (
        lambda x, t: nisa.memset(tile(4, 8, dtype=nl.int32), 1.0),
        TypeError,
        "takes an integer",
    ),
    "number where a tensor is meant": (lambda x, t: nisa.tensor_copy(t, 1.0), TypeError, "expected a tensor, got 1.0"),
    "operation as a call": (lambda x, t: nl.add(t, t), NotImplementedError, "nl.add() as a call"),
    "arithmetic operator": (lambda x, t: t + t, TypeError, "tensors have no Python arithmetic"),
    "if on a tensor": (lambda x, t: 1 if t else 0, TypeError, "a device value cannot steer Python"),
    "while on a comparison": (lambda x, t: t[0:1, 0:1] > 0, TypeError, "a device value cannot steer Python"),
    "range over a tensor": (lambda x, t: range(t), TypeError, "a device value cannot steer Python"),
    "loop over a tensor": (lambda x, t: [row for row in t], TypeError, "a device value cannot steer Python"),
    "tensor as a slice bound": (lambda x, t: t[0:4, 0:t], TypeError, "a device value cannot steer Python"),
    "slice beyond the end": (lambda x, t: t[0:4, 0:9], IndexError, "leaves it"),
    "empty slice": (lambda x, t: t[0:0, 0:8], IndexError, "is empty"),
    "index beyond the end": (lambda x, t: x[4], IndexError, "index 4 in dimension 0 of size 4"),
    "partition permuted": (lambda x, t: t.permute((1, 0)), ValueError, "leave the partition dimension"),
    "partition broadcast": (lambda x, t: t[0:1].broadcast(0, 4), ValueError, "partition dimension"),
    "assignment": (lambda x, t: t.__setitem__(0, 1.0), NotImplementedError, "assigning to a tensor"),
    "one-dimensional tile": (lambda x, t: tile(4), ValueError, "a partition and a free dimension"),
    # Rules of the hardware, from the tile library.
    "129 partitions": (lambda x, t: nisa.memset(tile(129, 1), 0.0), nki.TileError, "rule partitions"),
    "DMA from PSUM": (lambda x, t: nisa.dma_copy(t, tile(4, 8, buffer=nl.psum)), nki.TileError, "rule memory"),
    "uninitialised read": (lambda x, t: nisa.tensor_copy(t, tile(4, 8)), nki.TileError, "rule initialised"),
    "shapes that differ": (lambda x, t: nisa.tensor_copy(t[:, 0:4], t[:, 4:7]), nki.TileError, "rule same-elements"),
    "writing an input": (lambda x, t: nisa.dma_copy(x, t), nki.TileError, "rule read-only"),
    "wrong engine": (
        lambda x, t: nisa.tensor_tensor(t, t, t, nl.add, engine=nisa.engine.scalar),
        nki.TileError,
        "rule engine",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name):
    body, error, message = CASES[name]
    with pytest.raises(error) as caught:
        run(body)
    assert message in str(caught.value)


def test_the_same_kernel_without_a_fault_runs():
    assert (run(lambda x, t: nisa.tensor_scalar(t, t, nl.add, 1.0))[0] == 2).all()


def test_calls_outside_a_kernel():
    with pytest.raises(RuntimeError, match="inside a kernel only"):
        nl.ndarray((4, 8), nl.float32, buffer=nl.sbuf)


@pytest.mark.parametrize("dtype", ["float64", "int64", "complex64"])
def test_arrays_of_other_types(dtype):
    with pytest.raises(TypeError, match="is no NKI dtype"):
        run(lambda x, t: None, X.astype(dtype))


def test_results_must_be_fresh_outputs():
    def returns_input(x):
        return x

    def returns_tile(x):
        return nl.ndarray((4, 8), nl.float32, buffer=nl.sbuf)

    def returns_number(x):
        return 3

    cases = ((returns_input, NotImplementedError), (returns_tile, ValueError), (returns_number, TypeError))
    for kernel, error in cases:
        with pytest.raises(error):
            nki.run(kernel, (X,))


def test_unwritten_output():
    def nothing(x):
        return nl.ndarray((4, 8), nl.float32, buffer=nl.shared_hbm)

    with pytest.raises(nki.TileError, match="rule output-written: 32 of 32"):
        nki.run(nothing, (X,))


def test_index_outside_the_table():
    table, tok = numpy.ones((11, 5), numpy.float32), numpy.array([3, 11], numpy.int32)
    with pytest.raises(nki.TileError, match="index 11 at partition 1 is outside"):
        kernels.embedding(table, tok)


def test_unknown_attribute_of_nki():
    with pytest.raises(AttributeError, match="'nki' has no 'baremetal'"):
        nki.baremetal

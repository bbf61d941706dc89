"""Hand-written kernels give what NumPy gives, in every size and dtype that the stand-in takes."""

import numpy
import pytest

import nki

import kernels

rng = numpy.random.default_rng(7)


def normal(*shape):
    return rng.normal(size=shape).astype(numpy.float32)


@pytest.mark.parametrize("n", [1, 67, 512, 1000, 512 * 130 + 3])
def test_saxpy(n):
    x, y, a = normal(n), normal(n), numpy.array([[2.5]], numpy.float32)
    (out,) = nki.run(kernels.saxpy, (x, y, a, n))
    numpy.testing.assert_array_equal(out, a[0, 0] * x + y)


@pytest.mark.parametrize("shape", [(3, 67), (128, 1), (300, 513)])
def test_softmax(shape):
    x = normal(*shape)
    e = numpy.exp(x - x.max(1, keepdims=True))
    numpy.testing.assert_allclose(kernels.softmax(x, *shape), e / e.sum(1, keepdims=True), rtol=3e-6)


@pytest.mark.parametrize("shape", [(19, 37, 23), (130, 260, 600)])
def test_matmul(shape):
    m, k, n = shape
    a, b = normal(m, k), normal(k, n)
    numpy.testing.assert_allclose(nki.simulate(kernels.matmul)(a, b), a.astype(float) @ b, rtol=1e-4, atol=1e-4)


def test_matmul_of_bfloat16_multiplies_rounded_values():
    a, b = nki.Bfloat16.from_float32(normal(5, 9)), nki.Bfloat16.from_float32(normal(9, 4))
    (c,) = nki.run(kernels.matmul, (a, b))
    numpy.testing.assert_allclose(c, a.to_float32() @ b.to_float32(), rtol=1e-6, atol=1e-6)


def test_bfloat16_results_come_back_as_bits():
    bits = numpy.arange(12, dtype=numpy.uint16).reshape(3, 4) + 0x3F80
    (y,) = nki.run(kernels.copy_with(lambda x, t: None), (nki.Bfloat16(bits),))
    numpy.testing.assert_array_equal(y.bits, bits)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint32", "int16", "uint16", "int8", "uint8", "bool"])
def test_dtypes_survive_a_copy(dtype):
    x = numpy.array([[0, 1, 3], [7, 100, 101]]).astype(dtype)
    (y,) = nki.run(kernels.copy_with(lambda x, t: None), (x,))
    numpy.testing.assert_array_equal(y.view(dtype) if dtype == "bool" else y, x)


def test_gather_and_two_results():
    table, tok = normal(11, 5), numpy.array([3, 10, 0, 3], numpy.int32)
    y, z = kernels.embedding(table, tok)
    numpy.testing.assert_array_equal(y, table[tok])
    numpy.testing.assert_array_equal(z, 2 * table[tok])


def test_strided_inputs_are_read_in_order():
    x = normal(8, 6)
    numpy.testing.assert_array_equal(nki.run(kernels.copy_with(lambda x, t: None), (x.T,))[0], x.T)


def test_inputs_stay_as_they_were():
    x = normal(3, 67)
    before = x.copy()
    kernels.softmax(x, 3, 67)
    numpy.testing.assert_array_equal(x, before)


def test_programs_are_kept_per_specialisation():
    kernels.softmax._programs.clear()
    for rows in (3, 3, 4):
        kernels.softmax(normal(rows, 5), rows, numpy.int64(5))
    assert len(kernels.softmax._programs) == 2


def test_result_types_need_no_data():
    types = nki.result_types(kernels.embedding, (nki.ShapeOnly((11, 5), "bfloat16"), nki.ShapeOnly((4,), "int32")))
    assert types == [((4, 5), "bfloat16")] * 2


def test_cost_is_an_interval_with_a_bound():
    shapes = (nki.ShapeOnly((2048, 4096), "float32"), 2048, 4096)
    trn2, trn3 = (nki.cost(kernels.softmax, shapes, target=target) for target in ("trn2", "trn3"))
    assert 0 < trn2["low_us"] <= trn2["estimate_us"] <= trn2["high_us"]
    assert trn2["bound"] == "dma" and trn2["dma_bytes"] == 2 * 2048 * 4096 * 4
    assert trn2["low_us"] == pytest.approx(trn2["roofline_us"]["dma"])
    assert trn3["low_us"] < trn2["low_us"]
    with pytest.raises(nki.TileError, match="\"trn9\" is no target"):
        nki.cost(kernels.softmax, shapes, target="trn9")

import numpy as np
from suite import case, f32, given, ints, out

half = lambda n: given("f16", n, "normal")
wide = lambda v, *shape: v.astype(float).reshape(shape)


@case(a=half(256), b=half(256), c=out("f32", 256), tol=1e-6)
def wmma_half(a, b):
    return wide(a, 16, 16) @ wide(b, 16, 16) + 1


@case(a=half(256), b=half(256), c=out("f32", 256), tol=1e-6)
def wmma_half_columns(a, b):
    return wide(a, 16, 16).T @ wide(b, 16, 16).T + 1


@case(a=half(512), b=half(128), c=out("f32", 256), tol=1e-6)
def wmma_tall(a, b):
    return wide(a, 32, 16) @ wide(b, 16, 8) + 1


@case(a=half(128), b=half(512), c=out("f32", 256), tol=1e-6)
def wmma_wide(a, b):
    return wide(a, 8, 16) @ wide(b, 32, 16).T + 1


@case(a=half(256), b=half(256), c=out("f16", 256), tol=2e-3)
def wmma_half_sum(a, b):
    return wide(a, 16, 16) @ wide(b, 16, 16) + 1


@case(a=given("bf16", 256, "normal"), b=given("bf16", 256, "normal"), c=out("f32", 256), tol=1e-6)
def wmma_bfloat(a, b):
    return wide(a, 16, 16) @ wide(b, 16, 16) + 1


@case(a=ints(256, -128, 127, "i8"), b=ints(256, -128, 127, "i8"), c=out("i32", 256))
def wmma_bytes(a, b):
    return wide(a, 16, 16) @ wide(b, 16, 16).T + 1


def tf32(v):
    return ((v.view(np.uint32) + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)


@case(a=f32(128), b=f32(128), c=out("f32", 256), tol=1e-6)
def wmma_tf32(a, b):
    return (wide(tf32(a), 16, 8) @ wide(tf32(b), 8, 16)).T


@case(grid=[2, 2], a=half(32 * 48), b=half(48 * 32), c=out("f32", 1024), k=48, tol=1e-5)
def wmma_tiled(a, b):
    return wide(a, 32, 48) @ wide(b, 48, 32)


@case(a=half(256), b=half(128), c=out("f32", 128), tol=1e-6)
def mma_with_ldmatrix(a, b):
    return wide(a, 16, 16) @ wide(b, 16, 8)


@case(a=ints(128, -(2**31), 2**31 - 1), b=ints(64, -(2**31), 2**31 - 1), c=out("i32", 128))
def mma_bytes_deep(a, b):
    return wide(a.view(np.int8), 16, 32) @ wide(b.view(np.int8), 8, 32).T


def byte_floats(words, mantissa, least, *shape):
    codes = words.view(np.uint8).astype(int) & 0x77
    e, f = codes >> mantissa, codes & ((1 << mantissa) - 1)
    whole = np.where(e == 0, f, f + (1 << mantissa))
    return (whole * 2.0 ** (np.maximum(e - 1, 0) + least - mantissa)).reshape(shape)


@case(a=ints(128, -(2**31), 2**31 - 1), b=ints(64, -(2**31), 2**31 - 1), c=out("f32", 128), tol=1e-6)
def mma_byte_floats(a, b):
    return byte_floats(a, 3, -6, 16, 32) @ byte_floats(b, 2, -14, 8, 32).T + 1

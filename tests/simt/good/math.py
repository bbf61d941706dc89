import math

import numpy as np
from fp8_values import E4M3, E5M2, nearest
from suite import case, f32, given, ints, out

T = np.arange(32)
POSITIVE = {"kind": "uniform", "low": 0.1, "high": 4.0}
WORDS = (-(2**31), 2**31 - 1)
vector = lambda f: np.vectorize(f, otypes=[float])


@case(x=f32(32, POSITIVE), y=out("f32", 192), tol=2e-6)
def float_functions(x):
    v = x.astype(float)
    return np.concatenate(
        [
            np.sqrt(v) + 1 / np.sqrt(v + 1) + np.cbrt(v),
            np.exp(v) - np.expm1(v) + np.log(v) + np.log1p(v) + np.log2(v),
            np.sin(v) * np.cos(v) + np.tanh(v) + np.arctan2(v, 2),
            v**1.5 + np.hypot(v, 3) + np.fmod(x, np.float32(0.7)),
            1 + np.floor(v) + np.ceil(v) + np.trunc(v) + np.rint(v),
            np.maximum(v, 1) + np.minimum(v, 1) + v - v + np.maximum(v - 1, 0),
        ]
    )


@case(x=f32(32, POSITIVE), y=out("f32", 32), tol=2e-6)
def fast_functions(x):
    v = x.astype(float)
    return np.exp(v) + np.log(v) + np.sin(v) + np.cos(v) + v**1.5 + v / 3 + np.clip(v, 0, 1) + 1 / v


@case(x=given("f64", 32, POSITIVE), y=out("f64", 32), tol=1e-14)
def double_functions(x):
    v = x
    return np.sqrt(v) + np.exp(v) + np.log(v) + np.sin(v) * np.cos(v) + np.tanh(v) + v**2.5 + v * v - 1 + v**-0.5


@case(x=f32(32, POSITIVE), y=out("f32", 128))
def directed(x):
    exact = x.astype(float)
    product = exact * float(np.float32(1.1))
    cut = product.astype(np.float32)
    cut = np.where(cut > product, np.nextafter(cut, np.float32(0)), cut)
    # fma in double is exact here but for one rounding
    return np.stack([x, np.nextafter(x, np.float32(9)), cut, (exact * exact - 1).astype(np.float32)], 1)


@case(x=f32(32), y=out("i32", 224))
def to_integers(x):
    v = x * np.float32(10)
    huge = v * np.float32(1e9)
    return np.concatenate(
        [
            np.rint(v),
            np.trunc(v),
            np.floor(v),
            np.ceil(v),
            np.trunc(v),
            np.maximum(np.trunc(v), 0),
            np.clip(np.trunc(huge.astype(float)), -(2**31), 2**31 - 1),
        ]
    ).astype(np.int64)


@case(x=ints(32), y=out("f32", 64), z=out("f64", 32))
def from_integers(x):
    odd = (16777217 + 2 * T).astype(np.int64)
    return {"y": np.concatenate([2 * x + T, odd - odd % 2]), "z": x + x * 2.0**32}


@case(x=f32(32), y=out("i32", 32), a=given("f64", 32, "normal"), b=out("i64", 32))
def bit_casts(x, a):
    return {"y": x.view(np.int32) ^ 0x3F800000, "b": a.view(np.int64)}


@case(x=ints(32, 1, 2**32 - 1, "u32"), y=out("i32", 160))
def bits(x):
    rows = [[], [], [], [], []]
    for v in map(int, x):
        low = (v & -v).bit_length()
        rows[0].append(bin(v).count("1") + 100 * (32 - v.bit_length()) + 10000 * low)
        rows[1].append(int(f"{v:032b}"[::-1], 2))
        both = v | ((~v & 0xFFFFFFFF) << 32)
        rows[2].append(sum((both >> (8 * p) & 255) << (8 * k) for k, p in enumerate((5, 7, 1, 3))))
        rows[3].append((both << 7 >> 32) & 0xFFFFFFFF)
        wide = (v << 20 | v) & (2**64 - 1)
        rows[4].append(bin(wide).count("1") + (64 - (v << 9).bit_length()) + low + 9)
    return np.array(rows, np.uint64).astype(np.uint32).view(np.int32)


@case(x=ints(32, *WORDS), y=out("i32", 128), z=out("i64", 64))
def integer_products(x):
    a, b = [int(v) for v in x], [int(v) for v in x[::-1]]
    u = lambda v: v & 0xFFFFFFFF
    rows = [[p * q >> 32 for p, q in zip(a, b)], [u(p) * u(q) >> 32 for p, q in zip(a, b)]]
    rows.append([(p & 0xFFFF) * (q & 0xFF) for p, q in zip(a, b)])
    rows.append([abs(p - q) + 7 + ((p + q) >> 1) for p, q in zip(a, b)])
    return {
        "y": np.array([[u(v) for v in row] for row in rows], np.uint32).view(np.int32),
        "z": [(p << 20) * (q << 25) >> 64 for p, q in zip(a, b)] + [p * q for p, q in zip(a, b)],
    }


@case(x=ints(32, *WORDS), y=out("i32", 192))
def divisions(x):
    a, b = x.astype(np.int64), T % 7 - 9
    quotient = np.trunc(a / b).astype(np.int64)
    u = a & 0xFFFFFFFF
    return (np.concatenate([quotient, a - quotient * b, u // 7, a >> 3, u >> 3, a << 5]) & 0xFFFFFFFF).astype(
        np.uint32
    ).view(np.int32)


@case(x=ints(32, -(2**30), 2**30, "i64"), y=out("i64", 96))
def wide_integers(x):
    a = [int(v) for v in x]
    rows = [v * v - (v >> 5) + int(math.fmod(v, 1000003)) for v in a]
    rows += [(v & (2**64 - 1)) // 3 for v in a]
    return rows + [max(v, 0) + min(v, 5) + abs(v) for v in a]


@case(x=ints(32, -100, 100, "i8"), y=out("i16", 32), z=out("u8", 32))
def small_types(x):
    return {"y": x.astype(np.int16) * 300, "z": x.view(np.uint8)}


@case(y=out("f32", 32), z=out("i32", 32))
def special_values():
    return {"y": np.where(T < 16, np.inf, -np.inf), "z": np.full(32, 1 + 2 + 8 + 16 + 32)}


@case(x=f32(32, POSITIVE), y=out("f32", 96), z=out("i32", 32), tol=1e-6)
def out_through_pointers(x):
    return {"y": np.concatenate([np.ones(32), x, x]), "z": np.frexp(x)[1]}


@case(a=given("f16", 32, "normal"), b=given("f16", 32, "normal"), y=out("f16", 224))
def halves(a, b):
    w = lambda v: v.astype(float)
    rows = [a + b, a * b, (w(a) * w(b) + w(a)[0]).astype(np.float16), a / np.float16(3)]
    rows += [np.exp(a.astype(np.float32)).astype(np.float16), np.where(a > b, -a, np.abs(b)), a + b * np.float16(2)]
    return np.concatenate(rows)


@case(a=given("f16", 64, "normal"), b=given("f16", 64, "normal"), y=out("f16", 192))
def half_pairs(a, b):
    swapped = a.reshape(32, 2)[:, ::-1].ravel()
    fused = (a.astype(float) * b.astype(float) + 1).astype(np.float16)
    twice = np.stack([a[::2].astype(np.float32) * 2, a[1::2].astype(np.float32) + 1], 1).astype(np.float16)
    return np.concatenate([fused, np.maximum(a, b) + swapped, twice.ravel()])


def to_bfloat(v):
    bits = v.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)


@case(a=given("bf16", 32, "normal"), b=given("bf16", 32, "normal"), y=out("bf16", 96), z=out("f32", 32))
def bfloats(a, b):
    rows = [to_bfloat(a + b), to_bfloat(a * b), to_bfloat(a * np.float32(1.01))]
    return {"y": np.concatenate(rows), "z": a + b}


@case(x=f32(32), y=out("u8", 128), z=out("f32", 96))
def fp8(x):
    v = x * np.float32(60)
    a, b = [nearest(E4M3, q) for q in v], [nearest(E5M2, q) for q in v]
    value = lambda table, code: table[code & 0x7F] * (-1 if code & 0x80 else 1)
    four = [value(E4M3, c) for c in a]
    small, huge = [nearest(E4M3, q) for q in x * np.float32(1e-3)], [nearest(E5M2, q) for q in x * np.float32(1e6)]
    return {"y": a + b + small + huge, "z": four + [value(E5M2, c) for c in b] + four}


@case(a=ints(32, 0, 2**32 - 1, "u32"), b=ints(32, 0, 2**32 - 1, "u32"), y=out("u32", 128))
def simd_words(a, b):
    p, q = a.view(np.uint8).astype(int), b.view(np.uint8).astype(int)
    rows = [(p + q).astype(np.uint8).view(np.uint32), np.abs(p - q).astype(np.uint8).view(np.uint32)]
    rows.append(np.maximum(a.view(np.int16), b.view(np.int16)).view(np.uint32))
    return np.concatenate([*rows, (p * q).reshape(32, 4).sum(1) + 3])


@case(x=f32(32), y=out("f32", 32))
def no_contraction(x):
    return x * x - np.float32(1)

import numpy as np
from fp8_values import E4M3, E5M2, nearest
from suite import case, f32, given, inout, ints, out

T = np.arange(32)
WORDS = (0, 2**32 - 1, "u32")
signed = lambda v: np.array([int(q) & 0xFFFFFFFF for q in v], np.uint32).view(np.int32)


@case(x=f32(64), y=out("f32", 32))
def loads_and_stores(x):
    return x[:32] + x[32:]


@case(x=ints(128, *WORDS), y=out("u32", 128))
def vector_loads(x):
    return x.reshape(32, 4)[:, ::-1]


@case(x=ints(32, -100, 100, "i8"), y=out("i32", 32))
def narrow_loads(x):
    return x.astype(int) * 1000 + x.view(np.uint8)


@case(x=ints(32), y=out("i32", 32))
def shared_space(x):
    return x[::-1]


@case(block=64, flags=inout("i32", 1), y=out("i32", 64))
def relaxed(flags):
    return {"flags": [7], "y": [7] * 64}


@case(x=ints(32, -(2**31), 2**31 - 1), y=out("i32", 64), z=out("i64", 32))
def multiply_add(x):
    p = [int(a) * int(b) for a, b in zip(x, x[::-1])]
    return {"y": np.concatenate([signed(v + 7 for v in p), signed(v >> 32 for v in p)]), "z": [v + 2**40 for v in p]}


@case(x=ints(32, *WORDS), y=out("u32", 32))
def permute(x):
    return (x & 0xFFFF) | (x[::-1] & 0xFFFF) << 16


@case(x=ints(32, *WORDS), y=out("u32", 96))
def fields(x):
    six = (x >> 4 & 63).astype(np.int64)
    mask = np.uint32(0xFFF << 8)
    return np.concatenate(
        [x >> 5 & 511, signed(np.where(six > 31, six - 64, six)).view(np.uint32), (x & ~mask) | (x[::-1] << 8 & mask)]
    )


@case(x=ints(32, *WORDS), y=out("u32", 64))
def logic(x):
    c = (T * 77).astype(np.uint32)
    return np.concatenate([(x & x[::-1]) | c, (x[::-1] << 9) | (x >> 23)])


@case(block=64, y=out("u32", 256))
def lanes():
    lane = np.arange(64) % 32
    lt = 2**lane - 1
    return np.concatenate([lane, lt, 0xFFFFFFFF - lt, np.full(64, 0xFFFFFFFF)])


@case(x=ints(32), y=out("i32", 64))
def shuffles(x):
    return np.concatenate([x[np.where(T >= 3, T - 3, T)], T >= 3])


@case(x=ints(32), y=out("u32", 64))
def votes_in_ptx(x):
    ballot = sum(1 << k for k in range(32) if x[k] > 0)
    return [ballot] * 32 + [sum(1 << k for k in range(32) if x[k] & 3 == v & 3) for v in x]


@case(x=f32(32), y=out("i32", 32), z=out("u32", 64))
def conversions(x):
    v = x * np.float32(20)
    bits = lambda q: q.astype(np.float16).view(np.uint16).astype(np.uint32)
    return {"y": np.rint(v), "z": np.concatenate([bits(v) << 16 | bits(-v), bits(v)])}


@case(pairs=given("f16", 64, "normal"), y=out("u32", 32))
def half_math(pairs):
    a = pairs.reshape(32, 2).astype(float)
    return (a * a[::-1] + a).astype(np.float16).ravel().view(np.uint32)


@case(x=ints(32), y=out("i32", 32))
def predicates(x):
    return np.where(x < 0, -x, (x + 1000) * np.where(x > 10, 2, 1))


@case(x=ints(32), y=out("i32", 32))
def guarded_load(x):
    return np.where(T % 2, x, -5)


@case(x=f32(256), y=out("f32", 64))
def async_copy(x):
    rows = x.reshape(64, 4)
    return np.concatenate([rows[31::-1, 1], rows[63:31:-1, 2]])


@case(x=ints(64), y=out("i32", 128))
def async_zero_fill(x):
    return np.concatenate([x[:40], np.zeros(88)])


@case(y=inout("i32", 4))
def atomics_in_ptx(y):
    return [64, 31, np.array([16.0], np.float32).view(np.int32)[0], 9]


@case(x=f32(32, {"kind": "uniform", "low": 0.5, "high": 3.0}), y=out("f32", 64), tol=1e-6)
def float_math(x):
    v = x.astype(float)
    return np.concatenate([2**v + 1 / v + v * v + 1 + np.tanh(v), np.zeros(32)])


@case(x=ints(32, *WORDS), y=out("u64", 32), z=out("u32", 32))
def packs(x):
    both = [int(v) + (t << 32) for t, v in enumerate(x)]
    return {"y": np.array(both, np.uint64), "z": [((b + 1) ^ (b + 1 >> 32)) & 0xFFFFFFFF for b in both]}


@case(x=ints(32, -(2**31), 2**31 - 1), y=out("i32", 64))
def dot_products(x):
    s = x.view(np.int8).reshape(32, 4).astype(int)
    u = x.view(np.uint8).reshape(32, 4).astype(int)
    return np.concatenate([(s * s[::-1]).sum(1) + 5, (u * s[::-1]).sum(1) + 5])


@case(x=ints(32, 1, 2**32 - 1, "u32"), y=out("i32", 32))
def counts(x):
    return [bin(v).count("1") + 100 * (32 - int(v).bit_length()) + 10000 * (int(v).bit_length() - 1) for v in x]


@case(x=f32(32), y=out("u32", 96))
def byte_floats(x):
    v, w = x * np.float32(100), x[::-1]
    codes = [np.array([nearest(t, p) << 8 | nearest(t, q) for p, q in zip(v, w)]) for t in (E4M3, E5M2)]

    def halves(table, pairs):
        value = lambda c: np.where(c & 0x80, -1, 1) * table[c & 0x7F]
        return np.stack([value(pairs & 255), value(pairs >> 8)], 1).astype(np.float16).ravel().view(np.uint32)

    return np.concatenate([codes[0] | codes[1] << 16, halves(E4M3, codes[0]), halves(E5M2, codes[1])])


@case(x=ints(32, -300, 300), y=out("u32", 32))
def packed_bytes(x):
    a = np.clip(x, -128, 127) & 255
    return 7 << 16 | a << 8 | a[::-1]


@case(x=given("f16", 64, "normal"), y=out("u32", 32))
def half_relu(x):
    a = x.reshape(32, 2).astype(float)
    return np.maximum(a * a[::-1] + a, 0).astype(np.float16).ravel().view(np.uint32)

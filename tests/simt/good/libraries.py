import numpy as np
from suite import case, f32, given, inout, ints, out


@case(block=128, x=ints(128), y=out("i32", 2))
def block_reduce(x):
    return [x.sum(), x.max()]


@case(block=64, x=ints(64), y=out("i32", 64))
def block_scan(x):
    return np.cumsum(x) - x + 1000 * x.sum()


@case(x=ints(128), y=out("i32", 128))
def block_load_store(x):
    return 10 * x + np.arange(128) % 4


@case(block=64, x=ints(128), y=out("i32", 128))
def block_sort(x):
    return np.sort(x)


@case(block=64, x=f32(64), y=out("f32", 2), z=out("i32", 64))
def warp_reduce_scan(x):
    return {"y": x.reshape(2, 32).max(1), "z": np.cumsum(np.arange(64).reshape(2, 32), 1)}


@case(block=16, x=ints(128), y=out("i32", 128))
def sort_in_thread(x):
    rows = x.reshape(16, 8)
    order = np.argsort(rows, 1, kind="stable")
    return np.take_along_axis(rows, order, 1) * 10 + order


@case(block=16, x=ints(128), y=inout("i32", 128))
def sort_descending(x, y):
    return -np.sort(-x.reshape(16, 8), 1)


@case(block=16, x=ints(128, 0, 6), y=out("i32", 96))
def algorithms(x):
    rows = []
    for r in x.reshape(16, 8):
        sums = np.cumsum(2 * r)
        found = list(r).index(r[5])
        rows.append([r.sum(), r.max(), sums[7] + sums[2], r.argmin(), (r == r[3]).sum(), found])
    return rows


@case(x=given("i32", 32, "iota"), y=out("i32", 32))
def searches(x):
    values = 3 * np.arange(32)
    return np.searchsorted(x, values) * 100 + np.searchsorted(x, values, "right")


@case(x=ints(128), y=out("i32", 128))
def reversed_in_thread(x):
    return x.reshape(32, 4)[:, ::-1]


M32 = 0xFFFFFFFF


def philox(counter, key):
    """Philox4x32-10 by its definition; its known answers are checked below."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & M32, (p >> 32) ^ c[3] ^ k[1], p & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert philox([M32] * 4, [M32] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def stream(seed, sequence, count):
    blocks = [philox([k, 0, sequence, 0], [seed & M32, seed >> 32]) for k in range(count // 4 + 1)]
    return sum(blocks, [])[:count]


@case(block=8, y=out("u32", 64))
def philox_words():
    rows = []
    for t in range(8):
        words = stream(0x123456789ABCDEF, t, 16)[3:]
        rows += [*words[:7], words[9]]
    return rows


def uniform(word):
    scale = np.float32(2.0**-32)
    return np.float32(word) * scale + scale / np.float32(2)


@case(block=8, y=out("f32", 32), z=out("f32", 16), tol=1e-5)
def philox_floats():
    y, z = [], []
    for t in range(8):
        w = stream(42, t, 8)
        y += [uniform(w[0]), uniform(w[1]), uniform(w[3]), uniform(w[4])]
        a, b = stream(7, t, 2)
        radius = np.sqrt(-2 * np.log(float(uniform(a))))
        angle = 2 * np.pi * (b + 0.5) / 2.0**32
        z += [radius * np.sin(angle), radius * np.cos(angle)]
    return {"y": y, "z": z}


@case(y=inout("i32", 2))
def atomic_objects(y):
    return [496, 31]

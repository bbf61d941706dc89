import numpy as np
from suite import case, out

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

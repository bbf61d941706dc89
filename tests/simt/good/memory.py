import numpy as np
from suite import case, f32, given, ints, out

T = np.arange(32)


@case(block=64, shared=512, x=ints(64), y=out("i32", 64))
def dynamic_shared(x):
    return x[::-1] + np.roll(x, -1)


@case(y=out("i32", 32), z=out("f32", 32))
def constant_table():
    return {"y": 10 * np.array([3, 1, 4, 1, 5, 9, 2, 6] * 4), "z": [5, 11] * 16}


@case(y=out("i32", 32), z=out("f32", 32))
def device_variables():
    return {"y": [10, 20, 30, 40] * 8, "z": np.array([[1, 2], [3, 4], [5, 6]])[T % 3, T % 2]}


@case(x=ints(32), y=out("i32", 32))
def local_array(x):
    return [sum(int(x[t]) * ((k * 5 + t) % 16) for k in range(1, 16, 2)) for t in T]


@case(x=f32(128), y=out("f32", 128), a=ints(64), b=out("i32", 64))
def vectors(x, a):
    p = a.reshape(32, 2)
    return {"y": x.reshape(32, 4)[:, ::-1], "b": np.stack([p[:, 1], p.sum(1)], 1)}


@case(x=f32(32), v=f32(128), y=out("f32", 32), w=out("f32", 128))
def hinted(x, v):
    return {"y": (x + x) + x, "w": v}


@case(x=ints(128), y=out("i32", 128))
def copies(x):
    a = x.reshape(32, 4)
    return np.concatenate([a[:, 1:3], np.zeros((32, 2), int)], 1)


STRUCT = {"struct": [{"type": "f32", "value": 1.5}, {"type": "f32", "value": 2.0}, {"type": "i32", "value": 7}]}


@case(p=STRUCT, y=out("f32", 32))
def by_value():
    return 1.5 * T + 9


@case(grid=[2, 1, 2], block=[4, 3, 2], y=out("i32", 96))
def coordinates():
    rows = []
    for bz in range(2):
        for bx in range(2):
            rows += [
                bx + 100 * bz + 1000 * x + 10000 * y + 100000 * z for z in range(2) for y in range(3) for x in range(4)
            ]
    return rows


@case(x=ints(32, 0, 2**31 - 1, "u32"), y=out("u8", 128))
def bytes_of_words(x):
    return x.view(np.uint8).reshape(32, 4)[:, ::-1]


@case(x=f32(32), y=out("f32", 32))
def structs_in_shared(x):
    v = x[::-1]
    return (v * 2 + -v) + T[::-1].astype(np.float32)


@case(x=f32(32), y=out("u32", 32))
def union_bits(x):
    return x.view(np.uint32)


@case(grid=3, block=64, x=f32(1000), y=out("f32", 1000), n=1000)
def grid_stride(x):
    return x + np.float32(1)


@case(x=ints(32), y=out("i32", 32))
def negative_offset(x):
    return x + x[::-1]


@case(x=ints(32), y=out("i32", 32))
def unsigned_halo(x):
    return x + np.concatenate([[0], x[:-1]])


@case(x=ints(32), y=out("i32", 32))
def hash_index(x):
    h = [(t * 2654435761 + 40503 * 65537) % 2**32 for t in range(32)]
    return [x[v * 2246822519 % 2**32 % 32] for v in h]

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


@case(y=inout("i32", 2))
def atomic_objects(y):
    return [496, 31]

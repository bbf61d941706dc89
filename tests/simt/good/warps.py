import numpy as np
from suite import case, f32, given, ints, out

L = np.arange(32)


@case(x=ints(32), y=out("i32", 32))
def shuffle_index(x):
    return np.full(32, x[3])


@case(x=ints(32), y=out("i32", 32))
def shuffle_up(x):
    return x[np.where(L >= 3, L - 3, L)]


@case(x=ints(32), y=out("i32", 32))
def shuffle_down(x):
    return x[np.where(L + 5 < 32, L + 5, L)]


@case(x=f32(32), y=out("f32", 32))
def shuffle_xor(x):
    return x[L ^ 9]


@case(x=ints(32), y=out("i32", 128))
def shuffle_widths(x):
    segment = L // 8 * 8
    # A partner in a later segment does not exist: the lane reads itself.
    partner = L ^ 6
    return np.concatenate(
        [
            x[segment + 3],
            x[np.where(L % 8 >= 2, L - 2, L)],
            x[np.where(L % 4 + 3 < 4, L + 3, L)],
            x[np.where(partner <= L // 4 * 4 + 3, partner, L)],
        ]
    )


@case(x=given("f64", 32, "normal"), y=out("f64", 32), z=out("i64", 32))
def shuffle_64(x):
    return {"y": x[L ^ 1], "z": 2**40 + np.where(L < 31, L + 1, L)}


@case(x=given("f16", 32, "normal"), y=out("f16", 32), z=out("f16", 64))
def shuffle_half(x):
    return {"y": x[np.where(L + 2 < 32, L + 2, L)], "z": np.stack([x[L ^ 4], x[L ^ 6]], 1)}


@case(x=ints(32), y=out("u32", 64))
def votes(x):
    ballot = sum(1 << k for k in range(32) if x[k] > 0)
    return np.concatenate([np.full(32, ballot), np.full(32, (x > 95).any() * 4 + 2 + (x > 0).all())])


@case(x=ints(32, 0, 5), y=out("u32", 32))
def match_any(x):
    return [sum(1 << k for k in range(32) if x[k] == v) for v in x]


@case(x=ints(32, 0, 5), y=out("u32", 128))
def match_all(x):
    return np.repeat([0, 0, 0xFFFFFFFF, 1], 32)


@case(x=ints(32), y=out("u32", 224))
def reduce_all(x):
    u = x.view(np.uint32)
    rows = [x.sum(), x.min(), x.max(), u.max()]
    rows += [np.bitwise_and.reduce(u | 9), np.bitwise_or.reduce(u & 9), np.bitwise_xor.reduce(u)]
    return np.repeat([int(r) & 0xFFFFFFFF for r in rows], 32)


@case(y=out("u32", 32))
def active_in_branch():
    return np.where(L % 3 == 1, sum(1 << k for k in range(32) if k % 3 == 1), 0)


@case(block=40, x=ints(40), y=out("i32", 2))
def short_warp(x):
    return [x[:32].sum(), x[32:].sum()]


@case(x=ints(32), y=out("i32", 32))
def masked_shuffle(x):
    return np.where(L & 1, x[L ^ 2], 0)


@case(block=96, y=out("i32", 96))
def lane_and_warp():
    t = np.arange(96)
    return t % 32 * 10 + t // 32


@case(grid=4, x=f32(128), y=out("f32", 4), tol=1e-5)
def warp_sum(x):
    return x.reshape(4, 32).sum(1)


@case(block=64, x=ints(64), y=out("i32", 64))
def warp_scan(x):
    return np.cumsum(x.reshape(2, 32), 1)

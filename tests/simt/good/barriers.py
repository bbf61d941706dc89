import numpy as np
from suite import case, f32, ints, out


@case(block=128, x=ints(128), y=out("i32", 128))
def reversed(x):
    return x[::-1]


@case(block=96, x=ints(96), y=out("i32", 96))
def counted(x):
    return np.full(96, (x > 0).sum())


@case(block=64, x=ints(64), y=out("i32", 64))
def all_positive(x):
    return np.full(64, 2 + (x > 0).all())


@case(block=64, x=ints(64), y=out("i32", 64))
def any_large(x):
    return np.full(64, int((x > 0).any()))


@case(block=64, x=ints(64), y=out("i32", 64))
def warp_exchange(x):
    return x[np.arange(64) ^ 31]


@case(block=32, x=ints(32), y=out("i32", 32))
def half_warp_exchange(x):
    return x[np.arange(32) ^ 15]


@case(block=128, x=ints(128), y=out("i32", 128))
def two_teams(x):
    return x[np.arange(128) ^ 63]


@case(block=64, x=ints(32), y=out("i32", 32))
def hand_over(x):
    return 3 * x[::-1]


@case(grid=3, block=256, x=ints(768), y=out("i32", 3))
def reduction(x):
    return x.reshape(3, 256).sum(1)


@case(block=64, x=ints(64), y=out("i32", 64))
def scan_ping_pong(x):
    return np.cumsum(x)


@case(block=64, x=ints(64), y=out("i32", 64), mode=1)
def uniform_branch(x):
    return x[::-1]


@case(grid=[3, 2], block=[16, 16], x=f32(48 * 32), y=out("f32", 48 * 32))
def transpose_2d(x):
    return x.reshape(32, 48).T


@case(block=40, y=out("i32", 40))
def barrier_in_function_loop():
    return 100 + np.arange(40)

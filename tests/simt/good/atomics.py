import numpy as np
from suite import case, f32, given, inout, ints

FEW = {"kind": "uniform", "low": 0.75, "high": 1.25}


@case(block=96, x=ints(96), y=inout("i32", 4))
def add_int(x, y):
    return np.bincount(x & 3, np.arange(96), 4).astype(int)


@case(block=33, y=inout("u32", 1))
def sub_unsigned(y):
    return [2**32 - 32 * 33 // 2]


@case(block=64, x=ints(64), y=inout("i32", 4))
def min_max(x, y):
    u = x.view(np.uint32)
    return [min(0, x.min()), max(0, x.max()), 0, np.array(u.max()).view(np.int32)]


@case(x=ints(32, 0, 65536, "u32"), y=inout("u32", 3, "ones"))
def bits(x, y):
    reduce = np.bitwise_and.reduce(x | 0xF0F0) & 1, np.bitwise_or.reduce(x & 0x0FF0) | 1
    return [*reduce, np.bitwise_xor.reduce(x) ^ 1]


@case(slot=inout("i32", 1), seen=inout("i32", 33))
def exchange(slot, seen):
    return {"seen": [1] * 32 + [0]}


@case(slot=inout("f32", 1))
def exchange_float(slot):
    return [2.5]


@case(block=16, x=f32(16, FEW), y=inout("f32", 1, "ones"), tol=1e-6)
def cas_multiply(x, y):
    return [x.astype(float).prod()]


@case(block=25, y=inout("u32", 1))
def increment(y):
    return [5]


@case(block=25, y=inout("u32", 1))
def decrement(y):
    return [(0 - 25) % 7]


@case(block=64, y=inout("u64", 4))
def wide(y):
    return np.array([2**39, 63 << 40, 77, 0], np.uint64)


@case(block=64, y=inout("i64", 2))
def signed_wide(y):
    return [-63 << 40, 58]


@case(grid=3, block=64, y=inout("f32", 1))
def add_float(y):
    return [96.0]


@case(block=64, x=given("f64", 64, "normal"), y=inout("f64", 1), tol=1e-12)
def add_double(x, y):
    return [x.sum()]


@case(block=64, y=inout("f16", 1))
def add_half(y):
    return [16.0]


@case(block=64, y=inout("f16", 2))
def add_half2(y):
    return [64.0, 32.0]


@case(block=64, y=inout("bf16", 1))
def add_bfloat(y):
    return [32.0]


@case(block=32, y=inout("bf16", 2))
def add_bfloat2(y):
    return [32.0, 64.0]


@case(y=inout("u16", 32))
def cas_short(y):
    return [9] + [0] * 31


@case(block=64, y=inout("i32", 4))
def scopes(y):
    return [64, 128, 63, 4]


@case(grid=2, block=64, x=ints(500, 0, 16), y=inout("i32", 16))
def shared_histogram(x, y):
    return 2 * np.bincount(x, minlength=16)


@case(grid=2, x=f32(64, {"kind": "uniform", "low": 0.0, "high": 9.0}), y=inout("f32", 1))
def float_max_by_cas(x, y):
    return [x.max()]


@case(grid=2, counter=inout("i32", 1), slots=inout("i32", 64))
def ticket_order(counter, slots):
    return {"counter": [64], "slots": [7] * 64}


@case(grid=4, block=64, x=ints(256), partial=inout("i32", 8), tickets=inout("u32", 1), y=inout("i32", 32))
def last_block_adds_up(x, partial, tickets, y):
    sums = x.reshape(4, 64).sum(1)
    return {"partial": [*sums, *(2 * sums)], "y": np.full(32, 2 * sums.sum())}


@case(grid=5, mutex=inout("i32", 1), total=inout("i32", 1))
def lock(mutex, total):
    return {"mutex": [0], "total": [15]}

import numpy as np
from suite import case, inout, ints, out, scratch

T = np.arange(64)


@case(block=64, x=ints(64), y=out("i32", 64))
def block_group(x):
    return x[::-1]


def tiles(size):
    def reference(x):
        return np.repeat(x.reshape(-1, size).sum(1) * 100, size) + T // size * 10 + 64 // size

    reference.__name__ = f"tiles_{size}"
    return case(kernel=f"tiles<{size}>", block=64, x=ints(64, 0, 50), y=out("i32", 64))(reference)


tiles_4, tiles_16, tiles_32 = tiles(4), tiles(16), tiles(32)


@case(block=64, y=out("i32", 64))
def nested_tiles():
    return T // 32 * 100 + T % 32 // 8 * 10 + T % 8


@case(block=64, x=ints(64), y=out("u32", 64))
def tile_votes(x):
    rows = []
    for t in T:
        tile = x[t // 8 * 8 : t // 8 * 8 + 8]
        mask = lambda which: sum(1 << k for k in range(8) if which[k])
        alike = (tile & 1) == (x[t] & 1)
        rows.append(mask(tile > 0) + 1000 * (tile > 50).any() + 2000 * (tile > -50).all() + 10000 * mask(alike))
    return rows


@case(y=out("i32", 32))
def coalesced():
    return [800 + t // 4 + 9000 if t % 4 == 1 else -1 for t in range(32)]


@case(block=32, x=ints(32), y=inout("i32", 1), ranks=out("i32", 32))
def aggregated_atomic(x, y):
    return {"y": [(x > 0).sum()], "ranks": np.where(x > 0, np.cumsum(x > 0) - 1, -1)}


@case(x=ints(32, 0, 4), y=out("i32", 32))
def labeled(x):
    return [(x == v).sum() * 100 + (x[:k] == v).sum() for k, v in enumerate(x)]


@case(x=ints(32), y=out("i32", 32))
def binary(x):
    return np.where(x > 0, (x > 0).sum(), (x <= 0).sum())


@case(block=64, x=ints(64), y=out("i32", 256))
def reduce_and_scan(x):
    tiles = x.reshape(4, 16)
    sums = np.cumsum(tiles, 1)
    rows = [np.repeat(tiles.sum(1), 16), np.repeat(tiles.max(1), 16), sums.ravel(), (sums - tiles).ravel()]
    return np.concatenate(rows)


@case(grid=4, block=64, x=ints(256), partial=scratch("i32", 256), y=out("i32", 256))
def grid_barrier(x):
    return np.roll(2 * x, -128) + 1


@case(grid=3, block=32, x=ints(96), sums=out("i32", 3), y=out("i32", 96))
def grid_barrier_with_shared(x):
    rows = x.reshape(3, 32)
    return {"sums": rows.sum(1), "y": x.sum() + rows[:, ::-1]}

"""Device bodies in the shim headers do what the libraries promise: kernels run in the checked interpreter, with no
defect, against NumPy."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

from clang import ROOT

BUILD = pathlib.Path(os.environ.get("NP_BUILD_DIR", ROOT / "build"))
SOURCES = ROOT / "tests/shims/library"
THREADS, ITEMS = 80, 3
needs_build = pytest.mark.skipif(not (BUILD / "neuron-port-kernel").exists(), reason="neuron-port-kernel is not built")


def buffer(kind, extent, role, init="zeros"):
    entry = {"type": kind, "extent": [str(extent)], "role": role}
    return entry if role == "out" else {**entry, "init": init}


def integers(low, high):
    return {"kind": "randint", "low": str(low), "high": str(high)}


def run(folder, kernel, buffers, block, n=0, source="library.cu"):
    """Runs the kernel on one block; returns all its buffers by name."""
    launch = folder / "case.launch.json"
    args = (["n"] if n else []) + list(buffers)
    launches = [{"kernel": kernel, "grid": ["1"], "block": [str(block)], "shared": "0", "args": args}]
    text = {"version": 1, "source": str(SOURCES / source), "sizes": {"names": ["n"], "cases": [[n]]}, "scalars": {}}
    launch.write_text(json.dumps({**text, "buffers": buffers, "launches": launches}))
    request = {"verb": "run", "launch": str(launch), "out_dir": str(folder / "data"), "std": "c++20"}
    done = subprocess.run(
        [str(BUILD / "neuron-port-kernel")], input=json.dumps(request), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    reply = json.loads(done.stdout)
    assert "cases" in reply, reply
    assert [case["defects"] for case in reply["cases"]] == [[]]
    arrays = {}
    for part in ("in", "out"):
        for path in sorted((folder / "data/0" / part).glob("*.npy")):
            arrays[(part, path.stem)] = np.load(path)
    return arrays


@needs_build
def test_block_reduce_counts_only_valid_threads(tmp_path):
    buffers = {"x": buffer("i32", 80, "in", integers(-50, 50)), "y": buffer("i32", 2, "out")}
    got = run(tmp_path, "block_reduce", buffers, THREADS, n=45)
    x = got["in", "x"][:45]
    assert got["out", "y"].tolist() == [x.sum(), max(x.max(), -7777)]


@needs_build
def test_block_scan_inclusive_exclusive_and_continued(tmp_path):
    count = 200
    names = ("inclusive", "exclusive", "continued")
    buffers = {"x": buffer("i32", count, "in", integers(-50, 50)), **{k: buffer("i32", count, "out") for k in names}}
    got = run(tmp_path, "block_scan", buffers, THREADS, n=count)
    sums = np.cumsum(got["in", "x"])
    assert (got["out", "inclusive"] == sums).all()
    assert (got["out", "exclusive"] == sums - got["in", "x"]).all()
    assert (got["out", "continued"] == sums + 1000).all()


@needs_build
def test_block_sort_is_stable_and_descending(tmp_path):
    count = THREADS * ITEMS
    buffers = {"x": buffer("f32", count, "in", "normal"), "keys": buffer("f32", count, "out")}
    buffers["order"] = buffer("i32", count, "out")
    got = run(tmp_path, "block_sort", buffers, THREADS)
    order = np.argsort(-got["in", "x"], kind="stable")
    assert (got["out", "order"] == order).all()
    assert (got["out", "keys"] == got["in", "x"][order]).all()


@needs_build
def test_block_exchange_to_striped(tmp_path):
    count = THREADS * ITEMS
    buffers = {"x": buffer("i32", count, "in", "iota"), "y": buffer("i32", count, "out")}
    got = run(tmp_path, "block_exchange", buffers, THREADS)
    assert (got["out", "y"] == got["in", "x"].reshape(ITEMS, THREADS).T.ravel()).all()


@needs_build
def test_warp_reduce_and_scan(tmp_path):
    buffers = {"x": buffer("i32", 64, "in", integers(-50, 50)), "sums": buffer("i32", 4, "out")}
    buffers["prefixes"] = buffer("i32", 64, "out")
    got = run(tmp_path, "warp_cub", buffers, 64)
    x = got["in", "x"]
    assert (got["out", "sums"] == x.reshape(4, 16).sum(1)).all()
    warps = x.reshape(2, 32)
    assert (got["out", "prefixes"] == (np.cumsum(warps, 1) - warps).ravel()).all()


@needs_build
def test_cooperative_groups(tmp_path):
    names = ("tile_sum", "tile_scan", "rotated", "same", "few")
    buffers = {"x": buffer("i32", 64, "in", integers(0, 50)), **{k: buffer("i32", 64, "out") for k in names}}
    got = run(tmp_path, "groups", buffers, 64)
    x = got["in", "x"]
    tiles = x.reshape(8, 8)
    assert (got["out", "tile_sum"] == np.repeat(tiles.sum(1), 8)).all()
    assert (got["out", "tile_scan"] == np.cumsum(tiles, 1).ravel()).all()
    assert (got["out", "rotated"] == np.roll(tiles, -1, 1).ravel()).all()
    for i in range(64):
        warp = range(i // 32 * 32, i // 32 * 32 + 32)
        alike = [j for j in warp if x[j] % 3 == x[i] % 3]
        assert got["out", "same"][i] == len(alike) * 100 + alike.index(i)
        active = [j for j in warp if j % 5 == 1]
        assert got["out", "few"][i] == (active[2] * 100 + active.index(i) if i in active else 0)


def signed(word):
    word &= 0xFFFFFFFF
    return word - (1 << 32) if word >> 31 else word


def integer_row(a, b):
    u, v = a & 0xFFFFFFFF, b & 0xFFFFFFFF
    both = (v << 32) | u
    picks = [(0x5140 | ((u & 1) << 3)) >> (4 * i) & 15 for i in range(4)]
    chosen = [both >> (8 * (p & 7)) & 255 for p in picks]
    chosen = [(255 if c & 128 else 0) if p & 8 else c for p, c in zip(picks, chosen)]
    bytes_of = lambda w: np.array([w], np.uint32).view(np.int8).astype(int)
    bits = [i for i in range(32) if u >> i & 1]
    low24 = lambda w: (w & 0xFFFFFF) - ((w & 0x800000) << 1)
    remainder = abs(a) % 4096 * (1 if a >= 0 else -1)
    return [
        len(bits),
        32 - u.bit_length(),
        bits[0] + 1 if bits else 0,
        signed(int(f"{u:032b}"[::-1], 2)),
        signed((a * b) >> 32),
        signed((u * v) >> 32),
        signed(sum(c << (8 * i) for i, c in enumerate(chosen))),
        signed(both << (v & 31) >> 32),
        signed(both >> (v & 31)),
        int((bytes_of(u) * bytes_of(v)).sum()) + 5,
        signed(bits[2] if len(bits) > 2 else 0xFFFFFFFF),
        (a + b) >> 1,
        signed(abs(u - v) + 1),
        signed(low24(a) * low24(b)),
        min(a, b) ^ max(a, 17),
        int(np.rint(np.float32(remainder) * np.float32(0.5))),
    ]


@needs_build
def test_integer_intrinsics(tmp_path):
    wide = integers(-(2**31), 2**31 - 1)
    buffers = {"a": buffer("i32", 32, "in", wide), "b": buffer("i32", 32, "in", wide), "y": buffer("i32", 512, "out")}
    got = run(tmp_path, "integers", buffers, 32)
    want = [integer_row(int(a), int(b)) for a, b in zip(got["in", "a"], got["in", "b"])]
    assert got["out", "y"].reshape(32, 16).tolist() == want


@needs_build
def test_simd_words(tmp_path):
    wide = integers(-(2**31), 2**31 - 1)
    buffers = {"a": buffer("i32", 32, "in", wide), "b": buffer("i32", 32, "in", wide), "y": buffer("i32", 256, "out")}
    got = run(tmp_path, "words", buffers, 32)
    part = lambda name, kind: got["in", name].view(kind).astype(int)
    u8a, u8b, s8a, s8b = part("a", np.uint8), part("b", np.uint8), part("a", np.int8), part("b", np.int8)
    u16a, u16b, s16a, s16b = part("a", np.uint16), part("b", np.uint16), part("a", np.int16), part("b", np.int16)
    want = [
        (u8a + u8b).astype(np.uint8),
        np.clip(s8a - s8b, -128, 127).astype(np.int8),
        np.where(s8a > s8b, 255, 0).astype(np.uint8),
        np.abs(u8a - u8b).astype(np.uint8),
        np.maximum(u8a, u8b).astype(np.uint8),
        np.minimum(u16a + u16b, 65535).astype(np.uint16),
        np.minimum(s16a, s16b).astype(np.int16),
        ((u8a + u8b + 1) >> 1).astype(np.uint8),
    ]
    assert (got["out", "y"].reshape(32, 8).T == [w.view(np.int32) for w in want]).all()


@needs_build
def test_half_arithmetic_rounds_once(tmp_path):
    buffers = {"a": buffer("f16", 32, "in", "normal"), "b": buffer("f16", 32, "in", "normal")}
    buffers.update(y=buffer("f16", 256, "out"), flags=buffer("i32", 32, "out"))
    got = run(tmp_path, "halves", buffers, 32)
    a, b = got["in", "a"].view(np.float16), got["in", "b"].view(np.float16)
    wide = lambda v: v.astype(np.float64)
    want = np.stack(
        [
            a + b,
            a * b,
            a / b,
            (wide(a) * wide(b) + wide(a[0])).astype(np.float16),
            np.maximum(a, b),
            np.abs(a),
            (a.astype(np.float32) * 3).astype(np.float16),
            a * np.float16(2) - b * np.float16(2),
        ],
        1,
    )
    assert (got["out", "y"].view(np.float16).reshape(32, 8) == want).all()
    assert (got["out", "flags"] == (a > b) + 2 + 4 * np.rint(b.astype(np.float32)).astype(int)).all()


@needs_build
def test_torch_helpers(tmp_path):
    buffers = {"x": buffer("i32", 40, "in", "iota"), "counts": buffer("u8", 4, "inout"), "total": buffer("f16", 1, "inout")}
    buffers["view"] = buffer("i32", 40, "out")
    got = run(tmp_path, "torch_helpers", buffers, 64, n=40, source="torch_helpers.cu")
    assert got["out", "counts"].tolist() == [16, 16, 16, 16]
    assert got["out", "total"].view(np.float16)[0] == 32.0
    assert (got["out", "view"] == np.arange(40).reshape(5, 8).T.ravel()).all()

"""CUDA semantics, against values computed here by the rules of the CUDA documentation."""
import math

import numpy as np
import pytest
from kernel_tool import CASES, kernel, launch_file

SEMANTICS = CASES / "semantics"


def run(tmp_path, source, name, args, buffers, inputs=None, **launch):
    path = launch_file(tmp_path, (SEMANTICS / source).resolve(), name, args, buffers, **launch)
    folder = None
    if inputs:
        folder = tmp_path / "given"
        (folder / "0" / "in").mkdir(parents=True)
        for key, value in inputs.items():
            np.save(folder / "0" / "in" / f"{key}.npy", value)
    reply = kernel("run", path, out_dir=str(tmp_path / "out"), inputs=str(folder) if folder else None)
    assert reply["ok"], reply
    assert reply["cases"][0]["defects"] == [], reply["cases"][0]["defects"]
    outputs = {p.stem: np.load(p) for p in (tmp_path / "out" / "0" / "out").glob("*.npy")}
    return outputs, reply["cases"][0]


def given(kind, extent):
    init = "zeros"
    return {"type": kind, "extent": [str(e) for e in extent], "role": "in", "init": init}


def out(kind, *extent):
    return {"type": kind, "extent": [str(e) for e in extent], "role": "out"}


@pytest.mark.parametrize("width", [32, 16, 8, 4])
def test_shuffles(tmp_path, width):
    x = np.arange(64, dtype=np.int32) * 7 + 3
    got, _ = run(tmp_path, "warps.cu", "shuffles", ["x", "out", str(width)],
                 {"x": given("i32", [64]), "out": out("i32", 4, 64)}, {"x": x}, block=64)
    want = np.empty((4, 64), np.int32)
    for t in range(64):
        lane, base = t % 32, t // 32 * 32
        low = lane // width * width
        source = low + (t * 3 + 1) % width
        want[0, t] = x[base + source]
        want[1, t] = x[base + (lane - 3 if lane - 3 >= low else lane)]
        want[2, t] = x[base + (lane + 5 if lane + 5 < low + width else lane)]
        source = lane ^ 6
        want[3, t] = x[base + (source if source < low + width else lane)]
    np.testing.assert_array_equal(got["out"], want)


def test_wide_shuffles(tmp_path):
    x, k = np.linspace(-1, 1, 32), (np.arange(32, dtype=np.int64) << 35) - 5
    got, _ = run(tmp_path, "warps.cu", "wide_shuffles", ["x", "k", "out", "kout"],
                 {"x": given("f64", [32]), "k": given("i64", [32]), "out": out("f64", 32), "kout": out("i64", 32)},
                 {"x": x, "k": k})
    np.testing.assert_array_equal(got["out"], np.append(x[1:], x[31]))
    np.testing.assert_array_equal(got["kout"], k[::-1])


def test_votes_match_and_reduce(tmp_path):
    x = (np.arange(64) * 5 % 8).astype(np.int32)
    x[40] = 8
    got, _ = run(tmp_path, "warps.cu", "votes", ["x", "out"], {"x": given("i32", [64]), "out": out("u32", 9, 64)},
                 {"x": x}, block=64)
    for t in range(64):
        lanes = x[t // 32 * 32 : t // 32 * 32 + 32]
        mask = lambda p: sum(1 << k for k in range(32) if p(lanes[k]))
        odd = mask(lambda v: v & 1)
        want = [mask(lambda v: v > 2), (lanes == 7).any(), (lanes < 8).all(), mask(lambda v: v == x[t]), lanes.sum(),
                lanes.max(), 0xFFFFFFFF + 1 & 0xFFFFFFFF, odd,
                bin(odd & 0xCCCCCCCC).count("1") if x[t] & 1 else 1000 + 32 - bin(odd).count("1")]
        np.testing.assert_array_equal(got["out"][:, t], np.array(want, np.uint32), err_msg=str(t))


def test_reducing_barriers(tmp_path):
    x = (np.arange(96) % 10).astype(np.int32)
    got, _ = run(tmp_path, "warps.cu", "barriers", ["x", "out"], {"x": given("i32", [96]), "out": out("i32", 96)},
                 {"x": x}, block=96)
    assert (got["out"] == int((x > 3).sum()) * 100 + 11).all()


def test_integers(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.integers(-(2**31), 2**31, 32).astype(np.int32)
    x[:4] = [0, 1, -1, 7]
    got, _ = run(tmp_path, "numbers.cu", "integers", ["x", "out", "wide", "bytes"],
                 {"x": given("i32", [32]), "out": out("i32", 11, 32), "wide": out("i64", 32), "bytes": out("u8", 32)},
                 {"x": x})
    wrap = lambda v: (int(v) + 2**31) % 2**32 - 2**31
    for t in range(32):
        a, b = int(x[t]), int(x[(t + 1) % 32])
        ua, ub = a % 2**32, b % 2**32
        quotient = int(math.copysign(abs(a) // abs(b), a * b)) if b and a else 0
        if b:
            quotient = (abs(a) // abs(b)) * (1 if a * b >= 0 else -1)
        first = [k for k in range(32) if ua >> k & 1]
        want = [wrap(a * 1103515245 + 12345), wrap(quotient), wrap(a - quotient * b if b else 0),
                wrap(ua // ub if ub else 0), a >> 3, wrap(ua >> 3),
                bin(ua).count("1") * 10000 + (32 - ua.bit_length()) * 100 + (first[0] + 1 if first else 0),
                wrap(a * b >> 32), wrap(int(f"{ua:032b}"[::-1], 2)), wrap(max(a, b) - min(a, b)),
                {1: 10, 3: 40, 4: 40}.get(a & 7, -1)]
        assert list(got["out"][:, t]) == want, t
        assert got["wide"][t] == a * b - (ua << 7)
        assert got["bytes"][t] == (a + 200) % 256


def test_floats(tmp_path):
    x = np.linspace(-3, 3, 32).astype(np.float32)
    x[5] = np.nan
    got, _ = run(tmp_path, "numbers.cu", "floats", ["x", "out", "wide", "ints"],
                 {"x": given("f32", [32]), "out": out("f32", 8, 32), "wide": out("f64", 32), "ints": out("i32", 5, 32)},
                 {"x": x})
    f, o, d = np.float32, got["out"], x.astype(np.float64)
    np.testing.assert_array_equal(o[0], x * x + f(1))
    np.testing.assert_array_equal(o[1], (d * d + 1).astype(f))
    assert (o[0] != o[1]).any()  # the first is not fused
    erf = np.array([math.erf(v) for v in d])
    np.testing.assert_allclose(o[2], 1 / np.sqrt(np.abs(d) + 0.5), rtol=2e-7)
    np.testing.assert_allclose(o[3], 3 * np.exp(d), rtol=4e-7)
    np.testing.assert_array_equal(o[4], x + np.fmin(x, f(0.25)))
    np.testing.assert_allclose(o[5], 3 * np.sin(d) + np.cos(d), rtol=1e-5, atol=1e-6)
    toward_zero = np.where(x < 0, np.nextafter(f(1), f(0)), f(1))
    toward_zero[5] = np.nan
    np.testing.assert_array_equal(o[6], toward_zero)
    np.testing.assert_allclose(o[7], erf + np.tanh(d) + np.abs(d) ** 1.5 + np.log1p(np.abs(d)), rtol=1e-6, atol=3e-7)
    np.testing.assert_allclose(got["wide"], np.sqrt(d * d + 2) / 3, rtol=1e-15)
    ok = ~np.isnan(x)
    saturated = np.clip(d * 1e10, -(2.0**31), 2.0**31 - 1)
    close = np.abs(got["ints"][0][ok] - np.trunc(saturated[ok])) <= 2**9
    assert close.all() and got["ints"][0][0] == -(2**31) and got["ints"][0][5] == 0  # a cast saturates, NaN gives 0
    np.testing.assert_array_equal(got["ints"][1][ok], np.floor(x * f(10))[ok])
    np.testing.assert_array_equal(got["ints"][2][ok], np.rint(x * f(10))[ok])
    np.testing.assert_array_equal(got["ints"][3], x.view(np.int32))
    np.testing.assert_array_equal(got["ints"][4], np.where(ok, 2 + np.where(x < 0, 4, 8), 9))


def test_halves(tmp_path):
    rng = np.random.default_rng(2)
    x = rng.normal(size=32).astype(np.float16)
    z = (rng.normal(size=32).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    got, _ = run(tmp_path, "numbers.cu", "halves", ["x", "z", "y", "w", "f"],
                 {"x": given("f16", [32]), "z": given("bf16", [32]), "y": out("f16", 5, 32), "w": out("bf16", 2, 32),
                  "f": out("f32", 32)}, {"x": x, "z": z})
    a, b = x.astype(np.float64), x[::-1].astype(np.float64)
    for row, want in enumerate([a + b, a * b, a * b + a, a * 3]):
        np.testing.assert_array_equal(got["y"][row], want.astype(np.float16))
    down = got["y"][4].astype(np.float64)
    third = (x.astype(np.float32) * np.float32(0.3)).astype(np.float64)
    assert (down <= third).all() and (np.nextafter(got["y"][4], np.float16(np.inf)).astype(np.float64) > third).all()
    wide = lambda bits: (bits.astype(np.uint32) << 16).view(np.float32)

    def bf16(values):
        bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)

    np.testing.assert_array_equal(got["w"][0], bf16(wide(z) * wide(z[::-1])))
    np.testing.assert_array_equal(got["w"][1], bf16(wide(z) + np.float32(1)))
    np.testing.assert_array_equal(got["f"], x.astype(np.float32) + wide(z))


def test_calls_constants_and_printf(tmp_path):
    got, case = run(tmp_path, "numbers.cu", "calls", ["out"], {"out": out("i32", 5, 32)}, shared=128)
    fib = lambda n: n if n < 2 else fib(n - 1) + fib(n - 2)
    for t in range(32):
        local = [0] * 8
        for k in range(8):
            local[(k * 3 + t) & 7] = k * t
        want = [fib(t % 10), 2 * t if t & 1 else t * t, local[t & 7] + [5, 6, 7, 8][t & 3], 31 - t, 40]
        assert list(got["out"][:, t]) == want, t
    assert case["printed"] == "3  1.50 text x% 1099511627776\n"


def test_atomics(tmp_path):
    inout = lambda kind, n: {"type": kind, "extent": [str(n)], "role": "inout", "init": "zeros"}
    got, _ = run(tmp_path, "numbers.cu", "atomics", ["i", "u", "f", "d", "l"],
                 {"i": inout("i32", 9), "u": inout("u32", 2), "f": inout("f32", 1), "d": inout("f64", 1),
                  "l": inout("u64", 1)}, {"i": np.array([0, 0, -99, 99, 0, 0, -1, 0, 0], np.int32),
                                          "u": np.zeros(2, np.uint32), "f": np.zeros(1, np.float32),
                                          "d": np.zeros(1), "l": np.zeros(1, np.uint64)}, grid=3, block=32)
    n = 96
    values = [(t * 37) % 101 - 50 for t in range(n)]
    xor = 0
    for t in range(n):
        xor ^= t
    want = [sum(range(n)), -sum(range(n)), max(values), min(values), 2**20 - 1, xor, ~127, 0, 2 * n]
    assert list(got["i"]) == want
    assert list(got["u"]) == [n % 10, (0 - n) % 5]
    assert got["f"][0] == 48 and got["d"][0] == 24 and got["l"][0] == n << 33


def test_a_functor_by_value(tmp_path):
    x = np.linspace(-2, 2, 40).astype(np.float32)
    struct = {"struct": [{"type": "f32", "value": 1.5}, {"type": "i32", "value": "n-38"}, {"type": "f64", "value": 0.25}]}
    got, _ = run(tmp_path, "numbers.cu", "apply<Affine>", [struct, "x", "y", "n"],
                 {"x": given("f32", ["n"]), "y": out("f32", "n")}, {"x": x}, sizes={"n": 40}, grid=2)
    np.testing.assert_array_equal(got["y"], np.float32(1.5) * x + np.float32(2) + np.float32(0.25))

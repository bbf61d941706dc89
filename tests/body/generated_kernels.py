"""Random CUDA kernels whose meaning turns on sizes, indices and data: what a translation gets wrong if it guesses.

`make(seed)` gives a family's name, the source and the launch file. Many of them must be refused (order, parity, wrapping); none may be translated
into something else.
"""

import random


def launch(kernel, sizes, cases, where, buffers, scalars, grid, block, args, shared="0"):
    return {
        "version": 1,
        "source": "k.cu",
        "sizes": {"names": sizes, "cases": cases, "where": where},
        "buffers": buffers,
        "scalars": scalars,
        "launches": [{"kernel": kernel, "grid": grid, "block": block, "shared": shared, "args": args}],
    }


def buffer(ext, role="in", init="normal", t="f32"):
    d = {"type": t, "extent": ext, "role": role}
    if role != "out":
        d["init"] = init
    return d


def fexpr(r, leaves, depth):
    if depth == 0 or r.random() < 0.2:
        return r.choice(leaves)
    k = r.randrange(17)
    e = lambda: fexpr(r, leaves, depth - 1)
    return [
        lambda: f"({e()} + {e()})",
        lambda: f"({e()} - {e()})",
        lambda: f"({e()} * {e()})",
        lambda: f"fmaxf({e()}, {e()})",
        lambda: f"fminf({e()}, {e()})",
        lambda: f"({e()} > {e()} ? {e()} : {e()})",
        lambda: f"({e()} < {r.choice(['0.0f', '1.0f', '-2.5f'])} ? {e()} : {e()})",
        lambda: f"fabsf({e()})",
        lambda: f"expf(-fabsf({e()}))",
        lambda: f"tanhf({e()})",
        lambda: f"sqrtf(fabsf({e()}))",
        lambda: f"({e()} / (1.0f + fabsf({e()})))",
        lambda: f"-{e()}",
        lambda: f"{r.choice(['0.5f', '2.0f', '3.25f', '-1.5f'])}*{e()}",
        lambda: f"(float)(int)({e()})",
        lambda: f"(({e()} >= {e()} && {e()} != {e()}) ? {e()} : {e()})",
        lambda: f"(!({e()} <= {e()}) ? {e()} : {e()})",
    ][k]()


def cond(r, v, ext):
    return r.choice(
        [
            f"{v} < {ext} - 1",
            f"{v} > 0",
            f"{v} >= {r.choice([1, 2, 3, 5, 20, 40])}",
            f"{v} % 2 == 0",
            f"{v} % 3 == 1",
            f"{v} < {ext} / 2",
            f"{v} == {ext} - 1",
            f"{v} == 0",
            f"{v} + {r.choice([1, 2, 3])} < {ext}",
            f"{v} < {r.choice([1, 2, 4, 7, 33, 50])}",
            f"({v} & 1)",
            f"{v} >= {ext} - {r.choice([2, 3])}",
            f"2 * {v} < {ext}",
            f"{ext} > {r.choice([3, 10, 60, 100])}",
            f"{ext} % 2 == 0",
            f"{v} != {r.choice([0, 1, 30])}",
        ]
    )


def idx(r, v, ext):
    return r.choice(
        [v] * 4
        + [
            f"{ext} - 1 - {v}",
            f"({v} > 0 ? {v} - 1 : 0)",
            f"({v} + 1 < {ext} ? {v} + 1 : {ext} - 1)",
            f"({v} + 1) % {ext}",
            f"{v} / 2",
            f"{v} / 2 * 2",
            f"min({v} + 2, {ext} - 1)",
            f"max({v} - 3, 0)",
            f"{v} & ~1",
            "0",
            f"{ext} - 1",
            f"{v} ^ 1 < {ext} ? {v} ^ 1 : {v}",
        ]
    )


def pointwise(r):
    B = r.choice([32, 64, 128])
    ls = [f"x[{idx(r, 'i', 'n')}]", f"x[{idx(r, 'i', 'n')}]", f"w[{idx(r, 'i', 'n')}]", "p"]
    body = [f"float v = {fexpr(r, ls, 2)};"]
    for _ in range(r.randrange(3)):
        body.append(f"if ({cond(r, 'i', 'n')}) v = {fexpr(r, ls + ['v'], 1)};")
    if r.random() < 0.3:
        body.append(f"else v = {fexpr(r, ls + ['v'], 1)};" if body[-1].startswith("if") else "")
    src = (
        "__global__ void k(const float* x, const float* w, float* y, float p, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  "
        + "\n  ".join(body)
        + "\n  y[i] = v;\n}\n"
    )
    return src, launch(
        "k",
        ["n"],
        [[67], [131]],
        ["n >= 1"],
        {"x": buffer(["n"]), "w": buffer(["n"]), "y": buffer(["n"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        [f"ceildiv(n,{B})", "1", "1"],
        [str(B), "1", "1"],
        ["x", "w", "y", "p", "n"],
    )


def rows(r):
    lo = r.choice(["0", "0", "0", "1", "i % 2", "i"])
    hi = r.choice(["C", "C", "C", "C - 1", "i + 1", "min(C, i + 3)", "C / 2", "C & ~1", "min(C, 8)", "min(C,40)"])
    st = r.choice(["1", "1", "1", "2"])
    red = r.choice(
        [
            "s += {e};",
            "s = fmaxf(s, {e});",
            "s += {e} > 0.0f ? {e} : 0.0f;",
            "if ({c}) s += {e};",
            "s = s * p + {e};",
            "s *= {e};",
            "s = fminf(s, {e});",
            "s -= {e};",
            "if ({e} > s) s = {e};",
            "s = (j == 0) ? {e} : s + {e};",
        ]
    )
    init = r.choice(["0.0f", "0.0f", "p", "1.0f", "-INFINITY"])
    e = fexpr(r, ["x[i * C + j]", "x[i * C + j]", "w[j]"], r.choice([0, 1]))
    red = red.replace("{e}", e).replace("{c}", cond(r, "j", "C"))
    fin = r.choice(["s", "s / C", "s * w[0]", "sqrtf(fabsf(s))", "s / (float)(C > 1 ? C - 1 : 1)"])
    src = (
        f"__global__ void k(const float* x, const float* w, float* y, float p, int R, int C) {{\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i >= R) return;\n"
        f"  float s = {init};\n"
        f"  for (int j = {lo}; j < {hi}; j += {st}) {{ {red} }}\n"
        f"  y[i] = {fin};\n"
        f"}}\n"
    )
    return src, launch(
        "k",
        ["R", "C"],
        [[9, 20], [33, 17]],
        ["R >= 1", "C >= 1"],
        {"x": buffer(["R", "C"]), "w": buffer(["C"]), "y": buffer(["R"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(R,32)", "1", "1"],
        ["32", "1", "1"],
        ["x", "w", "y", "p", "R", "C"],
    )


def scan(r):
    init = r.choice(["0.0f", "p", "x[c]", "w[c]", "1.0f"])
    dirn = r.random() < 0.3
    loop = "for (int t = T - 1; t >= 0; t--)" if dirn else r.choice(["for (int t = 0; t < T; t++)"] * 3 + ["for (int t = 1; t < T; t++)"])
    e = fexpr(r, ["x[t * C + c]", "w[c]", "p"], 1)
    f = r.choice(["p", "w[c]", "x[t * C + c]", "(1.0f - p)", fexpr(r, ["x[t * C + c]", "w[c]"], 1)])
    step = r.choice(
        [
            f"s = {f} * s + {e};",
            f"s = {e} + s * {f};",
            f"s = s * {f} - {e};",
            f"s *= {f};",
            f"s = s + {f} * ({e} - s);",
            f"s += {e};",
            f"s = fmaxf(s * p, {e});",
            f"if (t > 2) s = {f} * s + {e};",
            f"s = {f} * s + {e}; if (t == 5) s = 0.0f;",
        ]
    )
    out = r.choice(["s", "s", "w[c] * s", "s + x[t * C + c]", "tanhf(s)", "s > 0.0f ? s : 0.0f"])
    order = r.random() < 0.8
    inner = (step + f" y[t * C + c] = {out};") if order else (f"y[t * C + c] = {out}; " + step)
    src = (
        f"__global__ void k(const float* x, const float* w, float* y, float p, int T, int C) {{\n"
        "  int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (c >= C) return;\n"
        f"  float s = {init};\n"
        "  y[c] = s;\n"
        f"  {loop} {{ {inner} }}\n"
        f"}}\n"
    )
    return src, launch(
        "k",
        ["T", "C"],
        [[9, 20], [5, 33]],
        ["T >= 1", "C >= 1"],
        {"x": buffer(["T", "C"]), "w": buffer(["C"], init="uniform"), "y": buffer(["T", "C"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(C,32)", "1", "1"],
        ["32", "1", "1"],
        ["x", "w", "y", "p", "T", "C"],
    )


def plane(r):
    leaf = lambda: r.choice([f"x[{idx(r, 'i', 'R')} * C + {idx(r, 'j', 'C')}]", f"x[{idx(r, 'i', 'R')} * C + {idx(r, 'j', 'C')}]", "w[j]"])
    ls = [leaf() for _ in range(3)]
    body = [f"float v = {fexpr(r, ls, 1)};"]
    for _ in range(r.randrange(1, 3)):
        body.append(f"if ({cond(r, *r.choice([('i', 'R'), ('j', 'C')]))}) v {r.choice(['=', '+=', '*='])} {fexpr(r, ls + ['v'], 1)};")
    oi = r.choice(["i * C + j"] * 4 + ["(R - 1 - i) * C + j", "i * C + (C - 1 - j)"])
    src = (
        "__global__ void k(const float* x, const float* w, float* y, float p, int R, int C) {\n  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;\n  if (i >= R || j >= C) return;\n  "
        + "\n  ".join(body)
        + f"\n  y[{oi}] = v;\n}}\n"
    )
    return src, launch(
        "k",
        ["R", "C"],
        [[9, 20], [33, 17]],
        ["R >= 1", "C >= 1"],
        {"x": buffer(["R", "C"]), "w": buffer(["C"]), "y": buffer(["R", "C"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(C,16)", "ceildiv(R,8)", "1"],
        ["16", "8", "1"],
        ["x", "w", "y", "p", "R", "C"],
    )


def gather(r):
    ix = r.choice(
        [
            "id[i]",
            "id[i]",
            f"id[{idx(r, 'i', 'n')}]",
            "min(id[i], V - 1)",
            "max(id[i] - 1, 0)",
            "(id[i] + 1) % V",
            "id[i] / 2",
            "(id[i] & 3) % V",
            "abs(id[i])",
            "id[i] >> 1",
            "(unsigned)id[i] % (unsigned)V",
            "(id[i] == 3 ? 0 : id[i])",
        ]
    )
    val = r.choice(
        [
            f"x[{ix} * D + j]",
            f"x[{ix} * D + j] * w[i]",
            f"({cond(r, 'id[i]', 'V')} ? x[{ix} * D + j] : w[i])",
            f"(float)({ix}) * w[i]",
            f"({ix} > {r.choice(['2', '0', 'V / 2'])} ? w[i] : p)",
        ]
    )
    src = (
        f"__global__ void k(const float* x, const int* id, const float* w, float* y, float p, int n, int V, int D) {{\n"
        "  int i = blockIdx.x;\n"
        f"  for (int j = threadIdx.x; j < D; j += blockDim.x) y[i * D + j] = {val};\n"
        f"}}\n"
    )
    return src, launch(
        "k",
        ["n", "V", "D"],
        [[9, 20, 11], [33, 17, 40]],
        ["n >= 1", "V >= 1", "D >= 1"],
        {"x": buffer(["V", "D"]), "id": buffer(["n"], init={"kind": "randint", "low": 0, "high": "V"}, t="i32"), "w": buffer(["n"]), "y": buffer(["n", "D"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        ["n", "1", "1"],
        ["32", "1", "1"],
        ["x", "id", "w", "y", "p", "n", "V", "D"],
    )


def shared(r):
    B = r.choice([32, 64])
    fill = r.choice(["i < n ? x[i] : 0.0f", "i < n ? x[i] : -1.0f", "x[min(i, n - 1)]"])
    off = r.choice(["t", "B - 1 - t", "(t + 1) % B", "t ^ 1", "t > 0 ? t - 1 : 0", "t / 2"])
    red = r.random() < 0.4
    op = r.choice(["s[t] += s[t + o]", "s[t] = fmaxf(s[t], s[t + o])", "s[t] *= s[t + o]"])
    if red:
        body = f"for (int o = B / 2; o > 0; o >>= 1) {{ if (t < o) {op}; __syncthreads(); }}\n  if (i < n) y[i] = x[i] * s[0];"
    else:
        body = f"if (i < n) y[i] = {fexpr(r, [f's[{off}]', 'w[i]', 's[t]'], 1)};"
    src = (
        f"#define B {B}\n"
        f"__global__ void k(const float* x, const float* w, float* y, float p, int n) {{\n"
        "  __shared__ float s[B];\n"
        "  int t = threadIdx.x, i = blockIdx.x * B + t;\n"
        f"  s[t] = {fill};\n"
        "  __syncthreads();\n"
        f"  {body}\n"
        f"}}\n"
    )
    return src, launch(
        "k",
        ["n"],
        [[67], [131]],
        ["n >= 1"],
        {"x": buffer(["n"]), "w": buffer(["n"]), "y": buffer(["n"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        [f"ceildiv(n,{B})", "1", "1"],
        [str(B), "1", "1"],
        ["x", "w", "y", "p", "n"],
    )


def half(r):
    ls = ["__half2float(x[i])", "__half2float(x[i])", "w[i]"]
    src = (
        "#include <cuda_fp16.h>\n__global__ void k(const __half* x, const float* w, __half* y, float p, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  "
        + r.choice(
            [
                f"y[i] = __float2half({fexpr(r, ls, 2)});",
                f"__half a = __float2half({fexpr(r, ls, 1)}); y[i] = __hadd(a, x[i]);",
                f"y[i] = __hmul(x[i], __float2half({fexpr(r, ls, 1)}));",
            ]
        )
        + "\n}\n"
    )
    return src, launch(
        "k",
        ["n"],
        [[67], [131]],
        ["n >= 1"],
        {"x": buffer(["n"], t="f16"), "w": buffer(["n"]), "y": buffer(["n"], "out", t="f16")},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(n,64)", "1", "1"],
        ["64", "1", "1"],
        ["x", "w", "y", "p", "n"],
    )


def atomics(r):
    src = (
        "__global__ void k(const float* x, const int* id, float* y, float p, int n, int V) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  "
        + r.choice(
            [
                "atomicAdd(&y[id[i]], x[i]);",
                "atomicAdd(&y[i % V], x[i]);",
                f"if ({cond(r, 'i', 'n')}) atomicAdd(&y[i % V], x[i]);",
                "atomicAdd(&y[0], x[i] * x[i]);",
                "if (x[i] > 0.0f) atomicAdd(&y[i % V], x[i]);",
                "atomicAdd(&y[(i / 2) % V], p * x[i]);",
            ]
        )
        + "\n}\n"
    )
    return src, launch(
        "k",
        ["n", "V"],
        [[67, 9], [131, 20]],
        ["n >= 1", "V >= 1"],
        {"x": buffer(["n"]), "id": buffer(["n"], init={"kind": "randint", "low": 0, "high": "V"}, t="i32"), "y": buffer(["V"], "inout", "zeros")},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(n,64)", "1", "1"],
        ["64", "1", "1"],
        ["x", "id", "y", "p", "n", "V"],
    )


def ints(r):
    t = r.choice(["int", "unsigned", "short", "unsigned char"])
    T = {"int": "i32", "unsigned": "u32", "short": "i16", "unsigned char": "u8"}[t]
    c = r.choice(
        [
            "a[i] > 5",
            "a[i] == i",
            "a[i] < n",
            "a[i] != 3",
            "a[i] >= n / 2",
            "i < a[i]",
            "(int)a[i] <= i - 2",
            "a[i] + 1 > 4",
            "a[i] == b[i]",
            "a[i] < b[i]",
            "a[i] - 3 >= 0",
            "a[i] > 100000",
        ]
    )
    y = r.choice(
        [
            f"y[i] = {c} ? x[i] : p;",
            "y[i] = (float)a[i] * x[i];",
            f"if ({c}) y[i] = x[i]; else y[i] = -x[i];",
            "y[i] = (float)(a[i] + b[i]);",
            f"y[i] = (float)a[i] / 3.0f + ({c} ? 1.0f : 0.0f);",
            "float s = 0.0f; for (int k = 0; k < n; k++) s += a[k] == i ? x[k] : 0.0f; y[i] = s;",
            "int s = 0; for (int k = 0; k < n; k++) s += a[k] == i ? 1 : 0; y[i] = (float)s;",
            "float s = 0.0f; for (int k = 0; k < n; k++) if (a[k] > i) s += x[k]; y[i] = s;",
        ]
    )
    src = (
        f"__global__ void k(const {t}* a, const {t}* b, const float* x, float* y, float p, int n) {{\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i >= n) return;\n"
        f"  {y}\n"
        f"}}\n"
    )
    lo = -20 if t in ("int", "short") else 0
    def ints_of():
        return buffer(["n"], init={"kind": "randint", "low": lo, "high": 40}, t=T)
    return src, launch(
        "k",
        ["n"],
        [[67], [131]],
        ["n >= 1"],
        {"a": ints_of(), "b": ints_of(), "x": buffer(["n"]), "y": buffer(["n"], "out")},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(n,64)", "1", "1"],
        ["64", "1", "1"],
        ["a", "b", "x", "y", "p", "n"],
    )


def counts(r):
    t = r.choice(["int", "unsigned"])
    T = {"int": "i32", "unsigned": "u32"}[t]
    b = r.choice(
        [
            "atomicAdd(&y[id[i]], 1);",
            "atomicAdd(&y[id[i]], 2);",
            f"if ({cond(r, 'i', 'n')}) atomicAdd(&y[id[i]], 1);",
            "atomicAdd(&y[id[i] / 2], 1);",
            "if (w[i] > 0) atomicAdd(&y[id[i]], 1);",
            "atomicAdd(&y[i % V], 1);",
            "atomicAdd(&y[id[i]], (int)w[i]);",
            "atomicAdd(&y[0], 1);",
            "atomicAdd(&y[min(id[i] + 1, V - 1)], 1);",
            "atomicAdd(&y[V - 1 - id[i]], 3);",
        ]
    )
    src = (
        f"__global__ void k(const int* id, const unsigned char* w, {t}* y, int n, int V) {{\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i >= n) return;\n"
        f"  {b}\n"
        f"}}\n"
    )
    return src, launch(
        "k",
        ["n", "V"],
        [[67, 9], [131, 20]],
        ["n >= 1", "V >= 1"],
        {
            "id": buffer(["n"], init={"kind": "randint", "low": 0, "high": "V"}, t="i32"),
            "w": buffer(["n"], init={"kind": "randint", "low": 0, "high": 3}, t="u8"),
            "y": buffer(["V"], "inout", r.choice(["zeros", {"kind": "randint", "low": 0, "high": 50}]), t=T),
        },
        {},
        ["ceildiv(n,64)", "1", "1"],
        ["64", "1", "1"],
        ["id", "w", "y", "n", "V"],
    )


def pick(r):
    ix = r.choice(["id[j]", "id[i]", "id2[i * P + j]", "id[j] < C ? id[j] : 0", "C - 1 - id[j]", "min(id[i], C - 1)", "id[(j + 1) % P]"])
    e = r.choice([f"x[i * C + ({ix})]", f"x[i * C + ({ix})] * w[({ix})]", f"x[i * C + ({ix})] - x[i * C]", f"w[({ix})] + x[i * C + j % C]"])
    src = (
        f"__global__ void k(const float* x, const float* w, const int* id, const int* id2, float* y, int R, int C, int P) {{\n"
        "  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;\n"
        "  if (j >= P) return;\n"
        f"  y[i * P + j] = {e};\n"
        f"}}\n"
    )

    def columns_of(e):
        return buffer(e, init={"kind": "randint", "low": 0, "high": "C"}, t="i32")

    return src, launch(
        "k",
        ["R", "C", "P"],
        [[9, 20, 11], [33, 17, 40]],
        ["R >= 1", "C >= 1", "P >= 1"],
        {"x": buffer(["R", "C"]), "w": buffer(["C"]), "id": columns_of(["max(P,R)"]), "id2": columns_of(["R", "P"]), "y": buffer(["R", "P"], "out")},
        {},
        ["ceildiv(P,32)", "R", "1"],
        ["32", "1", "1"],
        ["x", "w", "id", "id2", "y", "R", "C", "P"],
    )


def tworows(r):
    o = r.choice(
        ["s / t", "t - s", "s * t", "fmaxf(s, t)", "x[i * C + j] - s / C", "(x[i * C + j] - s) * rsqrtf(t * t + 1.0f)", "expf(x[i * C + j] - m) / t"]
    )
    src = (
        f"__global__ void k(const float* x, const float* w, float* y, float p, int R, int C) {{\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i >= R) return;\n"
        "  float s = 0.0f, t = p, m = -INFINITY;\n"
        f"  for (int j = 0; j < C; j++) {{ s += {fexpr(r, ['x[i * C + j]', 'w[j]'], 1)}; t += {fexpr(r, ['x[i * C + j]', 'w[j]'], 1)}; m = fmaxf(m, x[i * C + j]); }}\n"
        f"  for (int j = {r.choice(['0', '0', '1'])}; j < C; j++) y[i * C + j] = {o};\n"
        f"{r.choice(['', '  y[i * C] = s;'])}\n"
        f"}}\n"
    )
    return src, launch(
        "k",
        ["R", "C"],
        [[9, 20], [33, 17]],
        ["R >= 1", "C >= 1"],
        {"x": buffer(["R", "C"]), "w": buffer(["C"]), "y": buffer(["R", "C"], r.choice(["out", "out", "inout"]))},
        {"p": {"type": "f32", "value": 0.5}},
        ["ceildiv(R,32)", "1", "1"],
        ["32", "1", "1"],
        ["x", "w", "y", "p", "R", "C"],
    )


FAMILIES = [
    ints,
    counts,
    pick,
    tworows,
    ints,
    counts,
    pick,
    pointwise,
    pointwise,
    rows,
    rows,
    scan,
    scan,
    plane,
    plane,
    gather,
    shared,
    half,
    atomics,
]


def make(seed):
    draw = random.Random(seed)
    family = draw.choice(FAMILIES)
    source, launch_file = family(draw)
    return family.__name__, source, launch_file

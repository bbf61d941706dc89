"""NumPy references of the second part of the body, by class; the same form as `references`."""

import numpy as np

TOL = {
    "pair_distance": (1e-4, 1e-4), "distance_tiled": (1e-4, 1e-4), "bilinear_form": (1e-4, 1e-4),
    "group_norm_thread": (1e-3, 1e-4), "moments_block": (1e-4, 1e-4), "running_product": (1e-4, 1e-5),
    "smooth_cross_entropy": (1e-4, 1e-5), "rms_norm_backward": (1e-4, 1e-4), "gradient_magnitude": (1e-4, 1e-5),
    "row_dot": (1e-4, 1e-5), "matmul_at_b": (1e-4, 1e-5), "sgemm_tiled16": (1e-4, 1e-5), "adam_step": (1e-4, 1e-5),
    "dot_one_block": (1e-4, 1e-4), "total_atomic": (1e-4, 1e-4), "column_sum_atomic": (1e-4, 1e-5),
    "depthwise3x3": (1e-4, 1e-5), "conv1d_valid": (1e-4, 1e-5), "bmm_naive": (1e-4, 1e-5), "matvec": (1e-4, 1e-5),
    "l2_normalize": (1e-4, 1e-5), "swiglu_packed": (1e-4, 1e-5), "matvec_cached": (1e-4, 1e-5),
    "csr_matvec": (1e-4, 1e-5), "softmax_backward": (1e-4, 1e-5), "cumsum_thread": (1e-4, 1e-5),
    "coo_transposed_matvec": (1e-4, 1e-5), "weighted_bincount": (1e-4, 1e-5), "bmm_tiled": (1e-4, 1e-5),
    "sgemm_micro4": (1e-4, 1e-5), "sgemm_double_buffer": (1e-4, 1e-5), "linear_bias_relu": (1e-4, 1e-5),
    "row_sum_tree": (1e-4, 1e-5), "grouped_linear": (1e-4, 1e-5),
}  # fmt: skip
D = np.float64


def d(array):
    return array.astype(D)


def bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bf16(value):
    """Round to nearest, ties to even; finite values only."""
    bits = value.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


# C0


def tanh_part(v):
    return np.tanh(0.7978845608 * (v + 0.044715 * v**3))


def gelu_tanh_forward(s, b, p):
    v = d(b.x)
    return {"y": 0.5 * v * (1 + tanh_part(v))}


def gelu_tanh_backward(s, b, p):
    v, t = d(b.x), tanh_part(d(b.x))
    return {"y": b.g * (0.5 * (1 + t) + 0.5 * v * (1 - t * t) * 0.7978845608 * (1 + 0.134145 * v * v))}


def leaky_relu_functor(s, b, p):
    return {"y": np.where(b.x >= 0, b.x, b.x * np.float32(p.slope))}


def adam_step(s, b, p):
    m = p.b1 * d(b.m) + (1 - p.b1) * b.g
    v = p.b2 * d(b.v) + (1 - p.b2) * d(b.g) ** 2
    return {"m": m, "v": v, "p": b.p - p.lr * (m / p.c1) / (np.sqrt(v / p.c2) + p.eps)}


def axpby_bf16(s, b, p):
    return {"y": to_bf16(np.float32(p.a) * bf16(b.x) + np.float32(p.b) * bf16(b.z))}


def requantize(s, b, p):
    return {"y": np.clip(np.rint(b.x.astype(np.float32) * np.float32(p.scale)), -128, 127).astype(np.int32)}


# C1


def bias_residual(s, b, p):
    return {"y": d(b.x) + b.b + b.r}


def swiglu_packed(s, b, p):
    gate, up = d(b.x)[:, : s.N], d(b.x)[:, s.N :]
    return {"y": gate / (1 + np.exp(-gate)) * up}


def rotary_half(s, b, p):
    lo, hi = d(b.q)[..., : s.E], d(b.q)[..., s.E :]
    c, w = b.c[:, None], b.s[:, None]
    return {"y": np.concatenate([lo * c - hi * w, hi * c + lo * w], -1)}


def film_modulate(s, b, p):
    return {"y": (1 + d(b.g))[..., None] * b.x + b.b[..., None]}


def batchnorm_infer(s, b, p):
    scale = b.w / np.sqrt(d(b.v) + p.eps)
    return {"y": (d(b.x) - b.m[:, None]) * scale[:, None] + b.b[:, None]}


def mask_fill_rows(s, b, p):
    return {"y": np.where(b.k != 0, b.x, np.float32(p.value))}


def outer_sum2(s, b, p):
    return {"y": b.a[:, None] + b.b}


def scale_half2(s, b, p):
    return {"y": d(b.x) * b.s[:, None]}


# C2


def transpose_naive(s, b, p):
    return {"y": b.x.T}


def heads_first(s, b, p):
    return {"y": b.x.transpose(0, 2, 1, 3)}


def concat_columns(s, b, p):
    return {"y": np.concatenate([b.a, b.b], 1)}


def split_qkv(s, b, p):
    return dict(zip("qkv", np.split(b.x, 3, 1)))


def pixel_shuffle2(s, b, p):
    x = b.x.reshape(s.C, 2, 2, s.H, s.W).transpose(0, 3, 1, 4, 2)
    return {"y": x.reshape(s.C, 2 * s.H, 2 * s.W)}


def flip_columns(s, b, p):
    return {"y": b.x[:, ::-1]}


def pad_plane(s, b, p):
    return {"y": np.pad(b.x, ((s.t, s.b), (s.l, s.r)), constant_values=p.value)}


def every_third(s, b, p):
    return {"y": b.x[1::3]}


def unfold1d(s, b, p):
    return {"y": np.lib.stride_tricks.sliding_window_view(b.x, s.K)}


# C3


def matvec(s, b, p):
    return {"y": d(b.A) @ b.x}


def linear_bias_relu(s, b, p):
    return {"y": np.maximum(d(b.x) @ d(b.w).T + b.b, 0)}


def bmm_naive(s, b, p):
    return {"c": d(b.a) @ b.b}


def matmul_at_b(s, b, p):
    return {"c": 0.5 * (d(b.a).T @ b.b)}


def pair_distance(s, b, p):
    return {"d": ((d(b.p)[:, None] - b.q[None]) ** 2).sum(2)}


def row_dot(s, b, p):
    return {"y": (d(b.a) * b.b).sum(1)}


def grouped_linear(s, b, p):
    return {"y": np.einsum("rgi,goi->rgo", d(b.x), d(b.w))}


def bilinear_form(s, b, p):
    return {"y": np.einsum("ri,ij,rj->r", d(b.x), d(b.w), d(b.z))}


def column_mean_square(s, b, p):
    return {"y": (d(b.x) ** 2).mean(0)}


# C4


def conv1d_valid(s, b, p):
    windows = np.lib.stride_tricks.sliding_window_view(d(b.x), s.K, axis=1)
    return {"y": np.einsum("cpk,ock->op", windows, d(b.w)) + b.b[:, None]}


def depthwise3x3(s, b, p):
    x = np.pad(d(b.x), ((0, 0), (1, 1), (1, 1)))
    shifted = [x[:, k // 3 : k // 3 + s.H, k % 3 : k % 3 + s.W] * b.w[:, k, None, None] for k in range(9)]
    return {"y": sum(shifted)}


def maxpool2(s, b, p):
    h, w = s.H // 2, s.W // 2
    return {"y": b.x[:, : 2 * h, : 2 * w].reshape(s.C, h, 2, w, 2).max((2, 4))}


def heat_step(s, b, p):
    u, v = d(b.u), d(b.u)
    inner = u[1:-1, 1:-1]
    if inner.size:
        v[1:-1, 1:-1] = inner + p.k * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * inner)
    return {"v": v}


def causal_conv4(s, b, p):
    x = np.pad(d(b.x), ((3, 0), (0, 0)))
    return {"y": b.b + sum(x[k : k + s.T] * b.w[:, k] for k in range(4))}


def upsample2_nearest(s, b, p):
    return {"y": b.x.repeat(2, 1).repeat(2, 2)}


def dilated_conv3(s, b, p):
    x = d(b.x)
    return {"y": sum(b.w[k] * x[k * s.d : k * s.d + s.n] for k in range(3))}


def gradient_magnitude(s, b, p):
    x = d(b.x)
    return {"y": np.hypot(x[:-1, 1:] - x[:-1, :-1], x[1:, :-1] - x[:-1, :-1])}


# C5


def softmax_thread(s, b, p):
    return {"y": softmax(d(b.x))}


def log_softmax_thread(s, b, p):
    x = d(b.x) - b.x.max(1, keepdims=True)
    return {"y": x - np.log(np.exp(x).sum(1, keepdims=True))}


def layer_norm_thread(s, b, p):
    x = d(b.x)
    return {"y": (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + p.eps) * b.w + b.b}


def l2_normalize(s, b, p):
    x = d(b.x)
    return {"y": x / np.maximum(np.sqrt((x * x).sum(1, keepdims=True)), p.eps)}


def group_norm_thread(s, b, p):
    x = d(b.x)
    mean, var = x.mean((2, 3), keepdims=True), x.var((2, 3), keepdims=True)
    return {"y": (x - mean) / np.sqrt(var + p.eps) * b.w[None, :, :, None]}


def softmax_backward(s, b, p):
    y = d(b.p)
    return {"d": y * (b.g - (y * b.g).sum(1, keepdims=True))}


def smooth_cross_entropy(s, b, p):
    x = d(b.x)
    lse = np.log(np.exp(x).sum(1))
    return {"l": (1 - p.smooth) * (lse - x[np.arange(s.M), b.t]) + p.smooth * (lse - x.mean(1))}


def rms_norm_backward(s, b, p):
    x, g = d(b.x), d(b.g) * b.w
    inv = 1 / np.sqrt((x * x).mean(1, keepdims=True) + p.eps)
    return {"d": inv * (g - x * inv**2 * (g * x).mean(1, keepdims=True))}


# C6


def transpose_32x8(s, b, p):
    return {"y": b.x.T}


def sgemm_tiled16(s, b, p):
    return {"C": p.alpha * (d(b.A) @ b.B) + p.beta * b.C}


def sgemm_double_buffer(s, b, p):
    return {"C": d(b.A) @ b.B}


sgemm_micro4 = sgemm_double_buffer


def bmm_tiled(s, b, p):
    return {"C": d(b.A) @ b.B_}


def conv1d_shared(s, b, p):
    return {"y": np.lib.stride_tricks.sliding_window_view(d(b.x), 5) @ b.w}


matvec_cached = matvec


def distance_tiled(s, b, p):
    return {"d": np.sqrt(pair_distance(s, b, p)["d"])}


# C7


def row_sum_tree(s, b, p):
    return {"y": d(b.x).sum(1)}


def row_absmax(s, b, p):
    return {"y": np.abs(b.x).max(1)}


softmax_block = online_softmax_warp = softmax_thread
layer_norm_warp = layer_norm_thread


def moments_block(s, b, p):
    return {"m": d(b.x).mean(1), "v": d(b.x).var(1)}


def rms_norm_half(s, b, p):
    x = d(b.x)
    return {"y": x / np.sqrt((x * x).mean(1, keepdims=True) + p.eps) * b.w}


def mean_squared_error(s, b, p):
    return {"y": np.array([((d(b.a) - b.b) ** 2).mean()])}


def dot_one_block(s, b, p):
    return {"y": np.array([d(b.a) @ b.b])}


# C8


def recurrence(first, factors, terms):
    """h[t] = factors[t] * h[t-1] + terms[t], from `first`."""
    out, h = np.zeros_like(terms), first
    for t in range(len(terms)):
        h = factors[t] * h + terms[t]
        out[t] = h
    return out


def exponential_average(s, b, p):
    return {"y": recurrence(np.zeros(s.C), np.full(s.T, 1 - p.alpha), p.alpha * d(b.x))}


def cumsum_thread(s, b, p):
    return {"y": d(b.x).cumsum(1)}


def linear_recurrence(s, b, p):
    return {"h": recurrence(d(b.h0), d(b.a), d(b.x))}


def warp_scan_exclusive(s, b, p):
    return {"y": b.x.cumsum(1, dtype=np.int32) - b.x}


def running_product(s, b, p):
    return {"y": d(b.x).cumprod(1)}


def running_maximum(s, b, p):
    return {"y": np.maximum.accumulate(b.x, 1)}


def state_space_scan(s, b, p):
    dt = d(b.dt)
    return {"y": b.Cm[:, None] * recurrence(np.zeros(s.D), np.exp(-dt * b.A), dt * b.B[:, None] * b.u)}


def discounted_return(s, b, p):
    return {"v": recurrence(np.zeros(s.N), np.full(s.T, p.gamma), d(b.r)[::-1])[::-1]}


# C9


def embedding_padding(s, b, p):
    return {"y": np.where(b.ids[:, None] == p.pad, np.float32(0), b.E[b.ids])}


def row_parts(offsets):
    return [slice(a, z) for a, z in zip(offsets[:-1], offsets[1:])]


def csr_matvec(s, b, p):
    terms = d(b.v) * b.x[b.c]
    return {"y": np.array([terms[part].sum() for part in row_parts(b.rp)])}


def csr_matmat(s, b, p):
    return {"y": np.array([d(b.x)[b.c[part]].sum(0) for part in row_parts(b.rp)])}


def select_columns(s, b, p):
    return {"y": b.x[:, b.ix]}


def take_along_rows(s, b, p):
    return {"y": np.take_along_axis(b.x, b.ix, 1)}


def segment_max(s, b, p):
    return {"y": np.array([b.x[part].max(initial=np.float32(-1e30)) for part in row_parts(b.off)])}


def bag_sum(s, b, p):
    return {"y": np.array([d(b.E)[b.ids[part]].sum(0) for part in row_parts(b.off)])}


def lookup_dequant(s, b, p):
    return {"y": d(b.b)[b.q] * b.s[:, None]}


# C10


def added(start, index, terms):
    out = start.copy() if np.issubdtype(start.dtype, np.integer) else d(start)
    np.add.at(out, index, terms)
    return out


def histogram_global(s, b, p):
    return {"h": added(b.h, b.v, 1)}


histogram_private = histogram_global


def index_add_rows(s, b, p):
    return {"y": added(b.y, b.ix, p.scale * d(b.x))}


def weighted_bincount(s, b, p):
    return {"t": added(b.t, b.k, b.w)}


def column_sum_atomic(s, b, p):
    return {"y": b.y + d(b.x).sum(0)}


def total_atomic(s, b, p):
    return {"y": b.y + d(b.x).sum()}


def coo_transposed_matvec(s, b, p):
    return {"y": added(b.y, b.c, d(b.v) * b.x[b.r])}


def scatter_max(s, b, p):
    out = b.b.copy()
    np.maximum.at(out, b.k, b.v)
    return {"b": out}


def cell_count(s, b, p):
    return {"g": added(b.g, (b.py, b.px), 1)}

"""Kernels written by hand in NKI 0.7, as a person would."""

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def saxpy(x, y, a, n):
    """out = a * x + y over a 1-D array, in rows of 512 and a tail."""
    out = nl.ndarray((n,), nl.float32, buffer=nl.shared_hbm)
    alpha = nl.ndarray((128, 1), nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=alpha, src=a.ap([[0, 128], [1, 1]], offset=0))
    rows, width = n // 512, 512
    regions = [(rows, width, 0)] if rows else []
    if n % 512:
        regions.append((1, n % 512, rows * 512))
    for count, size, start in regions:
        for r in range(0, count, 128):
            p = min(128, count - r)
            tx = nl.ndarray((p, size), nl.float32, buffer=nl.sbuf)
            ty = nl.ndarray((p, size), nl.float32, buffer=nl.sbuf)
            pattern = [[size, p], [1, size]]
            nisa.dma_copy(dst=tx, src=x.ap(pattern, offset=start + r * size))
            nisa.dma_copy(dst=ty, src=y.ap(pattern, offset=start + r * size))
            nisa.scalar_tensor_tensor(dst=tx, data=tx, op0=nl.multiply, operand0=alpha[0:p], op1=nl.add, operand1=ty)
            nisa.dma_copy(dst=out.ap(pattern, offset=start + r * size), src=tx)
    return out


@nki.jit
def softmax(x, M, N):
    y = nl.ndarray((M, N), nl.float32, buffer=nl.shared_hbm)
    for r in range(0, M, 128):
        p = min(128, M - r)
        t = nl.ndarray((p, N), nl.float32, buffer=nl.sbuf)
        low = nl.ndarray((p, 1), nl.float32, buffer=nl.sbuf)
        total = nl.ndarray((p, 1), nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(dst=t, src=x[r : r + p, 0:N])
        nisa.tensor_reduce(dst=low, op=nl.maximum, data=t, axis=1, negate=True)
        reset = nisa.reduce_cmd.reset_reduce
        nisa.activation(dst=t, op=nl.exp, data=t, bias=low, reduce_op=nl.add, reduce_res=total, reduce_cmd=reset)
        nisa.reciprocal(dst=total, data=total)
        nisa.tensor_scalar(dst=t, data=t, op0=nl.multiply, operand0=total)
        nisa.dma_copy(dst=y[r : r + p, 0:N], src=t)
    return y


@nki.jit
def matmul(a, b):
    """C = A @ B: A's tiles are turned on the tensor engine, K is accumulated in PSUM."""
    (M, K), N = a.shape, b.shape[1]
    c = nl.ndarray((M, N), nl.float32, buffer=nl.shared_hbm)
    for i in range(0, M, 128):
        m = min(128, M - i)
        for j in range(0, N, 512):
            n = min(512, N - j)
            acc = nl.ndarray((m, n), nl.float32, buffer=nl.psum)
            for k in range(0, K, 128):
                d = min(128, K - k)
                rows = nl.ndarray((m, d), a.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=rows, src=a[i : i + m, k : k + d])
                turned = nl.ndarray((d, m), a.dtype, buffer=nl.psum)
                nisa.nc_transpose(dst=turned, data=rows)
                lhs = nl.ndarray((d, m), a.dtype, buffer=nl.sbuf)
                nisa.tensor_copy(dst=lhs, src=turned, engine=nisa.engine.scalar)
                rhs = nl.ndarray((d, n), b.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=rhs, src=b[k : k + d, j : j + n])
                nisa.nc_matmul(dst=acc, stationary=lhs, moving=rhs, accumulate=k > 0)
            out = nl.ndarray((m, n), nl.float32, buffer=nl.sbuf)
            nisa.tensor_copy(dst=out, src=acc)
            nisa.dma_copy(dst=c[i : i + m, j : j + n], src=out)
    return c


@nki.jit
def embedding(table, tok):
    """Two results: the rows that tok names, and twice them."""
    T, D = tok.shape[0], table.shape[1]
    y = nl.ndarray((T, D), table.dtype, buffer=nl.shared_hbm)
    z = nl.ndarray((T, D), table.dtype, buffer=nl.shared_hbm)
    index = nl.ndarray((T, 1), nl.int32, buffer=nl.sbuf)
    rows = nl.ndarray((T, D), table.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=index, src=tok.reshape((T, 1)))
    nisa.dma_copy(dst=rows, src=table.ap([[D, T], [1, D]], offset=0, vector_offset=index, indirect_dim=0))
    nisa.dma_copy(dst=y, src=rows)
    nisa.tensor_scalar(dst=rows, data=rows, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=z, src=rows)
    return y, z


def copy_with(body):
    """A kernel that copies x through a tile `t` and lets `body(x, t)` do something in between."""

    def copy(x):
        y = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        t = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=t, src=x)
        body(x, t)
        nisa.dma_copy(dst=y, src=t)
        return y

    return copy

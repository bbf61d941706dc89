import numpy as np
from suite import case, f32, ints, out

T = np.arange(32)
FIB = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


def hanoi(n, a, b, c):
    return [] if n == 0 else [*hanoi(n - 1, a, c, b), a, *hanoi(n - 1, c, b, a)]


@case(y=out("i32", 32))
def recursion():
    return [FIB[t % 12] * 2 + (t % 2 == 0) for t in T]


@case(y=out("i32", 32))
def recursion_with_memory():
    moves = [hanoi(t % 6, 1, 2, 3) for t in T]
    return [len(m) * 1000 + sum(m) for m in moves]


@case(x=ints(32), y=out("i32", 32))
def function_pointers(x):
    return np.choose(T % 3, [x + 1, 2 * x, x * x])


@case(x=ints(32), y=out("i32", 32))
def function_as_argument(x):
    return 4 * x + 3


@case(y=out("f32", 32))
def virtual_calls():
    return np.where(T % 2, T * T + 4, 3 * T * T)


@case(kernel="templated<float, 3>", x=f32(32), y=out("f32", 32))
def templated_float(x):
    return (x + np.roll(x, -1)) + np.roll(x, -2)


@case(kernel="templated<int, 5>", x=ints(32), y=out("i32", 32))
def templated_int(x):
    return sum(np.roll(x, -k) for k in range(5))


@case(y=out("i32", 32))
def fold():
    return 4 + T


@case(x=ints(32), y=out("i32", 32))
def lambdas(x):
    return 10 * 3 * sum(np.roll(x, -k) for k in range(4)) + np.minimum(T, 3)


@case(y=out("i32", 32))
def operators():
    z = [1, 1j, -1, -1j]
    return [int(z[t % 4].real + 1) * 10 + int(z[t % 4].imag + 2) for t in T]


@case(y=out("i32", 32))
def switch_fall_through():
    return [[11, 10, 1000, 1100, 1000][t % 5] for t in T]


@case(y=out("i32", 32))
def loops():
    rows = []
    for t in T:
        v = k = 0
        while True:
            if k == t % 7:
                k += 2
            else:
                v += k
                k += 1
            if k >= 15:
                break
        rows.append(-(-v // 5) * 5)
    return rows


@case(x=ints(32), y=out("i32", 32))
def short_circuit(x):
    before, after = np.concatenate([[0], x[:-1]]), np.concatenate([x[1:], [0]])
    return np.where((before > 0) | (after < 0), np.where(x > 50, 3, np.where(x > 0, 2, 1)), 0)


@case(y=out("i32", 32))
def constants():
    return 27 + np.where(T < 6, T * T - 4, 0)


@case(block=4)
def prints():
    return {}


@case(x=ints(32), y=out("i32", 32))
def asserts(x):
    return x


@case(y=out("i32", 32))
def clock_rises():
    return 45 * T


@case(y=out("i32", 32))
def statics():
    return np.full(32, 5)


@case(y=out("i32", 32))
def inheritance():
    return T * (T + 1)


@case(block=64, y=out("i32", 64))
def bounded():
    return 64 - np.arange(64)


@case(y=out("i32", 32))
def collatz():
    def steps(n):
        return 0 if n == 1 else 1 + steps(3 * n + 1 if n % 2 else n // 2)

    return [steps(int(t) + 1) for t in T]

"""The fp8 formats as tables: the finite values by code, and the code nearest to a number (ties to even)."""

import numpy as np


def fp8_values(mantissa, least, greatest):
    """Every finite value of the format by its code."""
    values = []
    for code in range(greatest + 1):
        e, f = code >> mantissa, code & ((1 << mantissa) - 1)
        values.append((f if e == 0 else f + (1 << mantissa)) * 2.0 ** ((e - 1 if e else 0) + least - mantissa))
    return np.array(values)


E4M3, E5M2 = fp8_values(3, -6, 0x7E), fp8_values(2, -14, 0x7B)


def nearest(values, x):
    distance = np.abs(values - abs(float(x)))
    best = np.flatnonzero(distance == distance.min())
    code = best[best % 2 == 0][0] if len(best) > 1 else best[0]
    return int(code) | (0x80 if np.signbit(x) else 0)

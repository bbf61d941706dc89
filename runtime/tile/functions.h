// Arithmetic of the engines on rows of fp32 values.
#pragma once

#include <cstdint>

#include "runtime/tile/names.h"

namespace np::tile {

// out[i] = a[i] op b[i]; a step of 0 makes that operand one value for the row. Unary functions look at a only.
// Comparisons and logical operations give 1 or 0. maximum and minimum return the other operand when one is NaN.
void applyBinary(Function op, const float* a, int64_t a_step, const float* b, int64_t b_step, int64_t count,
                 float* out);
float applyBinary(Function op, float a, float b);
// Integers without rounding, as GpSimd computes int32 and uint32 and VectorE computes bitwise operations.
int64_t applyInteger(Function op, int64_t a, int64_t b);
// out[i] = f(x[i]).
void applyActivation(Function f, const float* x, int64_t count, float* out);
// Whether x lies where NKI documents the activation as valid (log [2^-64, 2^64], sin [-pi, pi] ..). Beyond it the
// interpreter still computes f(x), the hardware may not.
bool inActivationRange(Function f, float x);
// Sum, product, maximum .. of a row.
float reduceRow(Function op, const float* x, int64_t count);

}  // namespace np::tile

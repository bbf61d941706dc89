// Element conversions between storage types and the fp32 in which engines compute.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/tile/names.h"

namespace np::tile {

// `step` is in elements of the dtype and may be 0 or negative.
void loadAsFloat(Dtype dtype, const std::byte* from, int64_t step, int64_t count, float* to);
// Rounds to nearest even; to integers it also saturates, NaN becomes 0.
void storeFromFloat(Dtype dtype, const float* from, int64_t count, std::byte* to, int64_t step);
// Integer dtypes only: without rounding through fp32; storing wraps.
void loadAsInteger(Dtype dtype, const std::byte* from, int64_t step, int64_t count, int64_t* to);
void storeFromInteger(Dtype dtype, const int64_t* from, int64_t count, std::byte* to, int64_t step);

float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
float bfloatToFloat(uint16_t bits);
uint16_t floatToBfloat(float value);

}  // namespace np::tile

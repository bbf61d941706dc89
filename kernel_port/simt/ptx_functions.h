// PTX operations on bit patterns that neither LLVM's integer intrinsics nor the math library have.
#pragma once

#include <string_view>

#include "kernel_port/simt/program.h"

namespace np::kernel_port::simt {

// "prmt" (a, b, selector), "bfe.u32", "bfe.s32", "bfe.u64", "bfe.s64" (a, position, length), "bfi.b32", "bfi.b64"
// (from, into, position, length), "lop3" (a, b, c, table), "dp4a.uu", "dp4a.us", "dp4a.su", "dp4a.ss" (a, b, c),
// "bfind.u32" and so on, "mulhi.s32", "mulhi.u32", "mulhi.s64", "mulhi.u64", "ftz" (a float), "tf32" (round to it).
// "e4m3x2", "e5m2x2" (floats a high, b low, to two bytes), "e4m3x2.half", "e5m2x2.half" (two bytes to two halves),
// "pack.s8", "pack.u8" (a and b saturated to bytes below c). Null when there is none.
MathFunction ptxFunction(std::string_view name);

// The value of an 8-bit float, E4M3 or E5M2.
double fp8Value(uint8_t code, bool e5m2);

// Addresses of shared memory as PTX sees them: 32-bit numbers. An address that belongs to no window becomes 0, and 0
// the null pointer, so that its use is reported.
uint64_t sharedWindow(uint64_t address, uint64_t, uint64_t, uint64_t);
uint64_t fromSharedWindow(uint64_t window, uint64_t, uint64_t, uint64_t);

}  // namespace np::kernel_port::simt

// Loops from one loaded integer to another, as over the entries of a CSR row.
#pragma once

namespace llvm {
class Function;
}

namespace np::kernel_port::lift {

// The function that stands for the number of `size`-byte elements of a buffer: i64 (ptr, i64 size).
inline constexpr char kExtentFunction[] = "neuron_port.extent";

//   for (e = begin; e < end; ++e) body(e)
// becomes
//   for (e = 0; e < extent(x); ++e) if (begin <= e && e < end) body(e)
// where `begin` or `end` come from loads, the body only computes, and every iteration reads x[e], so that all other
// values of e would be outside x. Other loops stay as they are.
void unrollRaggedLoops(llvm::Function& kernel);

}  // namespace np::kernel_port::lift

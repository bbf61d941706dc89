// Evaluates a Spec on concrete buffers: the oracle that lifter, scheduler and gates are compared with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {

// Row-major elements, each the value of the buffer's type as a double (64-bit integers exact below 2^53).
struct Array {
  std::vector<int64_t> shape;
  std::vector<double> data;
};

struct Inputs {
  SizeValues sizes;
  std::map<std::string, double> scalars;
  std::map<std::string, Array> buffers;  // every in and inout buffer
};

enum class Precision {
  Exact,   // floats in float64, nothing rounded but casts to integer
  Native,  // every operation rounded to its type; sums in index order
};

struct Output {
  Array values;                  // where nothing is written: the old value of an inout buffer, NaN of an out buffer
  std::vector<uint8_t> written;  // 1 where some statement writes
  std::vector<double> bound;     // boundSpec() only: first-order rounding bound of each element
};

using Outputs = std::map<std::string, Output>;

// Values of every out and inout buffer. Errors: a missing input, a `where` line that does not hold, an index outside
// its buffer, two statements that write one element.
Result<Outputs> evaluateSpec(const Spec& spec, const Inputs& inputs, Precision precision);

// The same in Precision::Exact with Output::bound filled: E of the `shadow` gate. Each operation adds its own type's
// unit roundoff times its magnitude, a sum of n terms n of them times the sum of magnitudes; incoming bounds are
// carried by the magnitude of the derivative. Inputs are exact. Where a derivative is unbounded the bound is inf.
Result<Outputs> boundSpec(const Spec& spec, const Inputs& inputs);

}  // namespace np::kernel_port::spec

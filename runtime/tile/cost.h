// How long a flat program should take on a NeuronCore: an interval, and the bound that no schedule can beat.
#pragma once

#include <map>
#include <string>

#include "runtime/tile/flat.h"
#include "runtime/tile/hardware.h"

namespace np::tile {

// Microseconds. low: the busiest resource without any wait or start-up; estimate: event-driven, with start-up and
// short-descriptor losses that overlap; high: the same with nothing hidden. `bound` names the busiest resource.
struct Cost {
  double low_us = 0, estimate_us = 0, high_us = 0;
  std::string bound;
  std::map<std::string, double> busy_us;  // per engine and "dma", as in `low`
  int64_t dma_bytes = 0, dma_count = 0, instructions = 0;
};
Cost estimateCost(const FlatProgram& program, const Hardware& hardware);

// What the chip allows: every parameter moved once, every matmul at the peak of its type.
struct Roofline {
  double dma_us = 0, tensor_us = 0;
  double bound_us() const { return dma_us > tensor_us ? dma_us : tensor_us; }
};
Roofline roofline(const FlatProgram& program, const Hardware& hardware);

}  // namespace np::tile

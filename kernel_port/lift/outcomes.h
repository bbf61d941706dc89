// Outcomes: which way each integer decision of a kernel went, and how near it came to going the other way.
//
// A formula found at sizes where `i > 5000` never held knows nothing of what happens beyond. So a comparison (or min,
// max, division, remainder, shift, mask, which change regime in the same way) that went one way only is kept from going
// the other way by a condition on the sizes: the extreme of its difference is fitted over the sizes like any other
// number,
//   i > 5000 with i up to n - 1:   n - 5001 <= 0
// and the condition becomes part of the Spec's `where`. Where the extreme is a constant (row - M is -1 for every grid
// of M blocks) nothing is added. Where it has no formula the kernel is refused.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/lift/compact_ir.h"
#include "kernel_port/lift/size_fit.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

// The differences left - right that one decision saw during a run.
struct Outcome {
  int64_t least = std::numeric_limits<int64_t>::max(), greatest = std::numeric_limits<int64_t>::min();
  bool seen_zero = false;
  bool beyond = false;  // a difference that 64 bits cannot hold
  bool happened() const { return least <= greatest || beyond; }
};

// Two decisions an operation: a mask changes regime at its lowest and above its highest bit; everything else uses the
// first.
class Outcomes {
 public:
  void resize(size_t operations) { all_.resize(2 * operations); }
  // Notes the decision(s) of an operation on concrete numbers.
  void note(const Operation& op, size_t index, int64_t a, int64_t b);
  const Outcome& at(size_t index, size_t which) const { return all_[2 * index + which]; }
  size_t operations() const { return all_.size() / 2; }

 private:
  std::vector<Outcome> all_;
};

struct SizedOutcomes {
  const Outcomes* outcomes = nullptr;
  spec::SizeValues sizes;
  bool training = false;  // the fit was made for these sizes
  int64_t reach = 0;      // the larger of threads launched and elements of a buffer
};

// Conditions that keep every one-sided decision of `function` as it was seen; `minima` is the least legal value of each
// size, so that what always holds is not said. Error NPT2910 names the line of a decision that no condition on sizes
// can keep.
Result<std::vector<spec::SizeCondition>> keepOutcomes(const CompactFunction& function,
                                                      const std::vector<SizedOutcomes>& runs, const SizeFit& fit,
                                                      const spec::SizeValues& minima);

// The same for min, max, quotients and remainders in the launch file's own expressions (a capped grid). Error NPT2910.
Result<std::vector<spec::SizeCondition>> keepLaunchDecisions(const launch::LaunchFile& file,
                                                             const std::vector<SizedOutcomes>& runs);

}  // namespace np::kernel_port::lift

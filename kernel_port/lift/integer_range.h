// What an integer expression over data can be: the expressions are mathematical integers, machine integers have a
// width. Where a kernel widens, divides, compares or converts one, both must be the same number for all data.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernel_port/lift/expr_dag.h"
#include "kernel_port/lift/memory.h"

namespace np::kernel_port::lift {

// Inclusive; the ends saturate at +-2^62, which stands for "unbounded".
struct IntegerRange {
  int64_t low = 0, high = 0;
  bool within(const IntegerRange& other) const { return low >= other.low && high <= other.high; }
};

inline constexpr int64_t kUnbounded = int64_t{1} << 62;

// All numbers of `width` bits. 64 bits count as unbounded, with a sign or not.
IntegerRange signedRange(int width);
IntegerRange unsignedRange(int width);
// What a buffer of integers can hold.
IntegerRange rangeOfType(launch::ElementType type);

class IntegerRanges {
 public:
  IntegerRanges(const ExprDag& dag, const std::vector<Memory>& memories) : dag_(dag), memories_(memories) {}

  IntegerRange of(NodeId node);
  // Of a slot: narrowed by what is undefined otherwise (Value::bits).
  IntegerRange of(const Value& value);

 private:
  IntegerRange compute(NodeId node);
  IntegerRange operation(NodeId node);

  const ExprDag& dag_;
  const std::vector<Memory>& memories_;
  std::unordered_map<NodeId, IntegerRange> known_;
};

}  // namespace np::kernel_port::lift

// Finds the state that a thread carries from one element of an output to the next: h(t) = factor*h(t - 1) + addend,
// with the element either h(t) itself or an expression over it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel_port/lift/expr_dag.h"

namespace np::kernel_port::lift {

// What stands for the state in an element's expression: the scalar that no launch file has.
inline constexpr int32_t kStateParam = -1;

// One chain along the dimension `dim` of an output at one size. Lists are by element, row-major; 0 where there is none.
struct RecurrenceChain {
  std::vector<NodeId> factors, addends;  // not for the first element of a line
  std::vector<NodeId> first_states;      // h of each line's first element
  std::vector<NodeId> initials;          // what h starts from, where the first element has the form of the others
  std::vector<NodeId> views;             // the element with its state replaced by Param kStateParam
  bool state_is_element = true;          // every element is its own state
};

// `elements`: raw nodes of an output of `extents`. `reversed`: the last element of a line comes first. Nothing where a
// line has fewer than three elements or no chain runs through all lines in one form.
std::optional<RecurrenceChain> findRecurrence(ExprDag& dag, const std::vector<NodeId>& elements,
                                              const std::vector<int64_t>& extents, size_t dim, bool reversed);

}  // namespace np::kernel_port::lift

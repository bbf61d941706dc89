// reduce, inclusive_scan and exclusive_scan over a tile or a coalesced group, and their operators.
#pragma once
#pragma clang system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {
#define NP_OPERATOR(Name, expression)                                           \
  template <class T = void>                                                     \
  struct Name {                                                                 \
    NP_MEMBER T operator()(const T& a, const T& b) const { return expression; } \
  };                                                                            \
  template <>                                                                   \
  struct Name<void> {                                                           \
    template <class T>                                                          \
    NP_MEMBER T operator()(const T& a, const T& b) const {                      \
      return expression;                                                        \
    }                                                                           \
  };
NP_OPERATOR(plus, (a + b))
NP_OPERATOR(less, (b < a ? b : a))
NP_OPERATOR(greater, (a < b ? b : a))
NP_OPERATOR(bit_and, (a & b))
NP_OPERATOR(bit_or, (a | b))
NP_OPERATOR(bit_xor, (a ^ b))
#undef NP_OPERATOR

// Every thread gets the result; halves are combined in steps of falling distance.
template <unsigned int SIZE, class Parent, class T, class Op>
NP_FN T reduce(const thread_block_tile<SIZE, Parent>& tile, T value, Op op) {
  for (int distance = SIZE / 2; distance > 0; distance /= 2) value = op(value, tile.shfl_xor(value, distance));
  return value;
}
template <class T, class Op>
NP_FN T reduce(const coalesced_group& group, T value, Op op) {
  T result = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); rank++) result = op(result, group.shfl(value, rank));
  return result;
}
template <class Group, class T, class Op>
NP_FN T inclusive_scan(const Group& group, T value, Op op) {
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    T other = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance) value = op(other, value);
  }
  return value;
}
template <class Group, class T>
NP_FN T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
NP_FN T exclusive_scan(const Group& group, T value, Op op) {
  T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
NP_FN T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}
}  // namespace cooperative_groups

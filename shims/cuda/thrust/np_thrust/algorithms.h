// Algorithms of thrust. Host calls are declarations only; calls in device code run sequentially in the calling thread
// (sequential.h). The first argument may be an execution policy.
#pragma once
#pragma clang system_header
#include "functional.h"
#include "vectors.h"

namespace thrust {
namespace np_detail {
template <class Iterator>
using value_of = std::decay_t<decltype(**static_cast<Iterator*>(nullptr))>;  // declval is a host function
}
#define NP_VOID(name)           \
  template <class... Arguments> \
  __host__ void name(Arguments&&... arguments);
NP_VOID(sort)
NP_VOID(stable_sort)
NP_VOID(sort_by_key)
NP_VOID(stable_sort_by_key)
NP_VOID(sequence)
NP_VOID(fill)
NP_VOID(generate)
NP_VOID(tabulate)
NP_VOID(replace)
NP_VOID(replace_if)
NP_VOID(transform_if)
NP_VOID(scatter)
NP_VOID(scatter_if)
NP_VOID(swap_ranges)
NP_VOID(reverse)
#undef NP_VOID
// Those that return an end or found position: the type of the argument that is written or searched.
#define NP_RANGE(name)                                                   \
  template <class Iterator, class... Rest>                               \
  __host__ Iterator name(Iterator first, Iterator last, Rest&&... rest); \
  template <class Iterator, class... Rest>                               \
  __host__ Iterator name(const np_policy& policy, Iterator first, Iterator last, Rest&&... rest);
NP_RANGE(unique)
NP_RANGE(remove)
NP_RANGE(remove_if)
NP_RANGE(find)
NP_RANGE(find_if)
NP_RANGE(find_if_not)
NP_RANGE(partition)
NP_RANGE(stable_partition)
NP_RANGE(max_element)
NP_RANGE(min_element)
NP_RANGE(lower_bound)
NP_RANGE(upper_bound)
NP_RANGE(for_each)
NP_RANGE(partition_point)
NP_RANGE(adjacent_difference)
#undef NP_RANGE
#define NP_OUTPUT(name)                                                      \
  template <class Input, class Output, class... Rest>                        \
  __host__ Output name(Input first, Input last, Output out, Rest&&... rest); \
  template <class Input, class Output, class... Rest>                        \
  __host__ Output name(const np_policy& policy, Input first, Input last, Output out, Rest&&... rest);
NP_OUTPUT(copy)
NP_OUTPUT(copy_if)
NP_OUTPUT(unique_copy)
NP_OUTPUT(remove_copy_if)
NP_OUTPUT(transform)
NP_OUTPUT(inclusive_scan)
NP_OUTPUT(exclusive_scan)
NP_OUTPUT(inclusive_scan_by_key)
NP_OUTPUT(exclusive_scan_by_key)
NP_OUTPUT(transform_inclusive_scan)
NP_OUTPUT(transform_exclusive_scan)
NP_OUTPUT(gather)
NP_OUTPUT(set_intersection)
NP_OUTPUT(set_union)
NP_OUTPUT(merge)
#undef NP_OUTPUT
template <class Iterator, class Count, class... Rest>
Iterator fill_n(Iterator first, Count count, Rest&&... rest);
template <class Iterator, class Count, class Output>
Output copy_n(Iterator first, Count count, Output out);
template <class Iterator, class Count, class Output>
Output copy_n(const np_policy& policy, Iterator first, Count count, Output out);
template <class Iterator, class Count, class Function>
Iterator for_each_n(const np_policy& policy, Iterator first, Count count, Function function);
template <class Iterator>
np_detail::value_of<Iterator> reduce(Iterator first, Iterator last);
template <class Iterator>
np_detail::value_of<Iterator> reduce(const np_policy& policy, Iterator first, Iterator last);
template <class Iterator, class T>
T reduce(Iterator first, Iterator last, T initial);
template <class Iterator, class T>
T reduce(const np_policy& policy, Iterator first, Iterator last, T initial);
template <class Iterator, class T, class Op>
T reduce(Iterator first, Iterator last, T initial, Op op);
template <class Iterator, class T, class Op>
T reduce(const np_policy& policy, Iterator first, Iterator last, T initial, Op op);
template <class Iterator, class Function, class T, class Op>
T transform_reduce(Iterator first, Iterator last, Function function, T initial, Op op);
template <class Iterator, class Function, class T, class Op>
T transform_reduce(const np_policy& policy, Iterator first, Iterator last, Function function, T initial, Op op);
template <class A, class B, class T>
T inner_product(A first, A last, B other, T initial);
template <class Keys, class Values, class OutKeys, class OutValues, class... Rest>
pair<OutKeys, OutValues> reduce_by_key(Keys first, Keys last, Values values, OutKeys keys, OutValues out,
                                       Rest&&... rest);
template <class Keys, class Values, class OutKeys, class OutValues, class... Rest>
pair<OutKeys, OutValues> reduce_by_key(const np_policy& policy, Keys first, Keys last, Values values, OutKeys keys,
                                       OutValues out, Rest&&... rest);
template <class Keys, class Values, class... Rest>
pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Rest&&... rest);
template <class Keys, class Values, class... Rest>
pair<Keys, Values> unique_by_key(const np_policy& policy, Keys first, Keys last, Values values, Rest&&... rest);
template <class Iterator, class... Rest>
ptrdiff_t count(Iterator first, Iterator last, Rest&&... rest);
template <class Iterator, class... Rest>
ptrdiff_t count_if(Iterator first, Iterator last, Rest&&... rest);
template <class Iterator, class... Rest>
ptrdiff_t count_if(const np_policy& policy, Iterator first, Iterator last, Rest&&... rest);
template <class... Arguments>
bool all_of(Arguments&&... arguments);
template <class... Arguments>
bool any_of(Arguments&&... arguments);
template <class... Arguments>
bool none_of(Arguments&&... arguments);
template <class... Arguments>
bool equal(Arguments&&... arguments);
template <class... Arguments>
bool is_sorted(Arguments&&... arguments);
template <class Iterator>
ptrdiff_t distance(Iterator first, Iterator last);
template <class Iterator>
pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last);
template <class Iterator>
void advance(Iterator& it, ptrdiff_t n);
}  // namespace thrust
#ifdef __CUDA__
#include "sequential.h"
#endif

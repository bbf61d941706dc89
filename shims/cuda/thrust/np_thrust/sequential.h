// Algorithms of thrust in device code: the calling thread runs them one element after another. Each has a form with an
// execution policy in front. Sorting inserts, so that it is stable and short; ranges in a thread are small.
#pragma once
#pragma clang system_header
#include "vectors.h"

namespace thrust {
template <class It, class T>
__device__ void fill(It first, It last, const T& value) {
  for (; first != last; ++first) *first = value;
}
template <class It, class T>
__device__ void fill(const np_policy&, It first, It last, const T& value) {
  return fill(first, last, value);
}
template <class It, class F>
__device__ void generate(It first, It last, F make) {
  for (; first != last; ++first) *first = make();
}
template <class It, class F>
__device__ void generate(const np_policy&, It first, It last, F make) {
  return generate(first, last, make);
}
template <class It>
__device__ void sequence(It first, It last) {
  for (int k = 0; first != last; ++first) *first = k++;
}
template <class It>
__device__ void sequence(const np_policy&, It first, It last) {
  return sequence(first, last);
}
template <class It, class T>
__device__ void sequence(It first, It last, T start) {
  for (; first != last; ++first) *first = start++;
}
template <class It, class T>
__device__ void sequence(const np_policy&, It first, It last, T start) {
  return sequence(first, last, start);
}
template <class It, class F>
__device__ void tabulate(It first, It last, F at) {
  for (ptrdiff_t k = 0; first != last; ++first) *first = at(k++);
}
template <class It, class F>
__device__ void tabulate(const np_policy&, It first, It last, F at) {
  return tabulate(first, last, at);
}
template <class It, class T>
__device__ void replace(It first, It last, const T& from, const T& to) {
  for (; first != last; ++first)
    if (*first == from) *first = to;
}
template <class It, class T>
__device__ void replace(const np_policy&, It first, It last, const T& from, const T& to) {
  return replace(first, last, from, to);
}
template <class It, class F, class T>
__device__ void replace_if(It first, It last, F is, const T& to) {
  for (; first != last; ++first)
    if (is(*first)) *first = to;
}
template <class It, class F, class T>
__device__ void replace_if(const np_policy&, It first, It last, F is, const T& to) {
  return replace_if(first, last, is, to);
}
template <class It>
__device__ void reverse(It first, It last) {
  while (first != last && first != --last) {
    auto kept = *first;
    *first = *last;
    *last = kept;
    ++first;
  }
}
template <class It>
__device__ void reverse(const np_policy&, It first, It last) {
  return reverse(first, last);
}
template <class It, class F>
__device__ It for_each(It first, It last, F each) {
  for (; first != last; ++first) each(*first);
  return first;
}
template <class It, class F>
__device__ It for_each(const np_policy&, It first, It last, F each) {
  return for_each(first, last, each);
}
template <class It, class Out>
__device__ Out copy(It first, It last, Out out) {
  for (; first != last; ++first, ++out) *out = *first;
  return out;
}
template <class It, class Out>
__device__ Out copy(const np_policy&, It first, It last, Out out) {
  return copy(first, last, out);
}
template <class It, class Count, class Out>
__device__ Out copy_n(It first, Count count, Out out) {
  for (Count k = 0; k < count; ++k, ++first, ++out) *out = *first;
  return out;
}
template <class It, class Count, class Out>
__device__ Out copy_n(const np_policy&, It first, Count count, Out out) {
  return copy_n(first, count, out);
}
template <class It, class Out, class F>
__device__ Out copy_if(It first, It last, Out out, F is) {
  for (; first != last; ++first)
    if (is(*first)) *out++ = *first;
  return out;
}
template <class It, class Out, class F>
__device__ Out copy_if(const np_policy&, It first, It last, Out out, F is) {
  return copy_if(first, last, out, is);
}
template <class It, class Out, class F>
__device__ Out transform(It first, It last, Out out, F of) {
  for (; first != last; ++first, ++out) *out = of(*first);
  return out;
}
template <class It, class Out, class F>
__device__ Out transform(const np_policy&, It first, It last, Out out, F of) {
  return transform(first, last, out, of);
}
template <class It, class It2, class Out, class F>
__device__ Out transform(It first, It last, It2 other, Out out, F of) {
  for (; first != last; ++first, ++other, ++out) *out = of(*first, *other);
  return out;
}
template <class It, class It2, class Out, class F>
__device__ Out transform(const np_policy&, It first, It last, It2 other, Out out, F of) {
  return transform(first, last, other, out, of);
}
template <class Map, class In, class Out>
__device__ Out gather(Map first, Map last, In from, Out out) {
  for (; first != last; ++first, ++out) *out = from[*first];
  return out;
}
template <class Map, class In, class Out>
__device__ Out gather(const np_policy&, Map first, Map last, In from, Out out) {
  return gather(first, last, from, out);
}
template <class In, class Map, class Out>
__device__ void scatter(In first, In last, Map map, Out out) {
  for (; first != last; ++first, ++map) out[*map] = *first;
}
template <class In, class Map, class Out>
__device__ void scatter(const np_policy&, In first, In last, Map map, Out out) {
  return scatter(first, last, map, out);
}
template <class It, class T, class Op>
__device__ T reduce(It first, It last, T sum, Op op) {
  for (; first != last; ++first) sum = op(sum, *first);
  return sum;
}
template <class It, class T, class Op>
__device__ T reduce(const np_policy&, It first, It last, T sum, Op op) {
  return reduce(first, last, sum, op);
}
template <class It, class T>
__device__ T reduce(It first, It last, T sum) {
  for (; first != last; ++first) sum = sum + *first;
  return sum;
}
template <class It, class T>
__device__ T reduce(const np_policy&, It first, It last, T sum) {
  return reduce(first, last, sum);
}
template <class It>
__device__ np_detail::value_of<It> reduce(It first, It last) {
  return thrust::reduce(first, last, np_detail::value_of<It>());
}
template <class It>
__device__ np_detail::value_of<It> reduce(const np_policy&, It first, It last) {
  return reduce(first, last);
}
template <class It, class F, class T, class Op>
__device__ T transform_reduce(It first, It last, F of, T sum, Op op) {
  for (; first != last; ++first) sum = op(sum, of(*first));
  return sum;
}
template <class It, class F, class T, class Op>
__device__ T transform_reduce(const np_policy&, It first, It last, F of, T sum, Op op) {
  return transform_reduce(first, last, of, sum, op);
}
template <class It, class It2, class T>
__device__ T inner_product(It first, It last, It2 other, T sum) {
  for (; first != last; ++first, ++other) sum = sum + *first * *other;
  return sum;
}
template <class It, class It2, class T>
__device__ T inner_product(const np_policy&, It first, It last, It2 other, T sum) {
  return inner_product(first, last, other, sum);
}
template <class It, class Out, class Op>
__device__ Out inclusive_scan(It first, It last, Out out, Op op) {
  if (first == last) return out;
  auto sum = *first;
  *out = sum;
  for (++first, ++out; first != last; ++first, ++out) *out = sum = op(sum, *first);
  return out;
}
template <class It, class Out, class Op>
__device__ Out inclusive_scan(const np_policy&, It first, It last, Out out, Op op) {
  return inclusive_scan(first, last, out, op);
}
template <class It, class Out>
__device__ Out inclusive_scan(It first, It last, Out out) {
  return thrust::inclusive_scan(first, last, out, plus<>());
}
template <class It, class Out>
__device__ Out inclusive_scan(const np_policy&, It first, It last, Out out) {
  return inclusive_scan(first, last, out);
}
template <class It, class Out, class T, class Op>
__device__ Out exclusive_scan(It first, It last, Out out, T sum, Op op) {
  for (; first != last; ++first, ++out) {
    T next = op(sum, *first);
    *out = sum;
    sum = next;
  }
  return out;
}
template <class It, class Out, class T, class Op>
__device__ Out exclusive_scan(const np_policy&, It first, It last, Out out, T sum, Op op) {
  return exclusive_scan(first, last, out, sum, op);
}
template <class It, class Out, class T>
__device__ Out exclusive_scan(It first, It last, Out out, T sum) {
  return thrust::exclusive_scan(first, last, out, sum, plus<>());
}
template <class It, class Out, class T>
__device__ Out exclusive_scan(const np_policy&, It first, It last, Out out, T sum) {
  return exclusive_scan(first, last, out, sum);
}
template <class It, class Out>
__device__ Out exclusive_scan(It first, It last, Out out) {
  return thrust::exclusive_scan(first, last, out, np_detail::value_of<It>(), plus<>());
}
template <class It, class Out>
__device__ Out exclusive_scan(const np_policy&, It first, It last, Out out) {
  return exclusive_scan(first, last, out);
}
template <class It, class T>
__device__ It find(It first, It last, const T& value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <class It, class T>
__device__ It find(const np_policy&, It first, It last, const T& value) {
  return find(first, last, value);
}
template <class It, class F>
__device__ It find_if(It first, It last, F is) {
  while (first != last && !is(*first)) ++first;
  return first;
}
template <class It, class F>
__device__ It find_if(const np_policy&, It first, It last, F is) {
  return find_if(first, last, is);
}
template <class It, class F>
__device__ ptrdiff_t count_if(It first, It last, F is) {
  ptrdiff_t found = 0;
  for (; first != last; ++first) found += is(*first) ? 1 : 0;
  return found;
}
template <class It, class F>
__device__ ptrdiff_t count_if(const np_policy&, It first, It last, F is) {
  return count_if(first, last, is);
}
template <class It, class T>
__device__ ptrdiff_t count(It first, It last, const T& value) {
  ptrdiff_t found = 0;
  for (; first != last; ++first) found += *first == value ? 1 : 0;
  return found;
}
template <class It, class T>
__device__ ptrdiff_t count(const np_policy&, It first, It last, const T& value) {
  return count(first, last, value);
}
template <class It, class F>
__device__ bool all_of(It first, It last, F is) {
  for (; first != last; ++first)
    if (!is(*first)) return false;
  return true;
}
template <class It, class F>
__device__ bool all_of(const np_policy&, It first, It last, F is) {
  return all_of(first, last, is);
}
template <class It, class F>
__device__ bool any_of(It first, It last, F is) {
  for (; first != last; ++first)
    if (is(*first)) return true;
  return false;
}
template <class It, class F>
__device__ bool any_of(const np_policy&, It first, It last, F is) {
  return any_of(first, last, is);
}
template <class It, class F>
__device__ bool none_of(It first, It last, F is) {
  for (; first != last; ++first)
    if (is(*first)) return false;
  return true;
}
template <class It, class F>
__device__ bool none_of(const np_policy&, It first, It last, F is) {
  return none_of(first, last, is);
}
template <class It, class It2>
__device__ bool equal(It first, It last, It2 other) {
  for (; first != last; ++first, ++other)
    if (!(*first == *other)) return false;
  return true;
}
template <class It, class It2>
__device__ bool equal(const np_policy&, It first, It last, It2 other) {
  return equal(first, last, other);
}
template <class It, class F>
__device__ bool is_sorted(It first, It last, F less) {
  if (first == last) return true;
  for (It next = first; ++next != last; ++first)
    if (less(*next, *first)) return false;
  return true;
}
template <class It, class F>
__device__ bool is_sorted(const np_policy&, It first, It last, F less) {
  return is_sorted(first, last, less);
}
template <class It>
__device__ bool is_sorted(It first, It last) {
  return thrust::is_sorted(first, last, less<>());
}
template <class It>
__device__ bool is_sorted(const np_policy&, It first, It last) {
  return is_sorted(first, last);
}
template <class It, class F>
__device__ It max_element(It first, It last, F less) {
  It best = first;
  for (; first != last; ++first)
    if (less(*best, *first)) best = first;
  return best;
}
template <class It, class F>
__device__ It max_element(const np_policy&, It first, It last, F less) {
  return max_element(first, last, less);
}
template <class It>
__device__ It max_element(It first, It last) {
  return thrust::max_element(first, last, less<>());
}
template <class It>
__device__ It max_element(const np_policy&, It first, It last) {
  return max_element(first, last);
}
template <class It, class F>
__device__ It min_element(It first, It last, F less) {
  It best = first;
  for (; first != last; ++first)
    if (less(*first, *best)) best = first;
  return best;
}
template <class It, class F>
__device__ It min_element(const np_policy&, It first, It last, F less) {
  return min_element(first, last, less);
}
template <class It>
__device__ It min_element(It first, It last) {
  return thrust::min_element(first, last, less<>());
}
template <class It>
__device__ It min_element(const np_policy&, It first, It last) {
  return min_element(first, last);
}
template <class It, class T, class F>
__device__ It lower_bound(It first, It last, const T& value, F less) {
  for (ptrdiff_t count = last - first; count > 0;) {
    ptrdiff_t half = count / 2;
    bool after = less(first[half], value);
    first = after ? first + (half + 1) : first;
    count = after ? count - half - 1 : half;
  }
  return first;
}
template <class It, class T, class F>
__device__ It lower_bound(const np_policy&, It first, It last, const T& value, F less) {
  return lower_bound(first, last, value, less);
}
template <class It, class T>
__device__ It lower_bound(It first, It last, const T& value) {
  return thrust::lower_bound(first, last, value, less<>());
}
template <class It, class T>
__device__ It lower_bound(const np_policy&, It first, It last, const T& value) {
  return lower_bound(first, last, value);
}
template <class It, class T, class F>
__device__ It upper_bound(It first, It last, const T& value, F less) {
  for (ptrdiff_t count = last - first; count > 0;) {
    ptrdiff_t half = count / 2;
    bool after = !less(value, first[half]);
    first = after ? first + (half + 1) : first;
    count = after ? count - half - 1 : half;
  }
  return first;
}
template <class It, class T, class F>
__device__ It upper_bound(const np_policy&, It first, It last, const T& value, F less) {
  return upper_bound(first, last, value, less);
}
template <class It, class T>
__device__ It upper_bound(It first, It last, const T& value) {
  return thrust::upper_bound(first, last, value, less<>());
}
template <class It, class T>
__device__ It upper_bound(const np_policy&, It first, It last, const T& value) {
  return upper_bound(first, last, value);
}
template <class It, class T>
__device__ bool binary_search(It first, It last, const T& value) {
  It found = thrust::lower_bound(first, last, value);
  return found != last && !(value < *found);
}
template <class It, class T>
__device__ bool binary_search(const np_policy&, It first, It last, const T& value) {
  return binary_search(first, last, value);
}
template <class It>
__device__ It unique(It first, It last) {
  if (first == last) return last;
  It kept = first;
  while (++first != last)
    if (!(*kept == *first)) *++kept = *first;
  return ++kept;
}
template <class It>
__device__ It unique(const np_policy&, It first, It last) {
  return unique(first, last);
}
template <class It, class F>
__device__ It remove_if(It first, It last, F is) {
  It kept = first;
  for (; first != last; ++first)
    if (!is(*first)) *kept++ = *first;
  return kept;
}
template <class It, class F>
__device__ It remove_if(const np_policy&, It first, It last, F is) {
  return remove_if(first, last, is);
}
template <class It, class T>
__device__ It remove(It first, It last, const T& value) {
  It kept = first;
  for (; first != last; ++first)
    if (!(*first == value)) *kept++ = *first;
  return kept;
}
template <class It, class T>
__device__ It remove(const np_policy&, It first, It last, const T& value) {
  return remove(first, last, value);
}
template <class It, class F>
__device__ void stable_sort(It first, It last, F less) {
  for (ptrdiff_t k = 1; k < last - first; ++k) {
    auto moved = first[k];
    ptrdiff_t at = k;
    for (; at > 0 && less(moved, first[at - 1]); --at) first[at] = first[at - 1];
    first[at] = moved;
  }
}
template <class It, class F>
__device__ void stable_sort(const np_policy&, It first, It last, F less) {
  return stable_sort(first, last, less);
}
template <class Keys, class Values, class F>
__device__ void stable_sort_by_key(Keys first, Keys last, Values values, F less) {
  for (ptrdiff_t k = 1; k < last - first; ++k) {
    auto key = first[k];
    auto value = values[k];
    ptrdiff_t at = k;
    for (; at > 0 && less(key, first[at - 1]); --at) {
      first[at] = first[at - 1];
      values[at] = values[at - 1];
    }
    first[at] = key;
    values[at] = value;
  }
}
template <class Keys, class Values, class F>
__device__ void stable_sort_by_key(const np_policy&, Keys first, Keys last, Values values, F less) {
  return stable_sort_by_key(first, last, values, less);
}
template <class It>
__device__ void stable_sort(It first, It last) {
  thrust::stable_sort(first, last, less<>());
}
template <class It>
__device__ void stable_sort(const np_policy&, It first, It last) {
  return stable_sort(first, last);
}
template <class It, class F>
__device__ void sort(It first, It last, F less) {
  thrust::stable_sort(first, last, less);
}
template <class It, class F>
__device__ void sort(const np_policy&, It first, It last, F less) {
  return sort(first, last, less);
}
template <class It>
__device__ void sort(It first, It last) {
  thrust::stable_sort(first, last, less<>());
}
template <class It>
__device__ void sort(const np_policy&, It first, It last) {
  return sort(first, last);
}
template <class Keys, class Values, class F>
__device__ void sort_by_key(Keys first, Keys last, Values values, F less) {
  thrust::stable_sort_by_key(first, last, values, less);
}
template <class Keys, class Values, class F>
__device__ void sort_by_key(const np_policy&, Keys first, Keys last, Values values, F less) {
  return sort_by_key(first, last, values, less);
}
template <class Keys, class Values>
__device__ void sort_by_key(Keys first, Keys last, Values values) {
  thrust::stable_sort_by_key(first, last, values, less<>());
}
template <class Keys, class Values>
__device__ void sort_by_key(const np_policy&, Keys first, Keys last, Values values) {
  return sort_by_key(first, last, values);
}
template <class Keys, class Values>
__device__ void stable_sort_by_key(Keys first, Keys last, Values values) {
  thrust::stable_sort_by_key(first, last, values, less<>());
}
template <class Keys, class Values>
__device__ void stable_sort_by_key(const np_policy&, Keys first, Keys last, Values values) {
  return stable_sort_by_key(first, last, values);
}
}  // namespace thrust

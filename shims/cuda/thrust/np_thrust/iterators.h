// Fancy iterators of thrust, with bodies: kernels dereference them.
#pragma once
#pragma clang system_header
#include <iterator>

#include "../../cuda_runtime.h"
#include "tuple.h"

namespace thrust {
// The arithmetic every random access iterator shares; Self supplies np_index (a signed offset) and operator*.
template <class Self, class Value, class Reference>
struct np_iterator {
  typedef Value value_type;
  typedef Reference reference;
  typedef ptrdiff_t difference_type;
  typedef const Value* pointer;
  typedef std::random_access_iterator_tag iterator_category;
  ptrdiff_t np_index = 0;
  NP_MEMBER Self& np_self() { return static_cast<Self&>(*this); }
  NP_MEMBER const Self& np_self() const { return static_cast<const Self&>(*this); }
  NP_MEMBER Self& operator++() { return *this += 1; }
  NP_MEMBER Self& operator--() { return *this += -1; }
  NP_MEMBER Self operator++(int) {
    Self old = np_self();
    *this += 1;
    return old;
  }
  NP_MEMBER Self& operator+=(ptrdiff_t n) {
    np_index += n;
    return np_self();
  }
  NP_MEMBER Self& operator-=(ptrdiff_t n) { return *this += -n; }
  friend NP_MEMBER Self operator+(Self it, ptrdiff_t n) { return it += n; }
  friend NP_MEMBER Self operator+(ptrdiff_t n, Self it) { return it += n; }
  friend NP_MEMBER Self operator-(Self it, ptrdiff_t n) { return it -= n; }
  friend NP_MEMBER ptrdiff_t operator-(const Self& a, const Self& b) { return a.np_index - b.np_index; }
  friend NP_MEMBER bool operator==(const Self& a, const Self& b) { return a.np_index == b.np_index; }
  friend NP_MEMBER bool operator!=(const Self& a, const Self& b) { return a.np_index != b.np_index; }
  friend NP_MEMBER bool operator<(const Self& a, const Self& b) { return a.np_index < b.np_index; }
  NP_MEMBER Reference operator[](ptrdiff_t n) const { return *(np_self() + n); }
};

template <class T, class System = void, class Category = void, class Difference = void>
struct counting_iterator : np_iterator<counting_iterator<T, System, Category, Difference>, T, T> {
  T np_first{};
  counting_iterator() = default;
  NP_MEMBER explicit counting_iterator(T first) : np_first(first) {}
  NP_MEMBER T operator*() const { return (T)(np_first + this->np_index); }
};
template <class T>
NP_HD counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

template <class T>
struct constant_iterator : np_iterator<constant_iterator<T>, T, T> {
  T np_value{};
  constant_iterator() = default;
  NP_MEMBER constant_iterator(T value) : np_value(value) {}
  NP_MEMBER T operator*() const { return np_value; }
};
template <class T>
NP_HD constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

template <class Function, class Iterator, class Reference = void, class Value = void>
struct transform_iterator : np_iterator<transform_iterator<Function, Iterator, Reference, Value>,
                                        std::decay_t<decltype(std::declval<Function>()(*std::declval<Iterator>()))>,
                                        std::decay_t<decltype(std::declval<Function>()(*std::declval<Iterator>()))>> {
  Iterator np_base;
  Function np_function;
  NP_MEMBER transform_iterator(Iterator base, Function function) : np_base(base), np_function(function) {}
  NP_MEMBER auto operator*() const { return np_function(np_base[this->np_index]); }
};
template <class Function, class Iterator>
NP_HD transform_iterator<Function, Iterator> make_transform_iterator(Iterator base, Function function) {
  return transform_iterator<Function, Iterator>(base, function);
}

template <class Iterator>
struct reverse_iterator : np_iterator<reverse_iterator<Iterator>, std::decay_t<decltype(*std::declval<Iterator>())>,
                                      decltype(*std::declval<Iterator>())> {
  Iterator np_base;
  NP_MEMBER explicit reverse_iterator(Iterator base) : np_base(base) {}
  NP_MEMBER decltype(auto) operator*() const { return np_base[-1 - this->np_index]; }
  NP_MEMBER Iterator base() const { return np_base - this->np_index; }
};
template <class Iterator>
NP_HD reverse_iterator<Iterator> make_reverse_iterator(Iterator base) {
  return reverse_iterator<Iterator>(base);
}

template <class Values, class Indices>
struct permutation_iterator
    : np_iterator<permutation_iterator<Values, Indices>, std::decay_t<decltype(*std::declval<Values>())>,
                  decltype(*std::declval<Values>())> {
  Values np_values;
  Indices np_indices;
  NP_MEMBER permutation_iterator(Values values, Indices indices) : np_values(values), np_indices(indices) {}
  NP_MEMBER decltype(auto) operator*() const { return np_values[np_indices[this->np_index]]; }
};
template <class Values, class Indices>
NP_HD permutation_iterator<Values, Indices> make_permutation_iterator(Values values, Indices indices) {
  return permutation_iterator<Values, Indices>(values, indices);
}

struct np_discard {
  template <class T>
  NP_MEMBER const np_discard& operator=(const T&) const {
    return *this;
  }
};
template <class System = void>
struct discard_iterator : np_iterator<discard_iterator<System>, np_discard, np_discard> {
  discard_iterator() = default;
  NP_MEMBER discard_iterator(ptrdiff_t) {}
  NP_MEMBER np_discard operator*() const { return {}; }
};
NP_HD discard_iterator<> make_discard_iterator() { return {}; }

template <class Tuple>
struct zip_iterator;
template <class... Iterators>
struct zip_iterator<tuple<Iterators...>>
    : np_iterator<zip_iterator<tuple<Iterators...>>, tuple<std::decay_t<decltype(*std::declval<Iterators>())>...>,
                  tuple<decltype(*std::declval<Iterators>())...>> {
  tuple<Iterators...> np_parts;
  NP_MEMBER zip_iterator(tuple<Iterators...> parts) : np_parts(parts) {}
  NP_MEMBER tuple<decltype(*std::declval<Iterators>())...> operator*() const {
    return std::apply(
        [this](const Iterators&... part) {
          return tuple<decltype(*std::declval<Iterators>())...>(*(part + this->np_index)...);
        },
        np_parts);
  }
};
template <class... Iterators>
NP_HD zip_iterator<tuple<Iterators...>> make_zip_iterator(tuple<Iterators...> parts) {
  return zip_iterator<tuple<Iterators...>>(parts);
}
template <class... Iterators>
NP_HD zip_iterator<tuple<Iterators...>> make_zip_iterator(Iterators... parts) {
  return zip_iterator<tuple<Iterators...>>(tuple<Iterators...>(parts...));
}
}  // namespace thrust

// ArrayRef, SmallVector, optional and intrusive_ptr under their c10 names.
#pragma once
#pragma clang system_header
#include "macros.h"
#include "std_headers.h"

namespace c10 {
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
using string_view = std::string_view;
template <class... Types>
using tuple = std::tuple<Types...>;

template <class T, unsigned N = 6>
class SmallVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
};
using DimVector = SmallVector<int64_t, 5>;

// A view of consecutive elements that somebody else owns.
template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using iterator = const T*;
  using const_iterator = const T*;
  ArrayRef() = default;
  ArrayRef(const T& one) : data_(&one), size_(1) {}
  ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  ArrayRef(const T* begin, const T* end) : data_(begin), size_(size_t(end - begin)) {}
  template <class Allocator>
  ArrayRef(const std::vector<T, Allocator>& v) : data_(v.data()), size_(v.size()) {}
  template <unsigned N>
  ArrayRef(const SmallVector<T, N>& v) : data_(v.data()), size_(v.size()) {}
  template <size_t N>
  ArrayRef(const std::array<T, N>& v) : data_(v.data()), size_(N) {}
  template <size_t N>
  ArrayRef(const T (&v)[N]) : data_(v), size_(N) {}
  ArrayRef(const std::initializer_list<T>& v) : data_(v.begin()), size_(v.size()) {}
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  const T& operator[](size_t i) const { return data_[i]; }
  const T& at(size_t i) const { return data_[i]; }
  ArrayRef<T> slice(size_t first, size_t count) const { return ArrayRef<T>(data_ + first, count); }
  ArrayRef<T> slice(size_t first) const { return slice(first, size_ - first); }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  bool equals(ArrayRef<T> other) const;
  friend bool operator==(ArrayRef<T> a, ArrayRef<T> b) { return a.equals(b); }
  friend bool operator!=(ArrayRef<T> a, ArrayRef<T> b) { return !a.equals(b); }
  friend std::ostream& operator<<(std::ostream& out, ArrayRef<T> list) { return out; }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};
using IntArrayRef = ArrayRef<int64_t>;
template <class T>
class OptionalArrayRef : public std::optional<ArrayRef<T>> {
 public:
  using std::optional<ArrayRef<T>>::optional;
  OptionalArrayRef(std::initializer_list<T> list);
  OptionalArrayRef(const std::vector<T>& list);
  OptionalArrayRef(const T& one);
};
using OptionalIntArrayRef = OptionalArrayRef<int64_t>;

// Sizes that may be symbolic while tracing; here always integers.
class SymInt {
 public:
  SymInt(int64_t value) : value_(value) {}
  operator int64_t() const { return value_; }
  int64_t guard_int(const char* file, int64_t line) const { return value_; }
  int64_t expect_int() const { return value_; }

 private:
  int64_t value_;
};
using SymIntArrayRef = ArrayRef<SymInt>;

class intrusive_ptr_target {};
template <class T>
class intrusive_ptr {
 public:
  using element_type = T;
  intrusive_ptr() noexcept = default;
  intrusive_ptr(std::nullptr_t) noexcept {}
  template <class... Arguments>
  static intrusive_ptr make(Arguments&&... arguments);
  T* get() const noexcept;
  T& operator*() const noexcept;
  T* operator->() const noexcept;
  explicit operator bool() const noexcept;
  bool defined() const noexcept;
  void reset() noexcept;
};
template <class T, class... Arguments>
intrusive_ptr<T> make_intrusive(Arguments&&... arguments);
template <class T>
class MaybeOwned {
 public:
  static MaybeOwned borrowed(const T& value);
  static MaybeOwned owned(T&& value);
  const T& operator*() const;
  const T* operator->() const;
};
}  // namespace c10
namespace c10 {
// The integers begin..end-1, for range-based loops.
template <class T>
struct integer_range {
  struct iterator {
    T value;
    T operator*() const { return value; }
    iterator& operator++() {
      ++value;
      return *this;
    }
    bool operator!=(const iterator& other) const { return value != other.value; }
  };
  T first, last;
  iterator begin() const { return {first}; }
  iterator end() const { return {last}; }
};
template <class T>
integer_range<T> irange(T end) {
  return {T(0), end};
}
template <class A, class B>
integer_range<B> irange(A begin, B end) {
  return {B(begin), end};
}
}  // namespace c10

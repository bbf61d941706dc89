// Device and host vectors, device pointers and execution policies: host side, declarations only.
#pragma once
#pragma clang system_header
#include <vector>

#include "iterators.h"

namespace thrust {
template <class T>
struct device_reference {
  operator T() const;
  device_reference& operator=(const T& value);
};
template <class T>
struct device_ptr {
  typedef T value_type;
  typedef T& reference;
  typedef T* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  device_ptr() = default;
  NP_MEMBER explicit device_ptr(T* pointer) : np_pointer(pointer) {}
  NP_MEMBER T* get() const { return np_pointer; }
  NP_MEMBER T& operator*() const { return *np_pointer; }
  NP_MEMBER T& operator[](ptrdiff_t i) const { return np_pointer[i]; }
  NP_MEMBER device_ptr operator+(ptrdiff_t n) const { return device_ptr(np_pointer + n); }
  NP_MEMBER device_ptr operator-(ptrdiff_t n) const { return device_ptr(np_pointer - n); }
  NP_MEMBER ptrdiff_t operator-(const device_ptr& other) const { return np_pointer - other.np_pointer; }
  NP_MEMBER device_ptr& operator++() {
    ++np_pointer;
    return *this;
  }
  NP_MEMBER bool operator!=(const device_ptr& other) const { return np_pointer != other.np_pointer; }
  NP_MEMBER bool operator==(const device_ptr& other) const { return np_pointer == other.np_pointer; }
  T* np_pointer = nullptr;
};
template <class T>
NP_HD device_ptr<T> device_pointer_cast(T* pointer) {
  return device_ptr<T>(pointer);
}
template <class T>
NP_HD T* raw_pointer_cast(T* pointer) {
  return pointer;
}
template <class T>
NP_HD T* raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.np_pointer;
}
template <class T>
device_ptr<T> device_malloc(size_t count);
template <class T>
void device_free(device_ptr<T> pointer);
template <class T>
struct device_malloc_allocator {
  typedef T value_type;
};
template <class T>
struct device_allocator {
  typedef T value_type;
};

template <class T, class Allocator = device_allocator<T>>
class device_vector {
 public:
  typedef T value_type;
  typedef device_ptr<T> iterator;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_iterator;
  device_vector() = default;
  explicit device_vector(size_t count);
  device_vector(size_t count, const T& value);
  device_vector(const std::vector<T>& other);
  template <class Other>
  device_vector(const device_vector<Other>& other);
  template <class Iterator>
  device_vector(Iterator first, Iterator last);
  device_vector(std::initializer_list<T> list);
  template <class Other>
  device_vector& operator=(const Other& other);
  iterator begin();
  iterator end();
  const_iterator begin() const;
  const_iterator end() const;
  const_iterator cbegin() const;
  const_iterator cend() const;
  pointer data();
  device_ptr<const T> data() const;
  size_t size() const;
  size_t capacity() const;
  bool empty() const;
  void resize(size_t count);
  void resize(size_t count, const T& value);
  void reserve(size_t count);
  void clear();
  void shrink_to_fit();
  void push_back(const T& value);
  void swap(device_vector& other);
  device_reference<T> operator[](size_t i);
  T operator[](size_t i) const;
  device_reference<T> front();
  device_reference<T> back();
};
template <class T>
using universal_vector = device_vector<T>;
template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector(const device_vector<T>& other);
  host_vector& operator=(const device_vector<T>& other);
};

struct np_policy {
  template <class Stream>
  np_policy on(Stream stream) const;
  template <class Allocator>
  np_policy operator()(Allocator&& allocator) const;
};
constexpr np_policy device{}, host{}, seq{};
template <class System>
struct execution_policy {};
struct device_system_tag {};
namespace cuda {
constexpr np_policy par{}, par_nosync{};
}
namespace system::cuda {
constexpr np_policy par{};
}
}  // namespace thrust

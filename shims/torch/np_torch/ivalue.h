// IValue, List, Dict: what crosses the boundary to TorchScript.
#pragma once
#pragma clang system_header
#include "dispatch.h"

namespace c10 {
template <class T>
class List {
 public:
  List() = default;
  List(std::initializer_list<T> values);
  explicit List(ArrayRef<T> values);
  size_t size() const;
  bool empty() const;
  T get(size_t i) const;
  T operator[](size_t i) const;
  void push_back(const T& value);
  void reserve(size_t count);
  std::vector<T> vec() const;
  T* begin() const;
  T* end() const;
};
template <class Key, class Value>
class Dict {
 public:
  struct Entry {
    const Key& key() const;
    const Value& value() const;
  };
  size_t size() const;
  bool contains(const Key& key) const;
  const Value& at(const Key& key) const;
  void insert(const Key& key, const Value& value);
  template <class V>
  void insert_or_assign(const Key& key, V&& value);
  Entry* begin() const;
  Entry* end() const;
  Entry* find(const Key& key) const;
};
class IValue;
class IValue {
 public:
  IValue() = default;
  template <class T>
  IValue(T value);
  bool isNone() const;
  bool isTensor() const;
  bool isInt() const;
  bool isDouble() const;
  bool isBool() const;
  bool isString() const;
  at::Tensor toTensor() const;
  int64_t toInt() const;
  double toDouble() const;
  bool toBool() const;
  std::string toStringRef() const;
  std::vector<int64_t> toIntVector() const;
  std::vector<double> toDoubleVector() const;
  List<int64_t> toIntList() const;
  List<double> toDoubleList() const;
  List<bool> toBoolList() const;
  List<at::Tensor> toTensorList() const;
  List<IValue> toList() const;
  std::tuple<IValue, IValue> toTuple() const;
  Dict<IValue, IValue> toGenericDict() const;
  std::vector<at::Tensor> toTensorVector() const;
  std::optional<at::Tensor> toOptionalTensor() const;
  Scalar toScalar() const;
  at::Device toDevice() const;
  template <class T>
  T to() const;
  template <class T>
  std::optional<T> toOptional() const;
};
using Stack = std::vector<IValue>;
}  // namespace c10
namespace at {
using c10::IValue;
}
namespace torch {
using namespace at;
using c10::IValue;
namespace jit {
using c10::IValue;
using Stack = std::vector<c10::IValue>;
}  // namespace jit
class CustomClassHolder : public c10::intrusive_ptr_target {};
}  // namespace torch

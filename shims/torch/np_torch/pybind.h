// The part of pybind11 that torch extensions use to bind functions and classes.
#pragma once
#pragma clang system_header
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

struct _object;
typedef struct _object PyObject;

namespace pybind11 {
class handle {
 public:
  handle() = default;
  handle(PyObject* pointer);
  PyObject* ptr() const;
  template <class T>
  T cast() const;
  handle attr(const char* name) const;
  template <class... Arguments>
  handle operator()(Arguments&&... arguments) const;
  bool is_none() const;
  const handle& inc_ref() const;
  const handle& dec_ref() const;
  explicit operator bool() const;
};
class object : public handle {
 public:
  using handle::handle;
  object release();
  template <class Key>
  object operator[](const Key& key) const;
};
#define NP_OBJECT(name)          \
  class name : public object {   \
   public:                       \
    using object::object;        \
    name() = default;            \
    name(const object& other);   \
    size_t size() const;         \
    template <class T>           \
    void append(const T& value); \
    handle* begin() const;       \
    handle* end() const;         \
  };
NP_OBJECT(dict)
NP_OBJECT(list)
NP_OBJECT(tuple)
NP_OBJECT(set)
NP_OBJECT(function)
NP_OBJECT(buffer)
NP_OBJECT(none)
NP_OBJECT(args)
NP_OBJECT(kwargs)
#undef NP_OBJECT
struct str : object {
  str(const char* text);
  str(const std::string& text);
  operator std::string() const;
};
struct bytes : object {
  bytes(const char* data, size_t size);
  bytes(const std::string& text);
  operator std::string() const;
};
struct int_ : object {
  int_(long value);
};
struct float_ : object {
  float_(double value);
};
struct capsule : object {
  capsule(const void* value, void (*destructor)(void*) = nullptr);
};
struct arg_v {};
struct arg {
  constexpr explicit arg(const char* name) : name(name) {}
  template <class T>
  arg_v operator=(T&& value) const;
  arg& noconvert(bool flag = true);
  arg& none(bool flag = true);
  const char* name;
};
struct kw_only {};
struct pos_only {};
struct doc {
  doc(const char* text);
};
template <class... Types>
struct call_guard {};
struct gil_scoped_release {
  gil_scoped_release();
  ~gil_scoped_release();
};
struct gil_scoped_acquire {
  gil_scoped_acquire();
  ~gil_scoped_acquire();
};
enum class return_value_policy {
  automatic,
  automatic_reference,
  take_ownership,
  copy,
  move,
  reference,
  reference_internal
};
template <class... Types>
struct init_t {};
template <class... Types>
init_t<Types...> init();
template <class Function>
init_t<> init(Function&& function) {
  return {};
}
template <class... Arguments>
struct overload_cast_t {
  template <class Return>
  constexpr auto operator()(Return (*function)(Arguments...)) const {
    return function;
  }
};
template <class... Arguments>
constexpr overload_cast_t<Arguments...> overload_cast{};

class module_ : public object {
 public:
  template <class Function, class... Extra>
  module_& def(const char* name, Function&& function, const Extra&... extra) {
    return *this;
  }
  module_ def_submodule(const char* name, const char* doc = nullptr);
  static module_ import(const char* name);
  template <class T>
  void add_object(const char* name, const T& value);
  struct Attribute {
    template <class T>
    Attribute& operator=(T&& value);
  };
  Attribute attr(const char* name);
  Attribute doc();
};
using module = module_;
template <class T, class... Bases>
class class_ : public object {
 public:
  template <class... Extra>
  class_(const handle& scope, const char* name, const Extra&... extra);
  template <class... Types, class... Extra>
  class_& def(const init_t<Types...>& constructor, const Extra&... extra) {
    return *this;
  }
  template <class Function, class... Extra>
  class_& def(const char* name, Function&& function, const Extra&... extra) {
    return *this;
  }
  template <class Function, class... Extra>
  class_& def_static(const char* name, Function&& function, const Extra&... extra) {
    return *this;
  }
  template <class Member, class... Extra>
  class_& def_readwrite(const char* name, Member member, const Extra&... extra) {
    return *this;
  }
  template <class Member, class... Extra>
  class_& def_readonly(const char* name, Member member, const Extra&... extra) {
    return *this;
  }
  template <class... Arguments>
  class_& def_property(const char* name, Arguments&&... arguments) {
    return *this;
  }
  template <class... Arguments>
  class_& def_property_readonly(const char* name, Arguments&&... arguments) {
    return *this;
  }
};
template <class T>
class enum_ : public class_<T> {
 public:
  using class_<T>::class_;
  enum_& value(const char* name, T value, const char* doc = nullptr);
  enum_& export_values();
};
struct buffer_info {
  void* ptr;
  ssize_t itemsize, size, ndim;
  std::string format;
  std::vector<ssize_t> shape, strides;
};
struct array : object {
  enum { c_style = 1, f_style = 2, forcecast = 16 };
  const void* data() const;
  ssize_t size() const;
  ssize_t ndim() const;
  ssize_t shape(ssize_t dim) const;
  buffer_info request() const;
};
template <class T, int flags = array::forcecast>
struct array_t : array {
  array_t() = default;
  template <class Shape>
  explicit array_t(Shape shape, const T* data = nullptr);
  const T* data() const;
  T* mutable_data();
};
template <class T>
object cast(T&& value);
template <class T>
T cast(const handle& value);
template <class T>
bool isinstance(const handle& value);
template <class T>
T reinterpret_borrow(const handle& value);
template <class T>
T reinterpret_steal(const handle& value);
template <class... Arguments>
void print(Arguments&&... arguments);
template <class... Arguments>
tuple make_tuple(Arguments&&... arguments);
struct error_already_set : std::exception {};
}  // namespace pybind11

#define PYBIND11_MODULE(name, variable, ...)                                   \
  static void pybind11_init_##name(::pybind11::module_&);                      \
  extern "C" __attribute__((visibility("default"))) PyObject* PyInit_##name(); \
  void pybind11_init_##name(::pybind11::module_& variable)
#define PYBIND11_MAKE_OPAQUE(...)
#define PYBIND11_DECLARE_HOLDER_TYPE(...)

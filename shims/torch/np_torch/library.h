// TORCH_LIBRARY and TORCH_LIBRARY_IMPL, RegisterOperators, custom classes.
#pragma once
#pragma clang system_header
#include "autograd.h"

namespace torch {
class CppFunction {
 public:
  template <class Function>
  CppFunction(Function&& function) {}
  static CppFunction makeFallthrough();
  template <class Function>
  static CppFunction makeFromBoxedFunction();
};
template <class Key, class Function>
CppFunction dispatch(Key key, Function&& function) {
  return CppFunction(function);
}
struct schema_placeholder {};
template <class T>
struct init_placeholder {};
template <class... Types>
struct init_t {};
template <class... Types>
init_t<Types...> init();
class arg {
 public:
  explicit arg(std::string name);
  template <class T>
  arg& operator=(const T& value);
};
template <class T>
class class_ {
 public:
  class_(const std::string& space, const std::string& name, std::string doc = "");
  template <class... Types>
  class_& def(init_t<Types...>, std::string doc = "") {
    return *this;
  }
  template <class Function, class... Extra>
  class_& def(std::string name, Function function, Extra&&... extra) {
    return *this;
  }
  template <class Get, class Set>
  class_& def_pickle(Get&& get, Set&& set) {
    return *this;
  }
  template <class Member>
  class_& def_readwrite(const std::string& name, Member member) {
    return *this;
  }
  template <class Function>
  class_& def_property(const std::string& name, Function get) {
    return *this;
  }
  template <class Function>
  class_& def_static(std::string name, Function function) {
    return *this;
  }
};
class Library {
 public:
  enum Kind { DEF, IMPL, FRAGMENT };
  Library& def(const char* schema) { return *this; }
  Library& def(const std::string& schema) { return *this; }
  template <class Tags>
  Library& def(const char* schema, const std::vector<Tags>& tags) {
    return *this;
  }
  template <class Function>
  Library& def(const char* name, Function&& function) {
    return *this;
  }
  template <class Function>
  Library& def(const std::string& name, Function&& function) {
    return *this;
  }
  template <class Function>
  Library& impl(const char* name, Function&& function) {
    return *this;
  }
  template <class Key, class Function>
  Library& impl(const char* name, Key key, Function&& function) {
    return *this;
  }
  template <class Function>
  Library& fallback(Function&& function) {
    return *this;
  }
  template <class T>
  torch::class_<T> class_(const std::string& name);
  Library& set_python_module(const char* module, const char* context = "") { return *this; }
};
struct RegisterOperators {
  RegisterOperators() = default;
  template <class Function>
  RegisterOperators(const std::string& name, Function&& function) {}
  struct Options {};
  template <class Function, class... Extra>
  RegisterOperators&& op(const std::string& name, Function&& function, Extra&&... extra) && {
    return std::move(*this);
  }
  template <class Function, class... Extra>
  RegisterOperators& op(const std::string& name, Function&& function, Extra&&... extra) & {
    return *this;
  }
};
namespace jit {
using torch::RegisterOperators;
}
namespace detail {
struct TorchLibraryInit {
  TorchLibraryInit(Library::Kind kind, void (*init)(Library&), const char* space);
};
}  // namespace detail
}  // namespace torch
namespace c10 {
using torch::RegisterOperators;
class OperatorHandle {
 public:
  template <class Signature>
  OperatorHandle& typed();
  template <class... Arguments>
  auto call(Arguments&&... arguments) const -> at::Tensor;
};
class Dispatcher {
 public:
  static Dispatcher& singleton();
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload);
};
}  // namespace c10

#define TORCH_FN(function) function
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(schema) schema
#define NP_TORCH_LIBRARY(kind, space, m, unique)                                                         \
  static void C10_CONCATENATE(TORCH_LIBRARY_init_##space##_, unique)(torch::Library&);                   \
  static const torch::detail::TorchLibraryInit C10_CONCATENATE(TORCH_LIBRARY_static_##space##_, unique)( \
      torch::Library::kind, &C10_CONCATENATE(TORCH_LIBRARY_init_##space##_, unique), #space);            \
  void C10_CONCATENATE(TORCH_LIBRARY_init_##space##_, unique)(torch::Library & m)
#define TORCH_LIBRARY(space, m) NP_TORCH_LIBRARY(DEF, space, m, def)
#define TORCH_LIBRARY_FRAGMENT(space, m) NP_TORCH_LIBRARY(FRAGMENT, space, m, __COUNTER__)
#define TORCH_LIBRARY_IMPL(space, key, m) NP_TORCH_LIBRARY(IMPL, space, m, C10_CONCATENATE(key##_, __COUNTER__))

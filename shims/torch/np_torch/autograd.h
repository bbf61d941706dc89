// torch::autograd: custom functions, the context they save into, grad mode; torch::nn::functional is not here.
#pragma once
#pragma clang system_header
#include "ivalue.h"

namespace torch::autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
struct Node {};
struct AutogradContext {
  std::unordered_map<std::string, at::IValue> saved_data;
  void save_for_backward(variable_list tensors);
  variable_list get_saved_variables() const;
  void mark_dirty(const variable_list& tensors);
  void mark_non_differentiable(const variable_list& tensors);
  void set_materialize_grads(bool value);
  bool needs_input_grad(size_t index) const;
};
// apply() takes forward's arguments after the context and returns forward's result.
template <class T>
struct Function {
  template <class X = T, class... Arguments>
  static auto apply(Arguments&&... arguments)
      -> decltype(X::forward(static_cast<AutogradContext*>(nullptr), std::forward<Arguments>(arguments)...));
};
bool any_variable_requires_grad(const variable_list& variables);
variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs = {},
                   std::optional<bool> retain = std::nullopt, bool create = false, bool allow_unused = false);
struct GradMode {
  static bool is_enabled();
  static void set_enabled(bool enabled);
};
}  // namespace torch::autograd

// Reads op properties from schemas and dispatch tables.
//
// Which ops are boxed decides what PyTorch decomposes: an op with a CPU kernel must run as that kernel or the bits
// would differ, also when it has a composite definition. View ops without a CPU kernel stay composite and end in
// as_strided; ops that name a device (`new_empty`, `_to_copy`) stay composite because the device may be another one.

#include "runtime/device/op_traits.h"

#include <ATen/core/enum_tag.h>

#include <string_view>
#include <unordered_set>

namespace np::device {
namespace {

// Ops whose index, length or source tensors CUDA accepts on the CPU.
bool takesCpuTensors(const std::string& name) {
  static const std::unordered_set<std::string_view> names{"aten::index",
                                                          "aten::_unsafe_index",
                                                          "aten::index_put",
                                                          "aten::index_put_",
                                                          "aten::_index_put_impl_",
                                                          "aten::_unsafe_index_put",
                                                          "aten::tensor_split",
                                                          "aten::_foreach_copy_",
                                                          "aten::_ctc_loss",
                                                          "aten::_ctc_loss_backward",
                                                          "aten::_pack_padded_sequence",
                                                          "aten::_pack_padded_sequence_backward",
                                                          "aten::repeat_interleave"};
  return names.count(name) > 0;
}

bool hasKernel(const c10::OperatorHandle& op, c10::DispatchKey key) { return op.hasKernelForDispatchKey(key); }

bool isTensorLike(const c10::TypePtr& type) {
  return type->isSubtypeOf(*c10::OptionalType::create(c10::TensorType::get())) ||
         type->isSubtypeOf(*c10::ListType::ofTensors()) || type->isSubtypeOf(*c10::ListType::ofOptionalTensors());
}

// Arguments that say where, not what.
bool namesPlace(const c10::TypePtr& type) {
  const std::string text = type->repr_str();
  for (const char* place : {"Device", "Storage", "Stream", "Dimname"})
    if (text.find(place) != std::string::npos) return true;
  return false;
}

int8_t writtenArgumentOf(const c10::Argument& result, const std::vector<c10::Argument>& arguments) {
  if (!result.alias_info() || !result.alias_info()->isWrite()) return -1;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const c10::AliasInfo* alias = arguments[k].alias_info();
    if (alias && alias->isWrite() && alias->beforeSets() == result.alias_info()->beforeSets())
      return static_cast<int8_t>(k);
  }
  return -1;
}

}  // namespace

OpTraits readOpTraits(const c10::OperatorHandle& op) {
  const c10::FunctionSchema& schema = op.schema();
  OpTraits traits;
  traits.name = schema.name();
  traits.argument_count = schema.arguments().size();
  traits.return_count = schema.returns().size();
  for (const c10::Argument& argument : schema.arguments())
    traits.written.push_back(argument.alias_info() && argument.alias_info()->isWrite());
  for (const c10::Argument& result : schema.returns())
    traits.returns_argument.push_back(writtenArgumentOf(result, schema.arguments()));
  for (size_t k = 0; k < schema.arguments().size(); ++k) {
    const c10::Argument& argument = schema.arguments()[k];
    if (argument.type()->cast<c10::ListType>()) ++traits.list_count;
    if (argument.name() == "memory_format") traits.format_argument = k;
    if (argument.name() == "dtype") traits.dtype_argument = k;
    if (argument.alias_info() && !argument.alias_info()->isWrite()) traits.makes_views = true;
  }
  traits.seeded = op.hasTag(at::Tag::nondeterministic_seeded);
  traits.takes_cpu_tensors = takesCpuTensors(traits.name);
  if (traits.name == "aten::_pack_padded_sequence") traits.host_result = 1;  // batch sizes steer Python code
  traits.record = &coverage().record(c10::toString(op.operator_name()));
  return traits;
}

bool wantsBoxedKernel(const c10::OperatorHandle& op) {
  using Key = c10::DispatchKey;
  static const std::unordered_set<std::string_view> left_alone{"aten::_has_compatible_shallow_copy_type", "aten::lift",
                                                               "aten::lift_fresh", "aten::convolution_overrideable",
                                                               "aten::convolution_backward_overrideable"};
  const std::string& name = op.schema().name();
  if (name.rfind("aten::", 0) != 0 || left_alone.count(name)) return false;
  if (hasKernel(op, Key::PrivateUse1)) return false;
  const bool on_cpu = hasKernel(op, Key::CPU);
  const bool composite =
      hasKernel(op, Key::CompositeExplicitAutograd) || hasKernel(op, Key::CompositeExplicitAutogradNonFunctional);
  // A composite-implicit op gets its gradient from its decomposition; a kernel would take that away.
  if (!on_cpu && (hasKernel(op, Key::CompositeImplicitAutograd) || !composite)) return false;
  bool takes_tensors = false;
  for (const c10::Argument& argument : op.schema().arguments()) {
    if (isTensorLike(argument.type())) takes_tensors = true;
    if (namesPlace(argument.real_type())) return false;
    const bool is_view = argument.alias_info() && !argument.alias_info()->isWrite();
    if (is_view && !on_cpu) return false;
    // Lists of outputs (`unbind_copy.int_out`) count as written through the copies that the definition makes.
    const bool is_output_list = argument.name() == "out" && argument.type()->isSubtypeOf(*c10::ListType::ofTensors());
    if (is_output_list && !on_cpu) return false;
  }
  return takes_tensors;
}

}  // namespace np::device

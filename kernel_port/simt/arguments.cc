// The parameter's C++ type decides the width of a number; what does not fit (a buffer for an int, a value out of range,
// an f64 buffer for a float pointer, a struct of another size) is refused rather than reinterpreted.

#include "kernel_port/simt/arguments.h"

#include <cstring>

namespace np::kernel_port::simt {
namespace {

using analyzer::ParamFact;
using analyzer::ParamKind;
using launch::ElementType;

class Packer {
 public:
  Packer(const KernelEntry& kernel, const launch::CasePlan& plan, const std::function<uint64_t(int)>& address,
         std::string where)
      : kernel_(kernel), plan_(plan), address_(address), where_(std::move(where)) {}

  Result<std::vector<uint8_t>> pack(const launch::ArgPlan& argument, size_t index) {
    param_ = &kernel_.facts.params[index];
    pointer_ = where_ + "/args/" + std::to_string(index);
    if (const auto* buffer = std::get_if<launch::BufferArg>(&argument)) return packBuffer(buffer->index);
    if (const auto* integer = std::get_if<launch::IntegerArg>(&argument))
      return packNumber(integer->value, static_cast<double>(integer->value), false);
    if (const auto* scalar = std::get_if<launch::ScalarArg>(&argument)) {
      const bool real = isFloat(scalar->scalar.type);
      return packNumber(scalar->scalar.integer,
                        real ? scalar->scalar.real : static_cast<double>(scalar->scalar.integer), real);
    }
    const auto& bytes = std::get<launch::BytesArg>(argument).bytes;
    if (param_->kind != ParamKind::Struct) return fail("is no struct");
    if (bytes.size() != param_->size)
      return fail("takes " + std::to_string(param_->size) + " bytes; the struct has " + std::to_string(bytes.size()));
    return bytes;
  }

 private:
  Error fail(const std::string& what) const {
    return makeError(
        "arguments",
        "parameter \"" + param_->name + "\" of kernel \"" + kernel_.facts.name + "\" (" + param_->type + ") " + what,
        pointer_);
  }

  Result<std::vector<uint8_t>> packBuffer(int index) {
    const launch::BufferPlan& buffer = plan_.buffers[index];
    if (param_->kind != ParamKind::Pointer) return fail("is no pointer; \"" + buffer.name + "\" is a buffer");
    const auto pointee = launch::elementType(param_->pointee);
    const bool same_bits = pointee && byteSize(*pointee) == byteSize(buffer.type) &&
                           (*pointee == buffer.type || byteSize(buffer.type) == 1 ||
                            (!isFloat(*pointee) && (!isFloat(buffer.type) || byteSize(buffer.type) == 2)));
    if (pointee && !same_bits)
      return fail("does not match buffer \"" + buffer.name + "\" of type \"" + std::string(name(buffer.type)) + "\"");
    return bytesOf(address_(index), 8);
  }

  Result<std::vector<uint8_t>> packNumber(int64_t integer, double real, bool is_real) {
    const auto type = launch::elementType(param_->scalar);
    if (param_->kind == ParamKind::Pointer) return fail("is a pointer; give the name of a buffer");
    if (!type) return fail("cannot be given as a number");
    std::vector<uint8_t> out(param_->size);
    if (static_cast<size_t>(byteSize(*type)) != out.size()) return fail("has an unexpected size");
    if (isFloat(*type)) {
      storeElement(*type, real, out.data());
      return out;
    }
    if (is_real) return fail("is an integer; the scalar is a float");
    if (integer < lowest(*type) || integer > highest(*type)) return fail("cannot hold " + std::to_string(integer));
    storeElement(*type, integer, out.data());
    return out;
  }

  static std::vector<uint8_t> bytesOf(uint64_t value, size_t size) {
    std::vector<uint8_t> out(size);
    std::memcpy(out.data(), &value, size);
    return out;
  }

  const KernelEntry& kernel_;
  const launch::CasePlan& plan_;
  const std::function<uint64_t(int)>& address_;
  std::string where_, pointer_;
  const ParamFact* param_ = nullptr;
};

}  // namespace

Result<std::vector<std::vector<uint8_t>>> packArguments(const KernelEntry& kernel, const launch::LaunchPlan& plan,
                                                        const launch::CasePlan& case_plan,
                                                        const std::function<uint64_t(int)>& bufferAddress,
                                                        const std::string& where) {
  if (plan.args.size() != kernel.facts.params.size())
    return makeError("arguments",
                     "kernel \"" + kernel.facts.name + "\" has " + std::to_string(kernel.facts.params.size()) +
                         " parameters; the launch gives " + std::to_string(plan.args.size()) + " arguments",
                     where + "/args");
  std::vector<std::vector<uint8_t>> out;
  Packer packer(kernel, case_plan, bufferAddress, where);
  for (size_t k = 0; k < plan.args.size(); ++k) {
    NP_ASSIGN(std::vector<uint8_t> bytes, packer.pack(plan.args[k], k));
    out.push_back(std::move(bytes));
  }
  return out;
}

}  // namespace np::kernel_port::simt

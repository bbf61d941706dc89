// Evaluates a launch file at one size case. Limits are those of CUDA devices (grid 2^31-1 x 65535 x 65535, block 1024
// threads, 227 KiB of shared memory) plus 2 GiB a buffer, so that a typing error does not exhaust the machine.

#include "kernel_port/launch/launch_plan.h"

#include <cstring>

namespace np::kernel_port::launch {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 31;
constexpr int64_t kMaxShared = 227 * 1024;
constexpr std::array<int64_t, 3> kMaxGrid{(int64_t{1} << 31) - 1, 65535, 65535};
constexpr std::array<int64_t, 3> kMaxBlock{1024, 1024, 64};

class Planner {
 public:
  Planner(const LaunchFile& file, CasePlan& plan) : file_(file), plan_(plan) {}

  Result<void> run() {
    for (const Buffer& buffer : file_.buffers) NP_TRY(planBuffer(buffer));
    for (size_t k = 0; k < file_.launches.size(); ++k)
      NP_TRY(planLaunch(file_.launches[k], "/launches/" + std::to_string(k)));
    return {};
  }

 private:
  Error fail(const std::string& message, const std::string& pointer) const {
    Error error = makeError("launch-file", message, file_.path + "#" + pointer);
    error.notes.push_back("in the case " + caseText());
    return error;
  }

  std::string caseText() const {
    std::string text;
    for (size_t k = 0; k < plan_.values.size(); ++k)
      text += (k ? ", " : "") + file_.size_names[k] + " = " + std::to_string(plan_.values[k]);
    return text.empty() ? "without sizes" : text;
  }

  Result<int64_t> value(const Expr& expr, const std::string& pointer) const {
    auto out = evaluate(expr, plan_.sizes);
    if (!out.ok()) return fail(out.error().message, pointer);
    return *out;
  }

  Result<void> planBuffer(const Buffer& buffer) {
    const std::string pointer = "/buffers/" + buffer.name + "/extent";
    BufferPlan out{buffer.name, buffer.type, {}, 1, buffer.role};
    for (size_t k = 0; k < buffer.extent.size(); ++k) {
      const std::string at = pointer + "/" + std::to_string(k);
      NP_ASSIGN(int64_t extent, value(buffer.extent[k], at));
      if (extent < 0)
        return fail("extent \"" + toText(buffer.extent[k]) + "\" of buffer \"" + buffer.name + "\" is " +
                        std::to_string(extent) + "; it must not be negative",
                    at);
      out.extent.push_back(extent);
      if (__builtin_mul_overflow(out.elements, extent, &out.elements) ||
          out.elements > kMaxBytes / byteSize(buffer.type))
        return fail("buffer \"" + buffer.name + "\" is larger than 2 GiB", at);
    }
    plan_.buffers.push_back(std::move(out));
    return {};
  }

  Result<std::array<int64_t, 3>> dimensions(const std::array<Expr, 3>& exprs, const std::array<int64_t, 3>& limits,
                                            const std::string& pointer) const {
    std::array<int64_t, 3> out{};
    for (size_t k = 0; k < 3; ++k) {
      const std::string at = pointer + "/" + std::to_string(k);
      NP_ASSIGN(out[k], value(exprs[k], at));
      if (out[k] < 1 || out[k] > limits[k])
        return fail("\"" + toText(exprs[k]) + "\" is " + std::to_string(out[k]) + "; it must be from 1 to " +
                        std::to_string(limits[k]),
                    at);
    }
    return out;
  }

  Result<void> planLaunch(const Launch& launch, const std::string& pointer) {
    LaunchPlan out;
    out.kernel = launch.kernel;
    NP_ASSIGN(out.grid, dimensions(launch.grid, kMaxGrid, pointer + "/grid"));
    NP_ASSIGN(out.block, dimensions(launch.block, kMaxBlock, pointer + "/block"));
    if (const int64_t threads = out.block[0] * out.block[1] * out.block[2]; threads > 1024)
      return fail("a block of " + std::to_string(threads) + " threads is more than 1024", pointer + "/block");
    NP_ASSIGN(out.shared, value(launch.shared, pointer + "/shared"));
    if (out.shared < 0 || out.shared > kMaxShared)
      return fail(
          std::to_string(out.shared) + " bytes of shared memory; it must be from 0 to " + std::to_string(kMaxShared),
          pointer + "/shared");
    for (size_t k = 0; k < launch.args.size(); ++k) {
      NP_ASSIGN(ArgPlan arg, planArgument(launch.args[k], pointer + "/args/" + std::to_string(k)));
      out.args.push_back(std::move(arg));
    }
    plan_.launches.push_back(std::move(out));
    return {};
  }

  Result<ArgPlan> planArgument(const Argument& argument, const std::string& pointer) const {
    if (const auto* buffer = std::get_if<BufferRef>(&argument)) return ArgPlan(BufferArg{buffer->index});
    if (const auto* scalar = std::get_if<ScalarRef>(&argument)) return ArgPlan(ScalarArg{file_.scalars[scalar->index]});
    if (const auto* expr = std::get_if<Expr>(&argument)) {
      NP_ASSIGN(int64_t number, value(*expr, pointer));
      return ArgPlan(IntegerArg{number});
    }
    NP_ASSIGN(std::vector<uint8_t> bytes, structBytes(std::get<StructArg>(argument), pointer + "/struct"));
    return ArgPlan(BytesArg{std::move(bytes)});
  }

  Result<std::vector<uint8_t>> structBytes(const StructArg& arg, const std::string& pointer) const {
    std::vector<uint8_t> bytes;
    int64_t align = 1;
    for (size_t k = 0; k < arg.fields.size(); ++k) {
      const StructField& field = arg.fields[k];
      const int64_t size = byteSize(field.type);
      align = std::max(align, size);
      const size_t offset = (bytes.size() + size - 1) / size * size;
      bytes.resize(offset + size);
      const std::string at = pointer + "/" + std::to_string(k) + "/value";
      if (const auto* number = std::get_if<double>(&field.value)) {
        storeElement(field.type, *number, &bytes[offset]);
        continue;
      }
      int64_t integer = 0;
      if (const auto* ref = std::get_if<ScalarRef>(&field.value)) {
        const Scalar& scalar = file_.scalars[ref->index];
        if (isFloat(scalar.type)) {
          if (!isFloat(field.type)) return fail("scalar \"" + scalar.name + "\" is a float, the field is not", at);
          storeElement(field.type, scalar.real, &bytes[offset]);
          continue;
        }
        integer = scalar.integer;
      } else {
        NP_ASSIGN(integer, value(std::get<Expr>(field.value), at));
      }
      if (!isFloat(field.type) && (integer < lowest(field.type) || integer > highest(field.type)))
        return fail(std::to_string(integer) + " does not fit type \"" + std::string(name(field.type)) + "\"", at);
      storeElement(field.type, integer, &bytes[offset]);
    }
    bytes.resize((bytes.size() + align - 1) / align * align);
    if (bytes.empty()) bytes.resize(1);  // an empty struct has size 1 in C++
    return bytes;
  }

  const LaunchFile& file_;
  CasePlan& plan_;
};

}  // namespace

Result<CasePlan> planCase(const LaunchFile& file, const std::vector<int64_t>& values) {
  if (values.size() != file.size_names.size())
    return makeError(
        "launch-file",
        "expected " + std::to_string(file.size_names.size()) + " sizes, found " + std::to_string(values.size()),
        file.path + "#/sizes/cases");
  CasePlan plan;
  plan.values = values;
  for (size_t k = 0; k < values.size(); ++k) plan.sizes[file.size_names[k]] = values[k];
  for (const Condition& where : file.where) {
    NP_ASSIGN(bool kept, holds(where, plan.sizes));
    if (!kept)
      return makeError("launch-file", "the sizes break the condition \"" + where.text + "\"",
                       file.path + "#/sizes/where");
  }
  NP_TRY(Planner(file, plan).run());
  return plan;
}

}  // namespace np::kernel_port::launch

// Unrolls a TileProgram at concrete sizes and brings it to the canonical flat form.
//
// Walks the body once with the values of symbols in hand; views become access patterns over the flattened buffer; then
// buffers are renumbered by first use. Arguments that say the default (bias=0.0, engine=unknown) are dropped, so that
// two spellings of the same instruction compare equal. Hardware rules are the verifier's.
#include <algorithm>

#include "runtime/tile/flat.h"
#include "runtime/tile/number_text.h"
#include "runtime/tile/schema.h"

namespace np::tile {
namespace {

Error bad(std::string message) { return makeError("tile-instantiate", std::move(message)); }

std::string dimText(int64_t value) { return std::to_string(value); }

class Unroller {
 public:
  Unroller(const TileProgram& program, const Bindings& sizes, int64_t limit)
      : program_(program), values_(sizes), limit_(limit) {}

  Result<FlatProgram> run() {
    for (const std::string& size : program_.sizes) {
      if (!values_.contains(size)) return bad("size \"" + size + "\" is not given");
    }
    for (const Condition& condition : program_.requirements) {
      NP_ASSIGN(const bool holds, condition.holds(values_));
      if (!holds) return bad("requirement \"" + condition.text() + "\" does not hold");
    }
    out_.name = program_.name;
    for (Role role : {Role::kIn, Role::kOut}) {
      for (const Param& param : program_.params) {
        if (param.role == role) NP_TRY(declareParam(param));
      }
    }
    NP_TRY(block(program_.body));
    canonicalise();
    return std::move(out_);
  }

 private:
  Result<void> declareParam(const Param& param) {
    FlatBuffer buffer{param.name, Memory::kHbm, param.dtype, {}, param.role == Role::kIn, param.role == Role::kOut};
    NP_TRY(evaluateShape(param.name, param.extents, buffer.shape));
    return declare(param.name, std::move(buffer));
  }

  Result<void> evaluateShape(const std::string& name, const std::vector<Expr>& shape, std::vector<int64_t>& out) {
    int64_t elements = 1;
    for (const Expr& e : shape) {
      NP_ASSIGN(const int64_t extent, e.evaluate(values_));
      if (extent < 1) return bad("\"%" + name + "\" has extent " + e.text() + " = " + dimText(extent));
      if (__builtin_mul_overflow(elements, extent, &elements) || elements > (int64_t{1} << 40)) {
        return bad("\"%" + name + "\" is too large to address");
      }
      out.push_back(extent);
    }
    if (out.empty()) return bad("\"%" + name + "\" has no dimension");
    return Unit{};
  }

  Result<void> declare(const std::string& name, FlatBuffer buffer) {
    if (names_.contains(name)) return bad("\"%" + name + "\" is declared twice");
    names_[name] = static_cast<int>(out_.buffers.size());
    scopes_.back().buffers.push_back(name);
    out_.buffers.push_back(std::move(buffer));
    return Unit{};
  }

  Result<void> bind(const std::string& name, int64_t value) {
    if (values_.contains(name)) return bad("\"" + name + "\" has a value already, choose another name");
    values_[name] = value;
    scopes_.back().values.push_back(name);
    return Unit{};
  }

  Result<void> scoped(const Block& body) {
    scopes_.emplace_back();
    NP_TRY(block(body));
    for (const std::string& name : scopes_.back().buffers) names_.erase(name);
    for (const std::string& name : scopes_.back().values) values_.erase(name);
    scopes_.pop_back();
    return Unit{};
  }

  Result<void> block(const Block& body) {
    for (const Stmt& stmt : body) {
      NP_TRY(std::visit([this](const auto& node) { return this->statement(node); }, stmt.node));
    }
    return Unit{};
  }

  Result<void> statement(const Alloc& alloc) {
    FlatBuffer buffer{alloc.name, alloc.memory, alloc.dtype, {}, false, false};
    NP_TRY(evaluateShape(alloc.name, alloc.shape, buffer.shape));
    for (size_t d = 0; d < alloc.maxima.size() && d < buffer.shape.size(); ++d) {
      if (alloc.maxima[d] && buffer.shape[d] > *alloc.maxima[d]) {
        return bad("\"%" + alloc.name + "\" has extent " + dimText(buffer.shape[d]) + " where at most " +
                   dimText(*alloc.maxima[d]) + " is stated");
      }
    }
    if (alloc.memory != Memory::kHbm && buffer.shape.size() < 2) {
      return bad("\"%" + alloc.name + "\" needs a partition and a free dimension");
    }
    return declare(alloc.name, std::move(buffer));
  }

  Result<void> statement(const Let& let) {
    NP_ASSIGN(const int64_t value, let.value.evaluate(values_));
    return bind(let.name, value);
  }

  Result<void> statement(const For& loop) {
    NP_ASSIGN(const int64_t lower, loop.lower.evaluate(values_));
    NP_ASSIGN(const int64_t upper, loop.upper.evaluate(values_));
    NP_ASSIGN(const int64_t step, loop.step.evaluate(values_));
    if (step < 1) return bad("loop over \"" + loop.variable + "\" has step " + dimText(step));
    if (values_.contains(loop.variable)) return bad("\"" + loop.variable + "\" has a value already");
    for (int64_t i = lower; i < upper; i += step) {
      if (++iterations_ > limit_) return bad("more than " + dimText(limit_) + " loop iterations, use larger tiles");
      values_[loop.variable] = i;
      NP_TRY(scoped(loop.body));
    }
    values_.erase(loop.variable);
    return Unit{};
  }

  Result<void> statement(const If& choice) {
    for (const Condition& condition : choice.conditions) {
      NP_ASSIGN(const bool holds, condition.holds(values_));
      if (!holds) return scoped(choice.else_body);
    }
    return scoped(choice.then_body);
  }

  Result<void> statement(const Instruction& instruction) {
    if (static_cast<int64_t>(out_.instructions.size()) >= limit_) {
      return bad("more than " + dimText(limit_) + " instructions, use larger tiles");
    }
    const InstructionSchema& schema = schemaOf(instruction.opcode);
    NP_CHECK(instruction.arguments.size() == schema.arguments.size());
    FlatInstruction flat{instruction.opcode, {}};
    for (size_t i = 0; i < schema.arguments.size(); ++i) {
      Result<FlatArgument> value = argument(schema.arguments[i], instruction.arguments[i]);
      if (!value.ok()) {
        return bad("instruction " + dimText(static_cast<int64_t>(out_.instructions.size())) + " (" +
                   std::string(schema.name) + "), " + std::string(schema.arguments[i].name) + ": " +
                   value.error().message);
      }
      flat.arguments.push_back(std::move(value).value());
    }
    out_.instructions.push_back(std::move(flat));
    return Unit{};
  }

  Result<FlatArgument> argument(const ArgumentSchema& schema, const Argument& value) {
    if (std::holds_alternative<std::monostate>(value)) {
      if (schema.required) return bad("is missing");
      return FlatArgument{};
    }
    FlatArgument out;
    if (const auto* v = std::get_if<View>(&value)) {
      NP_ASSIGN(out, view(*v));
    } else if (const auto* n = std::get_if<Number>(&value)) {
      NP_ASSIGN(out, number(*n, schema.kind == ArgumentKind::kNumber && schema.name == "value"));
    } else if (const auto* e = std::get_if<Expr>(&value)) {
      NP_ASSIGN(out, e->evaluate(values_));
    } else if (const auto* dims = std::get_if<std::vector<ApDim>>(&value)) {
      NP_ASSIGN(out, pattern(*dims));
    } else {
      std::visit(
          [&out](const auto& same) {
            if constexpr (std::is_constructible_v<FlatArgument, decltype(same)>) out = same;
          },
          value);
    }
    return isDefault(schema, out) ? FlatArgument{} : out;
  }

  static bool isDefault(const ArgumentSchema& schema, const FlatArgument& value) {
    if (schema.required) return false;
    if (const auto* flag = std::get_if<bool>(&value)) return schema.kind == ArgumentKind::kFlag && !*flag;
    if (const auto* n = std::get_if<double>(&value)) {
      return (schema.name == "bias" && *n == 0) || (schema.name == "scale" && *n == 1);
    }
    if (const auto* i = std::get_if<int64_t>(&value)) return *i == 0;
    if (const auto* f = std::get_if<Function>(&value)) return schema.name == "cmp_op" && *f == Function::kEqual;
    if (const auto* e = std::get_if<Engine>(&value)) return *e == Engine::kUnknown;
    if (const auto* c = std::get_if<ReduceCommand>(&value)) return *c == ReduceCommand::kIdle;
    if (const auto* m = std::get_if<OobMode>(&value)) return *m == OobMode::kError;
    return false;
  }

  // Immediates are fp32; a memset value may be any 32-bit integer.
  Result<FlatArgument> number(const Number& number, bool exact) {
    double value = number.scale;
    if (!number.numerator.isConstant(1)) {
      NP_ASSIGN(const int64_t factor, number.numerator.evaluate(values_));
      value *= static_cast<double>(factor);
    }
    if (!number.denominator.isConstant(1)) {
      NP_ASSIGN(const int64_t divisor, number.denominator.evaluate(values_));
      if (divisor == 0) return bad("immediate divides by \"" + number.denominator.text() + "\" = 0");
      value /= static_cast<double>(divisor);
    }
    return FlatArgument(exact && value == static_cast<double>(static_cast<int64_t>(std::clamp(value, -1e15, 1e15)))
                            ? value
                            : asFloat(value));
  }

  Result<FlatArgument> pattern(const std::vector<ApDim>& dims) {
    std::vector<FlatDim> out;
    for (const ApDim& dim : dims) {
      NP_ASSIGN(const FlatDim flat, apDim(dim));
      out.push_back(flat);
    }
    for (FlatDim& dim : out) {
      if (dim.size == 1) dim.step = 1;
    }
    return FlatArgument(std::move(out));
  }

  Result<FlatDim> apDim(const ApDim& dim) {
    FlatDim out;
    NP_ASSIGN(out.step, dim.step.evaluate(values_));
    NP_ASSIGN(out.size, dim.size.evaluate(values_));
    if (out.size < 1) return bad("access pattern takes " + dim.size.text() + " = " + dimText(out.size) + " elements");
    return out;
  }

  Result<FlatView> view(const View& view) {
    const auto found = names_.find(view.buffer);
    if (found == names_.end()) return bad("\"%" + view.buffer + "\" is not declared here");
    const FlatBuffer& buffer = out_.buffers[static_cast<size_t>(found->second)];
    FlatView out{found->second, view.as.value_or(buffer.dtype), 0, {}, {}};
    if (dtypeBytes(out.dtype) != dtypeBytes(buffer.dtype)) {
      return bad("\"%" + view.buffer + "\" is reinterpreted as a type of another size");
    }
    if (!view.pattern.empty()) {
      NP_ASSIGN(out.offset, view.offset.evaluate(values_));
      for (const ApDim& dim : view.pattern) {
        NP_ASSIGN(out.dims.emplace_back(), apDim(dim));
      }
    } else {
      NP_TRY(slices(view, buffer, out));
    }
    NP_TRY(permuteAndBroadcast(view, out));
    for (size_t d = 0; d < out.dims.size(); ++d) {
      const bool partition = d == 0 && buffer.memory != Memory::kHbm;
      if (out.dims[d].size == 1) out.dims[d].step = partition ? buffer.partitionPitch() : 1;
    }
    if (!view.index.empty() && buffer.memory != Memory::kHbm) {
      return bad("\"%" + view.buffer + "\" is indirect, which only HBM can be");
    }
    if (!view.index.empty()) {
      NP_ASSIGN(out.index.emplace_back(), this->view(view.index.front()));
    }
    NP_TRY(checkBounds(view, buffer, out));
    return out;
  }

  Result<void> slices(const View& view, const FlatBuffer& buffer, FlatView& out) {
    if (!view.slices.empty() && view.slices.size() != buffer.shape.size()) {
      return bad("\"%" + view.buffer + "\" has " + dimText(static_cast<int64_t>(buffer.shape.size())) +
                 " dimensions, the slice " + dimText(static_cast<int64_t>(view.slices.size())));
    }
    int64_t stride = 1;
    out.dims.resize(buffer.shape.size());
    for (size_t d = buffer.shape.size(); d-- > 0; stride *= buffer.shape[d]) {
      if (view.slices.empty()) {
        out.dims[d] = {stride, buffer.shape[d]};
        continue;
      }
      const Slice& slice = view.slices[d];
      NP_ASSIGN(const int64_t start, slice.start.evaluate(values_));
      NP_ASSIGN(const int64_t size, slice.size.evaluate(values_));
      NP_ASSIGN(const int64_t step, slice.step.evaluate(values_));
      if (start < 0 || size < 1 || step < 1 || start >= buffer.shape[d] ||
          (size - 1) > (buffer.shape[d] - 1 - start) / step) {
        return bad("\"%" + view.buffer + "\" dimension " + dimText(static_cast<int64_t>(d)) + " of extent " +
                   dimText(buffer.shape[d]) + " is sliced from " + dimText(start) + ", " + dimText(size) +
                   " elements by " + dimText(step) + ": empty or outside");
      }
      out.offset += start * stride;
      out.dims[d] = {stride * step, size};
    }
    return Unit{};
  }

  Result<void> permuteAndBroadcast(const View& view, FlatView& out) {
    if (!view.permutation.empty()) {
      std::vector<FlatDim> dims;
      std::vector<bool> used(out.dims.size(), false);
      for (int d : view.permutation) {
        if (d < 0 || static_cast<size_t>(d) >= out.dims.size() || used[static_cast<size_t>(d)]) {
          return bad("\"%" + view.buffer + "\" is permuted by something that is no permutation");
        }
        used[static_cast<size_t>(d)] = true;
        dims.push_back(out.dims[static_cast<size_t>(d)]);
      }
      if (dims.size() != out.dims.size()) return bad("\"%" + view.buffer + "\" is permuted over too few dimensions");
      out.dims = std::move(dims);
    }
    for (const Broadcast& b : view.broadcasts) {
      NP_ASSIGN(const int64_t size, b.size.evaluate(values_));
      if (b.dim < 0 || static_cast<size_t>(b.dim) >= out.dims.size() ||
          out.dims[static_cast<size_t>(b.dim)].size != 1 || size < 1) {
        return bad("\"%" + view.buffer + "\" is broadcast along dimension " + dimText(b.dim) +
                   ", which is not of size 1");
      }
      out.dims[static_cast<size_t>(b.dim)] = {0, size};
    }
    return Unit{};
  }

  // A gathered dimension 0 is bounded when it runs. On chip a view must stay inside its partitions.
  static Result<void> checkBounds(const View& view, const FlatBuffer& buffer, const FlatView& flat) {
    int64_t low = flat.offset, high = flat.offset;
    for (size_t d = flat.index.empty() ? 0 : 1; d < flat.dims.size(); ++d) {
      int64_t reach = 0;
      if (__builtin_mul_overflow(flat.dims[d].step, flat.dims[d].size - 1, &reach) || std::abs(reach) > int64_t{1}
                                                                                                            << 48) {
        return bad("\"%" + view.buffer + "\" is viewed with a step that is too large");
      }
      (reach < 0 ? low : high) += reach;
    }
    if (low < 0 || high >= buffer.elements()) {
      return bad("\"%" + view.buffer + "\" has " + dimText(buffer.elements()) + " elements, the view reaches from " +
                 dimText(low) + " to " + dimText(high));
    }
    if (buffer.memory == Memory::kHbm) return Unit{};
    const int64_t pitch = buffer.partitionPitch();
    const FlatDim partition = flat.dims.front();
    if (partition.step != pitch) {
      return bad("\"%" + view.buffer + "\" must be viewed with its partitions in order: step " +
                 dimText(partition.step) + " instead of " + dimText(pitch));
    }
    high -= partition.step * (partition.size - 1);
    if (flat.dims.size() < 2) return bad("\"%" + view.buffer + "\" needs a free dimension in the view");
    if (low / pitch != high / pitch) return bad("\"%" + view.buffer + "\" is viewed across a partition's end");
    return Unit{};
  }

  void use(FlatView& view, std::vector<int>& renumbered, std::vector<FlatBuffer>& kept) {
    if (!view.index.empty()) use(view.index.front(), renumbered, kept);
    int& id = renumbered[static_cast<size_t>(view.buffer)];
    if (id < 0) {
      id = static_cast<int>(kept.size());
      kept.push_back(std::move(out_.buffers[static_cast<size_t>(view.buffer)]));
      kept.back().name = "t" + std::to_string(tiles_++);
    }
    view.buffer = id;
  }

  void canonicalise() {
    std::vector<FlatBuffer> kept;
    std::vector<int> renumbered(out_.buffers.size(), -1);
    int inputs = 0, outputs = 0;
    for (size_t id = 0; id < out_.buffers.size(); ++id) {
      FlatBuffer& buffer = out_.buffers[id];
      if (!buffer.is_input && !buffer.is_output) continue;
      renumbered[id] = static_cast<int>(kept.size());
      buffer.name = buffer.is_input ? "in" + std::to_string(inputs++) : "out" + std::to_string(outputs++);
      kept.push_back(std::move(buffer));
    }
    for (FlatInstruction& instruction : out_.instructions) {
      for (FlatArgument& argument : instruction.arguments) {
        if (auto* view = std::get_if<FlatView>(&argument)) use(*view, renumbered, kept);
      }
    }
    out_.buffers = std::move(kept);
  }

  struct Scope {
    std::vector<std::string> buffers, values;
  };

  const TileProgram& program_;
  Bindings values_;
  int64_t limit_, iterations_ = 0;
  int tiles_ = 0;
  std::map<std::string, int, std::less<>> names_;
  std::vector<Scope> scopes_ = std::vector<Scope>(1);
  FlatProgram out_;
};

}  // namespace

Result<FlatProgram> instantiate(const TileProgram& program, const Bindings& sizes, int64_t limit) {
  return Unroller(program, sizes, limit).run();
}

}  // namespace np::tile

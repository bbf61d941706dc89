// Prints Tile IR. One printer serves both forms: a flat program is first turned back into a TileProgram whose views are
// access patterns, or plain names where they cover the whole buffer.
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/tile/number_text.h"
#include "runtime/tile/schema.h"
#include "runtime/tile/text.h"

namespace np::tile {
namespace {

template <class Range, class Text>
std::string join(const Range& items, Text text) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ", ";
    out += text(item);
  }
  return out;
}

std::string exprText(const Expr& e) { return e.text(); }

std::string factorText(const Expr& e) {
  const bool bare = e.kind() == Expr::Kind::kSymbol || (e.isConstant() && e.value() >= 0);
  return bare ? e.text() : "(" + e.text() + ")";
}

std::string sliceText(const Slice& slice) {
  const bool plain = slice.step.isConstant(1);
  if (plain && slice.start.isConstant() && (slice.start.isConstant(0) || slice.size.isConstant())) {
    return slice.start.text() + ":" + (slice.start + slice.size).text();
  }
  return slice.start.text() + "+:" + slice.size.text() + (plain ? "" : " by " + slice.step.text());
}

std::string pairText(const ApDim& dim) { return "[" + dim.step.text() + ", " + dim.size.text() + "]"; }

std::string viewText(const View& view) {
  std::string out = "%" + view.buffer;
  if (!view.pattern.empty()) {
    out += ".ap(" + view.offset.text() + ", " + join(view.pattern, pairText) + ")";
  } else if (!view.slices.empty()) {
    out += "[" + join(view.slices, sliceText) + "]";
  }
  if (!view.permutation.empty()) {
    out += ".permute(" + join(view.permutation, [](int d) { return std::to_string(d); }) + ")";
  }
  for (const Broadcast& b : view.broadcasts) out += ".broadcast(" + std::to_string(b.dim) + ", " + b.size.text() + ")";
  if (view.as) out += std::string(".as(") + dtypeName(*view.as) + ")";
  if (!view.index.empty()) out += ".gather(" + viewText(view.index.front()) + ")";
  return out;
}

struct ArgumentPrinter {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(const View& view) const { return viewText(view); }
  std::string operator()(const Number& number) const {
    // Factors are applied in double, before rounding to fp32: then the scale must be the very same double.
    const bool scaled = !number.numerator.isConstant(1) || !number.denominator.isConstant(1);
    std::string out = numberText(number.scale, scaled);
    if (!number.numerator.isConstant(1)) out += "*" + factorText(number.numerator);
    if (!number.denominator.isConstant(1)) out += "/" + factorText(number.denominator);
    return out;
  }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(const Expr& e) const { return e.text(); }
  std::string operator()(Function function) const { return functionName(function); }
  std::string operator()(Engine engine) const { return engineName(engine); }
  std::string operator()(ReduceCommand command) const { return reduceCommandName(command); }
  std::string operator()(OobMode mode) const { return oobModeName(mode); }
  std::string operator()(const std::vector<int>& axes) const {
    return "[" + join(axes, [](int axis) { return std::to_string(axis); }) + "]";
  }
  std::string operator()(const std::vector<ApDim>& pattern) const { return "[" + join(pattern, pairText) + "]"; }
};

std::string instructionText(const Instruction& instruction) {
  const InstructionSchema& schema = schemaOf(instruction.opcode);
  std::string out(schema.name);
  const char* separator = " ";
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& value = instruction.arguments[i];
    const ArgumentSchema& argument = schema.arguments[i];
    if (!argument.required && std::holds_alternative<std::monostate>(value)) continue;
    out += separator;
    separator = ", ";
    if (!argument.required) out += std::string(argument.name) + "=";
    out += std::visit(ArgumentPrinter{}, value);
  }
  return out;
}

std::string allocText(const Alloc& alloc) {
  std::string dims;
  for (size_t d = 0; d < alloc.shape.size(); ++d) {
    if (d > 0) dims += ", ";
    dims += alloc.shape[d].text();
    if (d < alloc.maxima.size() && alloc.maxima[d]) dims += " <= " + std::to_string(*alloc.maxima[d]);
  }
  return "tile %" + alloc.name + ": " + memoryName(alloc.memory) + " " + dtypeName(alloc.dtype) + "[" + dims + "]";
}

std::string conditionsText(const std::vector<Condition>& conditions, const char* separator) {
  std::string out;
  for (const Condition& condition : conditions) out += (out.empty() ? "" : separator) + condition.text();
  return out;
}

class BlockPrinter {
 public:
  explicit BlockPrinter(std::string& out) : out_(out) {}

  void block(const Block& body, int depth) {
    for (const Stmt& stmt : body) {
      depth_ = depth;
      std::visit(*this, stmt.node);
    }
  }
  void operator()(const Alloc& alloc) { line(allocText(alloc)); }
  void operator()(const Let& let) { line("let " + let.name + " = " + let.value.text()); }
  void operator()(const Instruction& instruction) { line(instructionText(instruction)); }
  void operator()(const For& loop) {
    const int depth = depth_;
    const std::string step = loop.step.isConstant(1) ? "" : " step " + loop.step.text();
    line("for " + loop.variable + " in " + loop.lower.text() + ".." + loop.upper.text() + step + " {");
    block(loop.body, depth + 1);
    depth_ = depth;
    line("}");
  }
  void operator()(const If& choice) {
    const int depth = depth_;
    line("if " + conditionsText(choice.conditions, " and ") + " {");
    block(choice.then_body, depth + 1);
    if (!choice.else_body.empty()) {
      depth_ = depth;
      line("} else {");
      block(choice.else_body, depth + 1);
    }
    depth_ = depth;
    line("}");
  }

 private:
  void line(const std::string& text) { out_ += std::string(static_cast<size_t>(depth_) * 2, ' ') + text + "\n"; }

  std::string& out_;
  int depth_ = 0;
};

View toView(const FlatProgram& program, const FlatView& flat) {
  const FlatBuffer& buffer = program.buffers[static_cast<size_t>(flat.buffer)];
  View view(buffer.name);
  std::vector<FlatDim> whole(buffer.shape.size());
  int64_t step = 1;
  for (size_t d = whole.size(); d-- > 0; step *= buffer.shape[d]) {
    whole[d] = {buffer.shape[d] == 1 && (d > 0 || buffer.memory == Memory::kHbm) ? 1 : step, buffer.shape[d]};
  }
  if (flat.offset != 0 || flat.dims != whole) {
    view.offset = flat.offset;
    for (const FlatDim& dim : flat.dims) view.pattern.push_back({dim.step, dim.size});
  }
  if (flat.dtype != buffer.dtype) view.as = flat.dtype;
  if (!flat.index.empty()) view.index.push_back(toView(program, flat.index.front()));
  return view;
}

struct ArgumentLift {
  const FlatProgram& program;
  Argument operator()(const FlatView& view) const { return toView(program, view); }
  Argument operator()(double value) const { return Number(value); }
  Argument operator()(int64_t value) const { return Expr(value); }
  Argument operator()(const std::vector<FlatDim>& dims) const {
    std::vector<ApDim> pattern;
    for (const FlatDim& dim : dims) pattern.push_back({dim.step, dim.size});
    return pattern;
  }
  template <class Same>
  Argument operator()(const Same& value) const {
    return value;
  }
};

// Allocations stand right before the first instruction that names them.
void emitAllocs(const FlatProgram& program, const FlatView& view, std::vector<bool>& seen, Block& body) {
  if (!view.index.empty()) emitAllocs(program, view.index.front(), seen, body);
  const auto id = static_cast<size_t>(view.buffer);
  if (seen[id]) return;
  seen[id] = true;
  const FlatBuffer& buffer = program.buffers[id];
  body.push_back(Alloc{buffer.name, buffer.memory, buffer.dtype, {buffer.shape.begin(), buffer.shape.end()}, {}});
}

TileProgram toTileProgram(const FlatProgram& flat) {
  TileProgram out{flat.name, {}, {}, {}, {}};
  std::vector<bool> seen(flat.buffers.size(), false);
  for (size_t id = 0; id < flat.buffers.size(); ++id) {
    const FlatBuffer& buffer = flat.buffers[id];
    if (!buffer.is_input && !buffer.is_output) continue;
    seen[id] = true;
    out.params.push_back(Param{buffer.name,
                               buffer.dtype,
                               {buffer.shape.begin(), buffer.shape.end()},
                               buffer.is_input ? Role::kIn : Role::kOut});
  }
  for (const FlatInstruction& instruction : flat.instructions) {
    Instruction lifted{instruction.opcode, {}};
    for (const FlatArgument& argument : instruction.arguments) {
      if (const auto* view = std::get_if<FlatView>(&argument)) emitAllocs(flat, *view, seen, out.body);
      lifted.arguments.push_back(std::visit(ArgumentLift{flat}, argument));
    }
    out.body.emplace_back(std::move(lifted));
  }
  return out;
}

}  // namespace

double asFloat(double value) { return static_cast<double>(static_cast<float>(value)); }

std::string numberText(double value, bool exact) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer;
  const bool is_float = !exact && std::abs(value) <= 3.4028234663852886e38 && asFloat(value) == value;
  const auto end = is_float ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(value)).ptr
                            : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string out(buffer.data(), end);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string print(const TileProgram& program) {
  std::string out = "kernel @" + program.name + "(" +
                    join(program.params,
                         [](const Param& param) {
                           return std::string(param.role == Role::kIn ? "in" : "out") + " %" + param.name + ": " +
                                  dtypeName(param.dtype) + "[" + join(param.extents, exprText) + "]";
                         }) +
                    ")";
  if (!program.sizes.empty()) out += " sizes(" + join(program.sizes, [](const std::string& s) { return s; }) + ")";
  if (!program.requirements.empty()) out += " requires(" + conditionsText(program.requirements, ", ") + ")";
  out += " {\n";
  BlockPrinter(out).block(program.body, 1);
  return out + "}\n";
}

std::string printFlat(const FlatProgram& program) { return print(toTileProgram(program)); }

}  // namespace np::tile

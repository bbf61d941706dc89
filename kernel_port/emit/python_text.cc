// NKI spelling of Tile IR, after the table in runtime/tile/README.md. Argument names and order come from the
// instruction table, so a new instruction needs nothing here.
#include "kernel_port/emit/python_text.h"

#include <charconv>
#include <cmath>

#include "runtime/tile/schema.h"

namespace np::kernel_port::emit {

using namespace tile;

namespace {

constexpr size_t kColumns = 100;

enum Precedence { kSum = 1, kProduct, kUnary, kAtom };

std::string text(const Expr& e, int need) {
  const auto infix = [&](const char* symbol, int level) {
    std::string out = text(e.left(), level) + symbol + text(e.right(), level + 1);
    return level < need ? "(" + out + ")" : out;
  };
  switch (e.kind()) {
    case Expr::Kind::kConstant: {
      const std::string out = std::to_string(e.value());
      return e.value() < 0 && need > kSum ? "(" + out + ")" : out;
    }
    case Expr::Kind::kSymbol:
      return e.name();
    case Expr::Kind::kAdd:
      return infix(" + ", kSum);
    case Expr::Kind::kSub:
      return infix(" - ", kSum);
    case Expr::Kind::kMul:
      return infix("*", kProduct);
    case Expr::Kind::kFloorDiv:
      return infix("//", kProduct);
    case Expr::Kind::kMod:
      return infix(" % ", kProduct);
    case Expr::Kind::kCeilDiv: {
      const std::string out = "-(-" + text(e.left(), kAtom) + "//" + text(e.right(), kAtom) + ")";
      return need > kSum ? "(" + out + ")" : out;
    }
    case Expr::Kind::kMin:
      return "min(" + text(e.left(), 0) + ", " + text(e.right(), 0) + ")";
    case Expr::Kind::kMax:
      return "max(" + text(e.left(), 0) + ", " + text(e.right(), 0) + ")";
  }
  return "?";
}

// With a factor Python goes on in double, so the literal must be this very double; alone it is rounded to fp32 anyway.
std::string floatText(double value, bool exact) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value < 0 ? "float(\"-inf\")" : "float(\"inf\")";
  char buffer[64];
  const bool single = !exact && static_cast<double>(static_cast<float>(value)) == value;
  const auto end = single ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value))
                          : std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string out(buffer, end.ptr);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string patternText(const std::vector<ApDim>& pattern) {
  std::string out = "[";
  for (const ApDim& dim : pattern)
    out += (out.size() > 1 ? ", [" : "[") + exprText(dim.step) + ", " + exprText(dim.size) + "]";
  return out + "]";
}

std::string sliceText(const Slice& slice) {
  const std::string start = exprText(slice.start);
  if (slice.step.isConstant(1)) return start + ":" + exprText(slice.start + slice.size);
  return start + ":" + exprText(slice.start + slice.size * slice.step) + ":" + exprText(slice.step);
}

std::string argumentText(const Argument& argument, bool integer) {
  if (const auto* view = std::get_if<View>(&argument)) return viewText(*view);
  if (const auto* number = std::get_if<Number>(&argument)) return numberText(*number, integer);
  if (const auto* flag = std::get_if<bool>(&argument)) return *flag ? "True" : "False";
  if (const auto* expr = std::get_if<Expr>(&argument)) return exprText(*expr);
  if (const auto* function = std::get_if<Function>(&argument)) return std::string("nl.") + functionName(*function);
  if (const auto* engine = std::get_if<Engine>(&argument)) return std::string("nisa.engine.") + engineName(*engine);
  if (const auto* command = std::get_if<ReduceCommand>(&argument))
    return std::string("nisa.reduce_cmd.") + reduceCommandName(*command);
  if (const auto* mode = std::get_if<OobMode>(&argument)) return std::string("nisa.oob_mode.") + oobModeName(*mode);
  if (const auto* pattern = std::get_if<std::vector<ApDim>>(&argument)) return patternText(*pattern);
  const auto& axes = std::get<std::vector<int>>(argument);
  if (axes.size() == 1) return std::to_string(axes[0]);
  std::string out = "(";
  for (int axis : axes) out += (out.size() > 1 ? ", " : "") + std::to_string(axis);
  return out + ")";
}

}  // namespace

std::string exprText(const Expr& expr) { return text(expr, 0); }

std::string conditionText(const Condition& condition) {
  return exprText(condition.left) + " " + compareText(condition.compare) + " " + exprText(condition.right);
}

std::string numberText(const Number& number, bool integer) {
  const bool factors = !number.numerator.isConstant(1) || !number.denominator.isConstant(1);
  std::string out = integer ? std::to_string(static_cast<int64_t>(number.scale)) : floatText(number.scale, factors);
  if (!number.numerator.isConstant(1)) out += "*" + text(number.numerator, kUnary);
  if (!number.denominator.isConstant(1)) out += "/" + text(number.denominator, kUnary);
  return out;
}

std::string viewText(const View& view) {
  std::string out = view.buffer;
  if (!view.slices.empty()) {
    std::string parts;
    for (const Slice& slice : view.slices) parts += (parts.empty() ? "" : ", ") + sliceText(slice);
    out += "[" + parts + "]";
  } else if (!view.pattern.empty()) {
    out += ".ap(" + patternText(view.pattern) + ", offset=" + exprText(view.offset);
    if (!view.index.empty()) out += ", vector_offset=" + viewText(view.index[0]) + ", indirect_dim=0";
    out += ")";
  }
  if (!view.permutation.empty()) {
    std::string order;
    for (int dim : view.permutation) order += (order.empty() ? "" : ", ") + std::to_string(dim);
    out += ".permute((" + order + "))";
  }
  for (const Broadcast& broadcast : view.broadcasts)
    out += ".broadcast(" + std::to_string(broadcast.dim) + ", " + exprText(broadcast.size) + ")";
  if (view.as) out += std::string(".view(nl.") + dtypeNkiName(*view.as) + ")";
  return out;
}

std::string wrapped(const std::string& head, const std::vector<std::string>& items, const std::string& tail,
                    int indent) {
  const std::string margin(static_cast<size_t>(indent), ' ');
  std::string line = margin + head;
  for (size_t i = 0; i < items.size(); ++i) line += (i ? ", " : "") + items[i];
  line += tail;
  if (line.size() <= kColumns) return line + "\n";
  const std::string inner = margin + "    ";
  std::string out = margin + head + "\n", current = inner;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? ", " : "");
    if (current.size() > inner.size() && current.size() + item.size() > kColumns) {
      out += current.substr(0, current.find_last_not_of(' ') + 1) + "\n";
      current = inner;
    }
    current += item;
  }
  return out + current + tail + "\n";
}

std::string callText(const Instruction& instruction, bool integer_fill, int indent) {
  const InstructionSchema& schema = schemaOf(instruction.opcode);
  std::vector<std::string> items;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& argument = instruction.arguments[i];
    if (std::holds_alternative<std::monostate>(argument)) continue;
    const bool integer = integer_fill && instruction.opcode == Opcode::kMemset;
    items.push_back(std::string(schema.arguments[i].name) + "=" + argumentText(argument, integer));
  }
  return wrapped("nisa." + std::string(schema.name) + "(", items, ")", indent);
}

}  // namespace np::kernel_port::emit

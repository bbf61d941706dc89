// The module around the calls: docstring, guards, outputs, loops.
//
// Loops, clamps and size conditions of the program stay Python loops, names and ifs, so a reader sees the tiling and
// one text serves all sizes. The guards repeat the program's requirements and the shapes of the arguments. Nothing but
// `nki` is imported, and signatures stay legal for the front ends before 0.7 (no keyword-only arguments).
#include "kernel_port/emit/emit.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel_port/emit/python_text.h"

namespace np::kernel_port::emit {

using namespace tile;

namespace {

constexpr int kIndent = 4;

class Emitter {
 public:
  Emitter(const TileProgram& program, const ModuleInfo& info) : program_(program), info_(info) {}

  Result<std::string> run() {
    NP_TRY(checkNames());
    docstring();
    out_ += "import nki\nimport nki.isa as nisa\nimport nki.language as nl\n\n";
    out_ += "NEURON_PORT_ENTRY = \"" + program_.name + "\"\n";
    std::vector<std::string> data;
    for (const std::string& assumption : info_.data_assumptions) data.push_back("\"" + assumption + "\"");
    out_ += wrapped("NEURON_PORT_DATA_ASSUMPTIONS = [", data, "]", 0);
    out_ += "\n\n@nki.jit\n";
    signature();
    guards();
    outputs();
    block(program_.body, kIndent);
    returns();
    return std::move(out_);
  }

 private:
  Result<void> checkNames() const {
    static const std::set<std::string> kKeywords = {
        "False", "None",  "True",   "and",      "as",     "assert",  "async", "await", "break",  "class", "continue",
        "def",   "del",   "elif",   "else",     "except", "finally", "for",   "from",  "global", "if",    "import",
        "in",    "is",    "lambda", "nonlocal", "not",    "or",      "pass",  "raise", "return", "try",   "while",
        "with",  "yield", "nki",    "nl",       "nisa",   "min",     "max",   "range"};
    std::vector<std::string> names{program_.name};
    for (const std::string& size : program_.sizes) names.push_back(size);
    for (const Param& param : program_.params) names.push_back(param.name);
    for (const std::string& name : names) {
      if (kKeywords.count(name))
        return makeError("emit-name", "\"" + name + "\" cannot be a name in the emitted Python, rename it");
    }
    return {};
  }

  void docstring() {
    out_ += "\"\"\"" + program_.name + ": emitted by " + info_.tool;
    if (!info_.source.empty()) out_ += " from " + info_.source;
    out_ += ".\n\nComputes\n";
    size_t at = 0;
    while (at < info_.spec.size()) {
      const size_t end = std::min(info_.spec.find('\n', at), info_.spec.size());
      if (end > at) out_ += "    " + info_.spec.substr(at, end - at) + "\n";
      at = end + 1;
    }
    out_ += "\nAssumes\n";
    for (const Condition& condition : program_.requirements) out_ += "    " + conditionText(condition) + "\n";
    for (const std::string& assumption : info_.assumptions) out_ += "    " + assumption + "\n";
    for (const std::string& assumption : info_.data_assumptions) out_ += "    " + assumption + "\n";
    if (!info_.scalars.empty()) {
      std::string names;
      for (const std::string& scalar : info_.scalars) names += (names.empty() ? "" : ", ") + scalar;
      out_ += "    float scalars are [1, 1] float32 tensors: " + names + "\n";
    }
    out_ += "\"\"\"\n\n";
  }

  bool isScalar(const std::string& name) const {
    return std::find(info_.scalars.begin(), info_.scalars.end(), name) != info_.scalars.end();
  }

  void signature() {
    std::vector<std::string> items;
    for (const Param& param : program_.params) {
      if (param.role == Role::kIn && !isScalar(param.name)) items.push_back(param.name);
    }
    items.insert(items.end(), program_.sizes.begin(), program_.sizes.end());
    for (const Param& param : program_.params) {
      if (param.role == Role::kIn && isScalar(param.name)) items.push_back(param.name);
    }
    out_ += wrapped("def " + program_.name + "(", items, "):", 0);
  }

  void guards() {
    for (const Condition& condition : program_.requirements) {
      const std::string text = conditionText(condition);
      out_ += "    if not " + text + ":\n        raise ValueError(\"" + program_.name + " needs " + text + "\")\n";
    }
    for (const Param& param : program_.params) {
      if (param.role != Role::kIn) continue;
      const std::string shape = shapeText(param.extents);
      out_ += "    if tuple(" + param.name + ".shape) != " + shape + ":\n        raise ValueError(\"" + program_.name +
              " needs " + param.name + " of shape " + shape + "\")\n";
    }
  }

  static std::string shapeText(const std::vector<Expr>& extents) {
    std::string out = "(";
    for (const Expr& extent : extents) out += (out.size() > 1 ? ", " : "") + exprText(extent);
    return out + (extents.size() == 1 ? ",)" : ")");
  }

  void outputs() {
    for (const Param& param : program_.params) {
      if (param.role != Role::kOut) continue;
      out_ += wrapped(
          param.name + " = nl.ndarray(",
          {shapeText(param.extents), std::string("dtype=nl.") + dtypeNkiName(param.dtype), "buffer=nl.shared_hbm"}, ")",
          kIndent);
      dtypes_[param.name] = param.dtype;
    }
  }

  void returns() {
    std::string names;
    for (const Param& param : program_.params) {
      if (param.role == Role::kOut) names += (names.empty() ? "" : ", ") + param.name;
    }
    out_ += "    return " + names + "\n";
  }

  void block(const Block& body, int indent) {
    if (body.empty()) out_ += std::string(static_cast<size_t>(indent), ' ') + "pass\n";
    for (const Stmt& stmt : body) {
      std::visit([&](const auto& node) { statement(node, indent); }, stmt.node);
    }
  }

  void line(int indent, const std::string& text) {
    out_ += std::string(static_cast<size_t>(indent), ' ') + text + "\n";
  }

  void statement(const Alloc& alloc, int indent) {
    dtypes_[alloc.name] = alloc.dtype;
    const char* memory =
        alloc.memory == Memory::kPsum ? "psum" : (alloc.memory == Memory::kSbuf ? "sbuf" : "private_hbm");
    out_ += wrapped(alloc.name + " = nl.ndarray(",
                    {shapeText(alloc.shape), std::string("dtype=nl.") + dtypeNkiName(alloc.dtype),
                     std::string("buffer=nl.") + memory},
                    ")", indent);
  }

  void statement(const Let& let, int indent) { line(indent, let.name + " = " + exprText(let.value)); }

  void statement(const For& loop, int indent) {
    std::string range = exprText(loop.upper);
    const bool unit = loop.step.isConstant(1);
    if (!loop.lower.isConstant(0) || !unit) range = exprText(loop.lower) + ", " + range;
    if (!unit) range += ", " + exprText(loop.step);
    line(indent, "for " + loop.variable + " in range(" + range + "):");
    block(loop.body, indent + kIndent);
  }

  void statement(const If& choice, int indent, const char* word = "if") {
    std::string conditions;
    for (const Condition& condition : choice.conditions)
      conditions += (conditions.empty() ? "" : " and ") + conditionText(condition);
    line(indent, std::string(word) + " " + conditions + ":");
    block(choice.then_body, indent + kIndent);
    if (choice.else_body.empty()) return;
    if (choice.else_body.size() == 1) {
      if (const auto* next = std::get_if<If>(&choice.else_body[0].node)) return statement(*next, indent, "elif");
    }
    line(indent, "else:");
    block(choice.else_body, indent + kIndent);
  }

  void statement(const Instruction& instruction, int indent) {
    const auto* dst = std::get_if<View>(&instruction.arguments[0]);
    const bool integer = dst && dtypes_.count(dst->buffer) && !isFloat(dtypes_[dst->buffer]);
    out_ += callText(instruction, integer, indent);
  }

  const TileProgram& program_;
  const ModuleInfo& info_;
  std::map<std::string, Dtype> dtypes_;
  std::string out_;
};

}  // namespace

Result<std::string> emitModule(const TileProgram& program, const ModuleInfo& info) {
  return Emitter(program, info).run();
}

}  // namespace np::kernel_port::emit

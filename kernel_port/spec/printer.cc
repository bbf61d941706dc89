// Canonical text of a Spec.
//
// A node that is not a leaf and is used more than once, in one statement or over several, becomes a macro of its free
// axes; macros are numbered in the order in which statements first need them. Axes are i, j, i2, i3 .. by position in
// the domain and k, k2 .. for reductions, inner ones first; a name already declared gets underscores.
#include <algorithm>
#include <map>
#include <set>

#include "kernel_port/spec/names.h"
#include "kernel_port/spec/text.h"

namespace np::kernel_port::spec {
namespace {

enum Precedence { kOr = 1, kAnd, kNot, kCmp, kAdd, kMul, kUnary, kAtom };

bool isLeaf(Expr e) {
  if (e->op == Op::Cast) e = e->args[0];
  return e->op == Op::Const || e->op == Op::Param || e->op == Op::Size || e->op == Op::Coord || e->op == Op::Load;
}

class Printer {
 public:
  explicit Printer(const Spec& spec) {
    for (const std::string& size : spec.sizes) taken_.insert(size);
    for (const Buffer& buffer : spec.buffers) taken_.insert(buffer.name);
    for (const Scalar& scalar : spec.scalars) taken_.insert(scalar.name);
  }

  std::string formulas(const Spec& spec) {
    countUses(spec);
    std::string out;
    for (const Stmt& stmt : spec.stmts) {
      for (Expr e : postOrder(stmt.value)) {
        if (uses_[e] < 2 || isLeaf(e) || macros_.count(e)) continue;
        const std::string body = text(e, 0, true);
        const std::string name = fresh("t" + std::to_string(macros_.size()));
        macros_[e] = name + parameters(e);
        out += macros_[e] + " = " + body + "\n";
      }
      out += left(stmt) + " = " + text(stmt.value, 0) + "\n";
    }
    return out;
  }

  std::string text(Expr e, int need, bool definition = false) {
    if (!definition) {
      if (const auto macro = macros_.find(e); macro != macros_.end()) return macro->second;
    }
    const auto [out, precedence] = render(e);
    return precedence < need ? "(" + out + ")" : out;
  }

 private:
  // Counts the places that mention a node; a node mentioned twice is expanded once.
  void countUses(const Spec& spec) {
    std::set<Expr> seen;
    for (const Stmt& stmt : spec.stmts) {
      ++uses_[stmt.value];
      for (Expr e : postOrder(stmt.value)) {
        if (!seen.insert(e).second) continue;
        for (Expr arg : e->args) ++uses_[arg];
      }
    }
  }

  std::string fresh(std::string name) const {
    while (taken_.count(name) || isReserved(name)) name += "_";
    return name;
  }

  std::string axisName(Axis axis) const {
    if (axis == 0) return fresh("i");
    if (axis == 1) return fresh("j");
    if (axis < kBoundAxis) return fresh("i" + std::to_string(axis));
    if (axis >= kTemporaryAxis) return fresh("a" + std::to_string(axis - kTemporaryAxis));
    const int height = axis - kBoundAxis;
    return fresh(height == 1 ? "k" : "k" + std::to_string(height));
  }

  std::string parameters(Expr e) const {
    std::string out;
    for (Axis axis = 0; axis < kAxisEnd; ++axis) {
      if (e->depends(axis)) out += (out.empty() ? "" : ", ") + axisName(axis);
    }
    return "(" + out + ")";
  }

  std::string left(const Stmt& stmt) const {
    bool plain = stmt.index.size() == stmt.domain.size();
    for (size_t i = 0; plain && i < stmt.index.size(); ++i) plain = stmt.index[i].plainAxis() == static_cast<Axis>(i);
    std::string domain, index;
    for (size_t i = 0; i < stmt.domain.size(); ++i) {
      domain += (i ? ", " : "") + axisName(static_cast<Axis>(i)) + " in " + stmt.domain[i].text();
    }
    for (size_t i = 0; i < stmt.index.size(); ++i) index += (i ? ", " : "") + affText(stmt.index[i]).first;
    return stmt.out + "[" + (plain ? domain : index + " : " + domain) + "]";
  }

  std::pair<std::string, int> affText(const Aff& aff) const {
    std::string out;
    for (const auto& [axis, factor] : aff.terms) {
      const int64_t magnitude = factor < 0 ? -factor : factor;
      out += out.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
      if (magnitude != 1) out += std::to_string(magnitude) + "*";
      out += axisName(axis);
    }
    const size_t terms = aff.terms.size() + aff.offset.terms().size();
    if (aff.terms.empty()) return {aff.offset.text(), sizePrecedence(aff.offset)};
    const std::string offset = aff.offset.text();
    if (offset[0] == '-') {
      out += " - " + offset.substr(1);
    } else if (offset != "0") {
      out += " + " + offset;
    }
    return {out, terms > 1 ? kAdd : (aff.terms[0].second == 1 ? kAtom : kMul)};
  }

  static int sizePrecedence(const SizeExpr& size) {
    if (size.terms().size() > 1) return kAdd;
    const std::string text = size.text();
    for (char c : text) {
      if (!isalnum(static_cast<unsigned char>(c)) && c != '_') return kAdd;
    }
    return kAtom;
  }

  std::string call(std::string_view name, Expr e) {
    std::string out(name);
    out += "(";
    for (size_t i = 0; i < e->args.size(); ++i) out += (i ? ", " : "") + text(e->args[i], 0);
    return out + ")";
  }

  std::string loadText(Expr e) {
    std::string out = e->name + "[";
    for (size_t i = 0; i < e->dims.size(); ++i) {
      const Dim& dim = e->dims[i];
      out += (i ? ", " : "") + (dim.arg >= 0 ? text(e->args[dim.arg], 0) : affText(dim.aff).first);
    }
    out += "]";
    return e->padded ? "pad(" + out + ", " + literalText(e->value, e->type) + ")" : out;
  }

  std::pair<std::string, int> render(Expr e) {
    switch (e->op) {
      case Op::Const: {
        const std::string out = literalText(e->value, e->type);
        return {out, out[0] == '-' ? kUnary : kAtom};
      }
      case Op::Param:
        return {e->name, kAtom};
      case Op::Size:
        return {e->size.text(), sizePrecedence(e->size)};
      case Op::Coord:
        return affText(e->coord());
      case Op::Load:
        return {loadText(e), kAtom};
      case Op::Bin:
        return binText(e);
      case Op::Un:
        if (e->un() == UnOp::Neg) return {"-" + text(e->args[0], kAtom), kUnary};
        return {call(unName(e->un()), e), kAtom};
      case Op::Cmp:
        return {text(e->args[0], kAdd) + " " + std::string(cmpSymbol(e->cmp())) + " " + text(e->args[1], kAdd), kCmp};
      case Op::Logic: {
        if (e->logic() == LogicOp::Not) return {"not " + text(e->args[0], kCmp), kNot};
        const int level = e->logic() == LogicOp::And ? kAnd : kOr;
        return {text(e->args[0], level) + (level == kAnd ? " and " : " or ") + text(e->args[1], level + 1), level};
      }
      case Op::Sel:
        return {call("where", e), kAtom};
      case Op::Cast:
        return {call(dtypeName(e->type), e), kAtom};
      case Op::Rec:
        return {"rec(" + axisName(e->axis) + ", " + call("", e).substr(1), kAtom};
      case Op::Red: {
        std::string out = std::string(redName(e->red())) + "(" + text(e->args[0], kOr + 1) + " for " +
                          axisName(e->axis) + " in " + e->size.text();
        if (e->mask()) out += " if " + text(e->mask(), 0);
        return {out + ")", kAtom};
      }
    }
    return {"?", kAtom};
  }

  std::pair<std::string, int> binText(Expr e) {
    const auto infix = [&](const char* symbol, int level) {
      return std::pair(text(e->args[0], level) + symbol + text(e->args[1], level + 1), level);
    };
    switch (e->bin()) {
      case BinOp::Add:
        return infix(" + ", kAdd);
      case BinOp::Sub:
        return infix(" - ", kAdd);
      case BinOp::Mul:
        return infix("*", kMul);
      case BinOp::Div:
        return infix("/", kMul);
      default:
        return {call(binName(e->bin()), e), kAtom};
    }
  }

  std::set<std::string> taken_;
  std::map<Expr, int> uses_;
  std::map<Expr, std::string> macros_;
};

}  // namespace

std::string printFormulas(const Spec& spec) { return Printer(spec).formulas(spec); }

std::string printExpr(const Spec& spec, Expr e) { return Printer(spec).text(e, 0); }

std::string printSpec(const Spec& spec) {
  std::string out;
  for (size_t i = 0; i < spec.sizes.size(); ++i) out += (i ? ", " : "sizes ") + spec.sizes[i];
  if (!spec.sizes.empty()) out += "\n";
  for (const SizeCondition& condition : spec.where) out += "where " + condition.text() + "\n";
  for (const Buffer& buffer : spec.buffers) {
    out += "buffer " + buffer.name + " " + std::string(dtypeName(buffer.type)) + "[";
    for (size_t i = 0; i < buffer.extents.size(); ++i) out += (i ? ", " : "") + buffer.extents[i].text();
    out += "] " + std::string(roleName(buffer.role)) + "\n";
  }
  for (const Scalar& scalar : spec.scalars) {
    out += "scalar " + scalar.name + " " + std::string(dtypeName(scalar.type)) + "\n";
  }
  return out + printFormulas(spec);
}

}  // namespace np::kernel_port::spec

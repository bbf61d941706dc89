// Walks a template with its entries, calling the Arena with the operations as they are in the template.
//
// A reduction's entries are its body's base plus, per level, strides and a count: the body is built with base +
// stride*axis. A count that depends on outer axes (a triangle) becomes the largest count and a mask. A load that leaves
// its buffer somewhere in its range is padded; whether that is what the kernel does is decided by the symbolic gate.
#include "kernel_port/lift/spec_builder.h"

#include <cmath>

#include "kernel_port/lift/recurrence_chain.h"

namespace np::kernel_port::lift {

using spec::Aff;
using spec::BinOp;
using spec::DType;
using spec::Expr;
using spec::SizeExpr;

namespace {
constexpr double kLargestFloat = 3.4028234663852886e38;
}

SpecBuilder::SpecBuilder(const launch::LaunchFile& file, const TemplateTable& table,
                         std::vector<spec::SizeValues> training, spec::Arena& arena)
    : file_(file), table_(table), training_(std::move(training)), arena_(arena) {}

Expr SpecBuilder::fail(std::string message) {
  if (failure_.empty()) failure_ = std::move(message);
  return arena_.constant(0);
}

Result<Expr> SpecBuilder::build(TemplateId id, const std::vector<Aff>& entries, const std::vector<SizeExpr>& domain,
                                DType result) {
  failure_.clear();
  ranges_.clear();
  for (size_t d = 0; d < domain.size(); ++d) ranges_.emplace_back(static_cast<spec::Axis>(d), domain[d]);
  outside_ = 0;
  Expr e = expr(id, entries);
  if (!failure_.empty()) return makeError("NPT2908", failure_);
  if (e->type != result) {
    bool read_back = e->op == spec::Op::Cast && e->args[0]->type == result;
    e = read_back ? e->args[0] : arena_.cast(result, e);
  }
  return e;
}

std::vector<Expr> SpecBuilder::kids(const Template& t, Entries entries) {
  std::vector<Expr> out;
  auto at = static_cast<size_t>(t.own);
  for (TemplateId kid : t.kids) {
    auto width = static_cast<size_t>(table_.at(kid).arity);
    out.push_back(expr(kid, entries.subspan(at, width)));
    at += width;
  }
  return out;
}

// Arithmetic is in f32: narrower floats are widened where they are read.
Expr SpecBuilder::readAs32(Expr e) {
  return spec::isFloat(e->type) && e->type != DType::F32 ? arena_.cast(DType::F32, e) : e;
}

Expr SpecBuilder::integerOf(Aff value) {
  if (!value.terms.empty()) return arena_.coord(std::move(value));
  if (auto number = value.offset.constant()) return arena_.constant(static_cast<double>(*number), DType::I32);
  return arena_.size(value.offset);
}

Expr SpecBuilder::asInteger(Expr e) {
  if (e->type == DType::Bool) return arena_.select(e, arena_.constant(1, DType::I32), arena_.constant(0, DType::I32));
  return e->type == DType::I32 ? e : arena_.cast(DType::I32, e);
}

Expr SpecBuilder::expr(TemplateId id, Entries entries) {
  const Template& t = table_.at(id);
  if (t.kind == Template::Kind::Reduction) return reduction(t, entries);
  if (t.kind == Template::Kind::Scaled)
    return arena_.bin(BinOp::Mul, arena_.constant(doubleOf(t.imm)), kids(t, entries)[0]);
  double outside = outside_;
  if (t.op != Op::MaxOf && t.op != Op::MinOf && t.op != Op::Input) outside_ = 0;
  Expr result = nullptr;
  auto args = [&] { return kids(t, entries); };
  auto binary = [&](BinOp op) {
    auto a = args();
    return arena_.bin(op, a[0], a[1]);
  };
  switch (t.op) {
    case Op::Const:
      result = arena_.constant(doubleOf(t.imm));
      break;
    case Op::Literal:
      result = integerOf(entries[0]);
      break;
    case Op::Param:
      if (t.aux == kStateParam) return state_ != nullptr ? state_ : fail("a state without its recurrence");
      result = arena_.param(file_.scalars[static_cast<size_t>(t.aux)].name);
      break;
    case Op::Input:
      result = readAs32(load(t, entries));
      break;
    case Op::Gather:
      result = readAs32(gather(t, entries));
      break;
    case Op::Add:
      result = binary(BinOp::Add);
      break;
    case Op::Sub:
      result = binary(BinOp::Sub);
      break;
    case Op::Mul: {
      auto a = args();
      bool negates = a[0]->op == spec::Op::Const && a[0]->value == -1;
      result = negates ? arena_.un(spec::UnOp::Neg, a[1]) : arena_.bin(BinOp::Mul, a[0], a[1]);
      break;
    }
    case Op::Div:
      result = binary(BinOp::Div);
      break;
    case Op::Recip:
      result = arena_.bin(BinOp::Div, arena_.constant(1), args()[0]);
      break;
    case Op::Call:
      result = arena_.un(static_cast<spec::UnOp>(t.aux), args()[0]);
      break;
    case Op::Call2:
      result = binary(static_cast<BinOp>(t.aux));
      break;
    case Op::Cast: {
      auto type = static_cast<DType>(t.aux);
      result = arena_.cast(DType::F32, arena_.cast(type, args()[0]));
      break;
    }
    case Op::Select: {
      auto a = args();
      if (a[1]->type != a[2]->type) a[1] = asInteger(a[1]), a[2] = asInteger(a[2]);
      result = arena_.select(a[0], a[1], a[2]);
      break;
    }
    case Op::FloatCompare: {
      auto a = args();
      result = arena_.cmp(static_cast<spec::CmpOp>(t.aux), a[0], a[1]);
      break;
    }
    case Op::IntCompare:
      result = intCompare(t, entries);
      break;
    case Op::Not:
      result = arena_.logic(spec::LogicOp::Not, args()[0]);
      break;
    case Op::And:
    case Op::Or: {
      auto a = args();
      result = arena_.logic(t.op == Op::And ? spec::LogicOp::And : spec::LogicOp::Or, a[0], a[1]);
      break;
    }
    case Op::Linear:
      result = linear(t, entries);
      break;
    case Op::IntOp: {
      auto a = args();
      result = arena_.bin(static_cast<BinOp>(t.aux), asInteger(a[0]), asInteger(a[1]));
      break;
    }
    case Op::ToFloat:
      result = arena_.cast(DType::F32, args()[0]);
      break;
    case Op::ToInt:
      result = arena_.cast(DType::I32, args()[0]);
      break;
    case Op::Sum:
      result = sum(t, entries);
      break;
    case Op::Product:
      result = product(t, entries);
      break;
    case Op::MaxOf:
    case Op::MinOf:
      result = extremum(t, entries);
      break;
    default:
      result = fail("an operation that a Spec cannot express");
      break;
  }
  outside_ = outside;
  return result;
}

bool SpecBuilder::leaves(const std::string& buffer, const std::vector<spec::Dim>& dims) {
  const launch::Buffer* b = file_.findBuffer(buffer);
  for (const spec::SizeValues& sizes : training_) {
    launch::Sizes named(sizes.begin(), sizes.end());
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d].arg >= 0) continue;
      int64_t low = dims[d].aff.offset.evaluate(sizes), high = low;
      for (auto [axis, factor] : dims[d].aff.terms) {
        for (const auto& [in_scope, range] : ranges_) {
          if (in_scope != axis) continue;
          int64_t reach = factor * (range.evaluate(sizes) - 1);
          (reach < 0 ? low : high) += reach;
        }
      }
      int64_t extent = 1;
      if (d < b->extent.size()) extent = launch::evaluate(b->extent[d], named).value();
      if (low < 0 || high >= extent) return true;
    }
  }
  return false;
}

Expr SpecBuilder::load(const Template& t, Entries entries) {
  const launch::Buffer& buffer = file_.buffers[static_cast<size_t>(t.aux)];
  auto type = *spec::dtypeFromName(launch::name(buffer.type));
  std::vector<spec::Dim> dims;
  for (const Aff& entry : entries) dims.push_back({entry});
  if (leaves(buffer.name, dims)) return arena_.paddedLoad(buffer.name, type, std::move(dims), {}, outside_);
  return arena_.load(buffer.name, type, std::move(dims));
}

Expr SpecBuilder::gather(const Template& t, Entries entries) {
  const launch::Buffer& buffer = file_.buffers[static_cast<size_t>(t.aux)];
  auto type = *spec::dtypeFromName(launch::name(buffer.type));
  std::vector<spec::Dim> dims;
  std::vector<Expr> args;
  size_t at = 0;
  for (TemplateId kid : t.kids) {
    const Template& k = table_.at(kid);
    Entries own = entries.subspan(at, static_cast<size_t>(k.arity));
    at += static_cast<size_t>(k.arity);
    if (k.op == Op::Linear && k.kids.empty()) {
      dims.push_back({own[0]});
    } else {
      dims.push_back({{}, static_cast<int>(args.size())});
      args.push_back(asInteger(expr(kid, own)));
    }
  }
  if (t.imm != 0) return arena_.paddedLoad(buffer.name, type, std::move(dims), std::move(args), 0);
  return arena_.load(buffer.name, type, std::move(dims), std::move(args));
}

// A reduction first, then the other terms in turn; terms that are subtracted come last.
Expr SpecBuilder::sum(const Template& t, Entries entries) {
  std::vector<std::pair<int, Expr>> plus, minus;
  size_t at = 0;
  for (TemplateId kid : t.kids) {
    const Template& k = table_.at(kid);
    Entries own = entries.subspan(at, static_cast<size_t>(k.arity));
    at += static_cast<size_t>(k.arity);
    bool reduces = k.kind == Template::Kind::Reduction;
    bool negated = k.kind != Template::Kind::Plain && doubleOf(k.imm) == -1;
    Expr e = negated && !reduces ? expr(k.kids[0], own) : expr(kid, own);
    (negated ? minus : plus).emplace_back(reduces ? 0 : 1, e);
  }
  double constant = doubleOf(t.imm);
  Expr total = nullptr;
  bool mixed = false, unsigned_sum = false;  // integers of several types
  for (const auto* side : {&plus, &minus})
    for (auto [rank, e] : *side) unsigned_sum |= e->type == DType::U32;
  for (const auto* side : {&plus, &minus})
    for (auto [rank, e] : *side)
      mixed |= !spec::isFloat(e->type) && !plus.empty() && e->type != plus.front().second->type;
  if (mixed)
    for (auto* side : {&plus, &minus})
      for (auto& [rank, e] : *side)
        if (!unsigned_sum || e->type != DType::U32)
          e = arena_.cast(unsigned_sum ? DType::U32 : DType::I32, asInteger(e));
  for (int order : {0, 1})
    for (auto [rank, e] : plus)
      if (rank == order) total = total == nullptr ? e : arena_.bin(BinOp::Add, total, e);
  if (total != nullptr && total->type == DType::Bool) total = asInteger(total);
  if (constant != 0 || total == nullptr) {
    Expr c = total != nullptr || constant != 0 || minus.empty() ? arena_.constant(constant) : nullptr;
    if (total != nullptr && total->type != DType::F32) c = arena_.constant(constant, total->type);
    total = total == nullptr ? c : arena_.bin(BinOp::Add, total, c);
  }
  for (auto [rank, e] : minus)
    total = total == nullptr ? arena_.un(spec::UnOp::Neg, e) : arena_.bin(BinOp::Sub, total, e);
  return total;
}

Expr SpecBuilder::extremum(const Template& t, Entries entries) {
  bool minimum = t.op == Op::MinOf;
  outside_ = minimum ? kLargestFloat : -kLargestFloat;
  Expr total = nullptr;
  for (Expr e : kids(t, entries))
    total = total == nullptr ? e : arena_.bin(minimum ? BinOp::Min : BinOp::Max, total, e);
  double bound = doubleOf(t.imm);
  if (std::isinf(bound) && (bound > 0) == minimum) return total;
  return arena_.bin(minimum ? BinOp::Min : BinOp::Max, total, arena_.constant(bound));
}

// Factors over divisors.
Expr SpecBuilder::product(const Template& t, Entries entries) {
  double factor = doubleOf(t.imm);
  Expr above = nullptr, below = nullptr;
  auto times = [this](Expr a, Expr b) { return a == nullptr ? b : arena_.bin(BinOp::Mul, a, b); };
  if (factor != 1 && factor != -1) above = arena_.constant(factor);
  auto at = static_cast<size_t>(t.own);
  for (TemplateId kid : t.kids) {
    const Template& k = table_.at(kid);
    Entries own = entries.subspan(at, static_cast<size_t>(k.arity));
    at += static_cast<size_t>(k.arity);
    if (k.op == Op::Recip && k.kind == Template::Kind::Plain)
      below = times(below, expr(k.kids[0], own));
    else
      above = times(above, expr(kid, own));
  }
  if (above == nullptr) above = arena_.constant(1);
  Expr result = below == nullptr ? above : arena_.bin(BinOp::Div, above, below);
  return factor == -1 ? arena_.un(spec::UnOp::Neg, result) : result;
}

SizeExpr SpecBuilder::largest(const Aff& aff) const {
  SizeExpr value = aff.offset;
  for (auto [axis, factor] : aff.terms)
    for (const auto& [in_scope, range] : ranges_)
      if (in_scope == axis && factor > 0) value = value + SizeExpr(factor) * (range - SizeExpr(1));
  return value;
}

Expr SpecBuilder::reduction(const Template& t, Entries entries) {
  auto width = static_cast<size_t>(table_.at(t.kids[0]).arity);
  auto levels = static_cast<size_t>(t.levels);
  std::vector<Aff> body(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(width));
  spec::Axis first_axis = next_axis_;
  size_t scope = ranges_.size();
  next_axis_ += static_cast<spec::Axis>(levels);
  if (next_axis_ >= spec::kAxisEnd) return fail("reductions nested too deeply");
  std::vector<SizeExpr> extents(levels);
  std::vector<Expr> masks(levels, nullptr);
  for (size_t l = levels; l-- > 0;) {  // outer first
    Entries level = entries.subspan(width + l * (width + 1), width + 1);
    auto axis = first_axis + static_cast<spec::Axis>(l);
    const Aff& count = level[width];
    extents[l] = largest(count);
    if (!count.terms.empty())
      masks[l] = arena_.cmp(spec::CmpOp::Lt, arena_.coord(Aff::axis(axis)), arena_.coord(count));
    for (size_t q = 0; q < width; ++q) {
      auto stride = level[q].offset.constant();
      if (!level[q].terms.empty() || !stride)
        return fail("a reduction moves through memory by a step that depends on the sizes or on the output's index");
      if (*stride != 0) body[q] = body[q] + Aff::axis(axis) * *stride;
    }
    ranges_.emplace_back(axis, extents[l]);
  }
  outside_ = t.op == Op::Sum ? 0 : t.op == Op::MaxOf ? -kLargestFloat : kLargestFloat;
  Expr value = expr(t.kids[0], body);
  if (t.op == Op::Sum && value->op == spec::Op::Sel && value->args[2]->op == spec::Op::Const &&
      value->args[2]->value == 0) {
    masks[0] = masks[0] == nullptr ? value->args[0] : arena_.logic(spec::LogicOp::And, masks[0], value->args[0]);
    value = value->args[1];
  }
  double factor = doubleOf(t.imm);
  if (t.op == Op::Sum && factor != 1 && factor != -1) value = arena_.bin(BinOp::Mul, arena_.constant(factor), value);
  if (value->type == DType::Bool) value = asInteger(value);
  auto op = t.op == Op::Sum ? spec::RedOp::Sum : t.op == Op::MaxOf ? spec::RedOp::Max : spec::RedOp::Min;
  for (size_t l = 0; l < levels; ++l)
    value = arena_.red(op, first_axis + static_cast<spec::Axis>(l), extents[l], value, masks[l]);
  next_axis_ = first_axis;
  ranges_.resize(scope, {0, 0});
  return value;
}

std::pair<Expr, Expr> SpecBuilder::sides(const Template& t, Entries entries) {
  Expr side[2] = {nullptr, nullptr};
  auto put = [&](int which, Expr e) {
    side[which] = side[which] == nullptr ? e : arena_.bin(BinOp::Add, side[which], e);
  };
  size_t at = 1 + t.kids.size();
  for (size_t i = 0; i < t.kids.size(); ++i) {
    auto width = static_cast<size_t>(table_.at(t.kids[i]).arity);
    Expr e = asInteger(expr(t.kids[i], entries.subspan(at, width)));
    at += width;
    auto factor = entries[1 + i].offset.constant();
    if (!entries[1 + i].terms.empty() || !factor) {
      put(0, arena_.bin(BinOp::Mul, integerOf(entries[1 + i]), e));
      continue;
    }
    int64_t size = *factor < 0 ? -*factor : *factor;
    if (size != 1) e = arena_.bin(BinOp::Mul, arena_.constant(static_cast<double>(size), DType::I32), e);
    put(*factor < 0 ? 1 : 0, e);
  }
  const Aff& constant = entries[0];
  auto number = constant.terms.empty() ? constant.offset.constant() : std::nullopt;
  if (!number || *number != 0) {
    bool moves = constant.terms.empty() ? constant.offset.evaluate(training_[0]) < 0 : constant.terms[0].second < 0;
    put(moves ? 1 : 0, integerOf(moves ? constant * -1 : constant));
  }
  for (Expr& e : side)
    if (e == nullptr) e = arena_.constant(0, DType::I32);
  return {side[0], side[1]};
}

Expr SpecBuilder::linear(const Template& t, Entries entries) {
  auto [plus, minus] = sides(t, entries);
  if (minus->op == spec::Op::Const && minus->value == 0) return plus;
  return arena_.bin(BinOp::Sub, plus, minus);
}

Expr SpecBuilder::intCompare(const Template& t, Entries entries) {
  const Template& l = table_.at(t.kids[0]);
  if (l.op != Op::Linear) return fail("a comparison of integers that a Spec cannot express");
  auto [left, right] = sides(l, entries);
  return arena_.cmp(static_cast<spec::CmpOp>(t.aux), left, right);
}

}  // namespace np::kernel_port::lift

// Evaluates Spec nodes symbolically: the same walk as a numeric evaluator, with dag nodes for numbers. It shares no
// code with the fit, so a wrong index, extent or pad in the Spec gives a different node.
#include "kernel_port/lift/instantiate.h"

#include <cmath>

namespace np::kernel_port::lift {

using spec::BinOp;
using spec::DType;
using spec::Expr;

size_t Instantiator::KeyHash::operator()(const std::vector<int64_t>& key) const {
  size_t h = key.size();
  for (int64_t k : key) h = (h ^ static_cast<size_t>(k)) * 0x9e3779b97f4a7c15ull + (h >> 29);
  return h;
}

Instantiator::Instantiator(const launch::LaunchFile& file, SizeRun& run) : file_(file), run_(run), dag_(run.dag) {
  for (const auto& [name, v] : run.plan.sizes) sizes_[name] = v;
}

NodeId Instantiator::fail(std::string message) {
  if (error_.empty()) error_ = std::move(message);
  return dag_.constant(0);
}

int64_t Instantiator::value(const spec::Aff& aff) const {
  int64_t v = aff.offset.evaluate(sizes_);
  for (auto [axis, factor] : aff.terms) v += factor * axes_[static_cast<size_t>(axis)];
  return v;
}

NodeId Instantiator::at(const spec::Stmt& stmt, const std::vector<int64_t>& point) {
  error_.clear();
  for (size_t d = 0; d < point.size(); ++d) axes_[d] = point[d];
  NodeId n = node(stmt.value);
  return error_.empty() ? n : 0;
}

NodeId Instantiator::node(Expr e) {
  bool shared = e->op == spec::Op::Red || e->op == spec::Op::Rec;
  if (!shared) return compute(e);
  std::vector<int64_t> key{static_cast<int64_t>(e->id)};
  for (spec::Axis a = 0; a < spec::kAxisEnd; ++a)
    if (e->depends(a)) key.push_back(axes_[static_cast<size_t>(a)]);
  if (auto it = memo_.find(key); it != memo_.end()) return it->second;
  NodeId n = compute(e);
  memo_.emplace(std::move(key), n);
  return n;
}

NodeId Instantiator::compute(Expr e) {
  bool is_float = spec::isFloat(e->type);
  switch (e->op) {
    case spec::Op::Const:
      if (is_float) return dag_.constant(e->value);
      return e->type == DType::Bool ? dag_.constant(e->value) : dag_.literal(static_cast<int64_t>(e->value));
    case spec::Op::Param:
      for (size_t i = 0; i < file_.scalars.size(); ++i)
        if (file_.scalars[i].name == e->name && run_.scalars[i] != 0) return run_.scalars[i];
      return fail("no scalar \"" + e->name + "\"");
    case spec::Op::Size:
      return dag_.literal(e->size.evaluate(sizes_));
    case spec::Op::Coord:
      return dag_.literal(value(e->coord()));
    case spec::Op::Load:
      return load(e);
    case spec::Op::Bin:
      return is_float ? binary(e) : integer(e);
    case spec::Op::Un: {
      NodeId a = node(e->args[0]);
      if (!is_float) return e->un() == spec::UnOp::Neg ? dag_.linear({{a, -1}}, 0) : fail("a function of integers");
      if (e->un() == spec::UnOp::Neg) return dag_.neg(a);
      return e->un() == spec::UnOp::Square ? dag_.mul(a, a) : dag_.call(e->un(), a);
    }
    case spec::Op::Cmp: {
      NodeId a = node(e->args[0]), b = node(e->args[1]);
      if (spec::isFloat(e->args[0]->type)) return dag_.floatCompare(e->cmp(), a, b);
      return dag_.intCompare(e->cmp(), dag_.linear({{a, 1}, {b, -1}}, 0));
    }
    case spec::Op::Logic: {
      NodeId a = node(e->args[0]);
      if (e->logic() == spec::LogicOp::Not) return dag_.logicNot(a);
      return dag_.logic(e->logic() == spec::LogicOp::Or, a, node(e->args[1]));
    }
    case spec::Op::Sel: {
      NodeId c = node(e->args[0]);
      if (dag_.isConst(c)) return node(e->args[dag_.value(c) != 0 ? 1 : 2]);
      NodeId a = node(e->args[1]), b = node(e->args[2]);
      if (!is_float && e->type != DType::Bool) a = dag_.linear({{a, 1}}, 0), b = dag_.linear({{b, 1}}, 0);
      return dag_.select(c, a, b);
    }
    case spec::Op::Cast: {
      DType from = e->args[0]->type;
      NodeId a = node(e->args[0]);
      if (is_float && !spec::isFloat(from)) return dag_.toFloat(dag_.linear({{a, 1}}, 0));
      if (is_float) {
        bool narrows = e->type != DType::F64 && spec::dtypeBytes(e->type) < spec::dtypeBytes(from);
        return narrows ? dag_.cast(e->type, a) : a;
      }
      return spec::isFloat(from) ? dag_.toInt(a) : a;
    }
    case spec::Op::Red:
      return reduce(e);
    case spec::Op::Rec:
      return recur(e);
  }
  return fail("an unknown operation");
}

NodeId Instantiator::load(Expr e) {
  size_t buffer = 0;
  while (buffer < file_.buffers.size() && file_.buffers[buffer].name != e->name) ++buffer;
  if (buffer == file_.buffers.size()) return fail("no buffer \"" + e->name + "\"");
  const std::vector<int64_t>& extents = run_.extents[buffer];
  const std::vector<uint8_t>& data = run_.data[buffer];
  if (data.empty()) return fail("\"" + e->name + "\" has no value before the kernel");
  std::vector<NodeId> indices;
  int64_t element = 0;
  bool inside = true, symbolic = false;
  for (size_t d = 0; d < e->dims.size(); ++d) {
    NodeId n =
        e->dims[d].arg < 0 ? dag_.literal(value(e->dims[d].aff)) : node(e->args[static_cast<size_t>(e->dims[d].arg)]);
    NodeId index = dag_.linear({{n, 1}}, 0);
    symbolic |= dag_.node(index).count != 0;
    auto number = static_cast<int64_t>(dag_.value(index));
    inside &= number >= 0 && number < extents[d];
    element = element * extents[d] + number;
    indices.push_back(index);
  }
  if (!inside && e->padded && !symbolic) return dag_.constant(e->value);
  if (!inside && !(e->padded && symbolic)) return fail("an index leaves \"" + e->name + "\"");
  if (symbolic) foldUnitDimensions(dag_, extents, indices);
  launch::ElementType type = file_.buffers[buffer].type;
  double number = inside ? launch::loadElement(type, data.data() + element * launch::byteSize(type)) : 0;
  NodeId n = symbolic ? dag_.gather(static_cast<int32_t>(buffer), indices, number, e->padded)
                      : dag_.input(static_cast<int32_t>(buffer), element, number);
  return spec::isFloat(e->type) ? n : dag_.linear({{n, 1}}, 0);
}

NodeId Instantiator::binary(Expr e) {
  NodeId a = node(e->args[0]), b = node(e->args[1]);
  switch (e->bin()) {
    case BinOp::Add:
      return dag_.add(a, b);
    case BinOp::Sub:
      return dag_.sub(a, b);
    case BinOp::Mul:
      return dag_.mul(a, b);
    case BinOp::Div:
      return dag_.div(a, b);
    case BinOp::Max:
      return dag_.extremum(false, a, b);
    case BinOp::Min:
      return dag_.extremum(true, a, b);
    case BinOp::Pow:
    case BinOp::Atan2:
    case BinOp::Fmod:
      return dag_.call2(e->bin(), a, b);
    default:
      return fail("an integer operation on floats");
  }
}

NodeId Instantiator::integer(Expr e) {
  NodeId a = node(e->args[0]), b = node(e->args[1]);
  auto number = [this](NodeId n) { return static_cast<int64_t>(dag_.value(n)); };
  auto isNumber = [this](NodeId n) {
    return dag_.op(n) == Op::Literal || (dag_.op(n) == Op::Linear && dag_.node(n).count == 0);
  };
  int64_t x = number(a), y = number(b), v = 0;
  switch (e->bin()) {
    case BinOp::Add:
      return dag_.linear({{a, 1}, {b, 1}}, 0);
    case BinOp::Sub:
      return dag_.linear({{a, 1}, {b, -1}}, 0);
    case BinOp::Mul:
      if (isNumber(a)) return dag_.linear({{b, x}}, 0);
      if (isNumber(b)) return dag_.linear({{a, y}}, 0);
      v = x * y;
      break;
    case BinOp::IDiv:
      v = y == 0 ? 0 : x / y;
      break;
    case BinOp::IMod:
      v = y == 0 ? 0 : x % y;
      break;
    case BinOp::Max:
      v = x > y ? x : y;
      break;
    case BinOp::Min:
      v = x < y ? x : y;
      break;
    case BinOp::BitAnd:
      v = x & y;
      break;
    case BinOp::BitOr:
      v = x | y;
      break;
    case BinOp::BitXor:
      v = x ^ y;
      break;
    case BinOp::Shl:
      v = x << y;
      break;
    case BinOp::Shr:
      v = x >> y;
      break;
    default:
      return fail("a float operation on integers");
  }
  if (isNumber(a) && isNumber(b)) return dag_.literal(v);
  return dag_.linear({{dag_.intOp(e->bin(), dag_.linear({{a, 1}}, 0), dag_.linear({{b, 1}}, 0), v), 1}}, 0);
}

NodeId Instantiator::reduce(Expr e) {
  bool is_float = spec::isFloat(e->type);
  int64_t extent = e->size.evaluate(sizes_);
  int64_t outer = axes_[static_cast<size_t>(e->axis)];
  spec::RedOp op = e->red();
  NodeId total = 0;
  if (is_float) total = dag_.constant(op == spec::RedOp::Sum ? 0 : op == spec::RedOp::Max ? -INFINITY : INFINITY);
  std::vector<std::pair<NodeId, int64_t>> terms;
  for (int64_t k = 0; k < extent && error_.empty(); ++k) {
    axes_[static_cast<size_t>(e->axis)] = k;
    NodeId mask = e->mask() != nullptr ? node(e->mask()) : 0;
    if (mask != 0 && dag_.isConst(mask, 0)) continue;
    NodeId body = node(e->args[0]);
    if (!is_float) {
      if (op != spec::RedOp::Sum) return fail("a maximum of integers");
      body = dag_.linear({{body, 1}}, 0);
      if (mask != 0 && !dag_.isConst(mask)) body = dag_.select(mask, body, dag_.linear({}, 0));
      terms.emplace_back(body, 1);
    } else {
      if (mask != 0 && !dag_.isConst(mask)) {
        NodeId none = dag_.constant(op == spec::RedOp::Sum ? 0 : op == spec::RedOp::Max ? -INFINITY : INFINITY);
        body = dag_.select(mask, body, none);
      }
      total = op == spec::RedOp::Sum ? dag_.add(total, body) : dag_.extremum(op == spec::RedOp::Min, total, body);
    }
  }
  axes_[static_cast<size_t>(e->axis)] = outer;
  return is_float ? total : dag_.linear(std::move(terms), 0);
}

NodeId Instantiator::recur(Expr e) {
  int64_t last = axes_[static_cast<size_t>(e->axis)];
  NodeId h = node(e->args[2]);
  for (int64_t j = 0; j <= last; ++j) {
    axes_[static_cast<size_t>(e->axis)] = j;
    h = dag_.add(dag_.mul(node(e->args[0]), h), node(e->args[1]));
  }
  axes_[static_cast<size_t>(e->axis)] = last;
  return h;
}

}  // namespace np::kernel_port::lift

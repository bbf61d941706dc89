// Demand, memo and scopes of the generator.
//
// The key of a demand replaces every axis of the node by its role (partition, i-th free axis, neither) and its range,
// so exp(x[i, j] - m) over the output's axis and over a reduction's axis are one value if both run over the whole row,
// and p(i, j) and p(j, i) are two. Axes bound inside a node have no range and keep their number.
#include "kernel_port/schedule/generator.h"

#include <algorithm>
#include <memory>

namespace np::kernel_port::schedule {

using namespace spec;

Generator::Generator(const spec::Spec& spec, Facts& facts) : spec_(spec), arena_(*spec.arena), facts_(facts) {
  stack_.push_back(std::make_shared<Scope>());
  for (const char* word : {"nki", "nl", "nisa", "min", "max", "range", "float", "if", "for", "in", "is", "or", "and",
                           "not", "def", "as", "lambda"}) {
    taken_.insert(word);
  }
  for (const std::string& size : spec.sizes) taken_.insert(size);
  for (const Buffer& buffer : spec.buffers) taken_.insert(buffer.name), taken_.insert(buffer.name + "_out");
  for (const Scalar& scalar : spec.scalars) taken_.insert(scalar.name);
}

tile::Block Generator::take() {
  closeTo(1);
  return std::move(stack_.front()->block);
}

std::string Generator::fresh(const std::string& hint) {
  std::string name = hint;
  for (int n = 2; !taken_.insert(name).second; ++n) name = hint + std::to_string(n);
  return name;
}

SymInt Generator::let(const std::string& hint, const SymInt& value) {
  if (value.isConstant()) return value;
  const std::string name = fresh(hint);
  emit(tile::Let{name, value});
  return SymInt::symbol(name);
}

Range Generator::openLoop(const std::string& hint, const SymInt& extent, const SymInt& step) {
  auto scope = std::make_shared<Scope>();
  scope->loop.variable = fresh(hint);
  scope->loop.lower = 0;
  scope->loop.upper = extent;
  scope->loop.step = step;
  stack_.push_back(scope);
  const SymInt start = SymInt::symbol(scope->loop.variable);
  const SymInt size = step.isConstant(1) ? SymInt(1) : let(scope->loop.variable + "_n", minimum(step, extent - start));
  return {start, size, minimum(step, extent), extent, static_cast<int>(stack_.size()) - 1};
}

void Generator::closeTo(size_t depth) {
  while (stack_.size() > depth) {
    const auto scope = stack_.back();
    stack_.pop_back();
    scope->loop.body = std::move(scope->block);
    emit(std::move(scope->loop));
  }
}

bool Generator::dependsAny(Node e, const Axes& axes) const {
  return std::any_of(axes.begin(), axes.end(), [&](Axis axis) { return depends(e, axis); });
}

int Generator::levelOf(Node e, const Env& env) const {
  int level = 0;
  for (const auto& [axis, range] : env) {
    if (depends(e, axis)) level = std::max(level, range.level);
  }
  return level;
}

int Generator::nodeKey(Node e, Axis p, const Axes& fs, const Env& env, AxisSet hidden,
                       std::map<std::pair<Node, AxisSet>, int>& done) {
  const std::pair<Node, AxisSet> at(e, hidden & e->free);
  if (const auto found = done.find(at); found != done.end()) return found->second;
  const auto tag = [&](Axis axis) -> std::string {
    if (hidden & axisBit(axis)) return "#" + std::to_string(axis);
    const auto range = env.find(axis);
    std::string role = "-";
    if (axis == p) role = "P";
    for (size_t i = 0; i < fs.size(); ++i) {
      if (fs[i] == axis) role = "F" + std::to_string(i);
    }
    return range == env.end() ? role : role + range->second.start.text() + ":" + range->second.size.text();
  };
  std::string key = std::to_string(static_cast<int>(e->op)) + "," + std::to_string(static_cast<int>(e->type)) + "," +
                    std::to_string(e->code) + "," + e->name + "," + e->size.text();
  if (e->op == Op::Const) key += "," + std::to_string(e->id);
  const AxisSet inner = e->op == Op::Red ? hidden | axisBit(e->axis) : hidden;
  if (e->op == Op::Load) {
    const Access& access = accessOf(e);
    key += "@" + access.offset.text();
    std::vector<std::string> parts;
    for (const auto& [axis, stride] : access.strides) parts.push_back(tag(axis) + "*" + stride.text());
    std::sort(parts.begin(), parts.end());
    for (const std::string& part : parts) key += ";" + part;
    for (size_t d = 0; d < e->dims.size(); ++d)
      if (e->dims[d].arg >= 0) key += "%" + std::to_string(d);
    if (e->padded) {
      // Equal addresses may lie outside by different dimensions.
      key += "?" + std::to_string(arena_.constant(e->value, e->type)->id);
      for (const Aff& dim : access.dims) {
        key += "[" + dim.offset.text();
        for (const auto& [axis, factor] : dim.terms) key += ";" + tag(axis) + "*" + std::to_string(factor);
      }
    }
  }
  if (e->op == Op::Rec) key += "~" + tag(e->axis);
  if (e->op == Op::Coord) {
    key += "@" + e->coord().offset.text();
    for (const auto& [axis, factor] : e->coord().terms) key += ";" + tag(axis) + "*" + std::to_string(factor);
  }
  for (Node arg : e->args) key += "|" + std::to_string(nodeKey(arg, p, fs, env, inner, done));
  const int id = node_keys_.emplace(key, static_cast<int>(node_keys_.size())).first->second;
  done[at] = id;
  return id;
}

std::string Generator::demandKey(Node e, Axis p, const Axes& fs, const Env& env) {
  std::map<std::pair<Node, AxisSet>, int> done;
  std::string key = std::to_string(nodeKey(e, p, fs, env, 0, done));
  key += "/" + partitionsOf(e, p, env).text();
  for (Axis f : fs) key += depends(e, f) ? "/" + env.at(f).start.text() + ":" + env.at(f).size.text() : "/-";
  return key;
}

const Value* Generator::find(const std::string& key) const {
  for (auto scope = stack_.rbegin(); scope != stack_.rend(); ++scope) {
    if (const auto found = (*scope)->memo.find(key); found != (*scope)->memo.end()) return &found->second;
  }
  return nullptr;
}

Result<Value> Generator::need(Node e, Axis p, Axes fs, const Env& env) {
  if (const auto number = numberOf(e)) {
    Value out;
    out.number = *number;
    return out;
  }
  if (!dependsAny(e, fs)) fs.clear();
  const std::string key = demandKey(e, p, fs, env);
  if (const Value* known = find(key)) return *known;
  // Emit at the level of the node's own axes: the loops above that level stay open around it.
  auto inner = stack_;
  stack_.resize(static_cast<size_t>(levelOf(e, env)) + 1);
  auto made = gen(e, p, fs, env);
  if (made.ok()) remember(key, *made);
  stack_ = std::move(inner);
  return made;
}

Result<Value> Generator::gen(Node e, Axis p, const Axes& fs, const Env& env) {
  if (mustTranspose(e, p, fs)) return transpose(e, p, fs[0], env);
  switch (e->op) {
    case Op::Const:
      return makeError("SCHED-NODE", "a constant of this type has no immediate");
    case Op::Load:
      return genLoad(e, p, fs, env);
    case Op::Param:
      return genParam(e);
    case Op::Size:
    case Op::Coord:
      return genCoord(e, p, fs, env);
    case Op::Bin:
    case Op::Cmp:
      return genBinary(e, p, fs, env);
    case Op::Un:
      return genUnary(e, p, fs, env, nullptr);
    case Op::Logic:
      return genLogic(e, p, fs, env);
    case Op::Sel:
      return genSelect(e, p, fs, env);
    case Op::Cast:
      return genCast(e, p, fs, env);
    case Op::Red:
      return genReduction(e, p, fs, env);
    case Op::Rec:
      return genRecurrence(e, p, fs, env);
  }
}

void flattenProduct(Node e, std::vector<Node>& out) {
  if (e->op == Op::Bin && e->bin() == BinOp::Mul) {
    flattenProduct(e->args[0], out);
    flattenProduct(e->args[1], out);
  } else if (e->op == Op::Un && e->un() == UnOp::Square) {
    flattenProduct(e->args[0], out);
    flattenProduct(e->args[0], out);
  } else {
    out.push_back(e);
  }
}

Result<tile::Dtype> toTileDtype(DType type) {
  using tile::Dtype;
  switch (type) {
    case DType::F32:
      return Dtype::kF32;
    case DType::F16:
      return Dtype::kF16;
    case DType::Bf16:
      return Dtype::kBf16;
    case DType::I32:
      return Dtype::kI32;
    case DType::U32:
      return Dtype::kU32;
    case DType::I16:
      return Dtype::kI16;
    case DType::U16:
      return Dtype::kU16;
    case DType::I8:
      return Dtype::kI8;
    case DType::U8:
    case DType::Bool:
      return Dtype::kU8;
    default:
      return makeError("SCHED-TYPE", "\"" + std::string(dtypeName(type)) + "\" does not exist on a NeuronCore");
  }
}

}  // namespace np::kernel_port::schedule

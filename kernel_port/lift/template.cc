// From canonical nodes to (template, vector).
//
// The heart is computeSet: the terms of a sum (or maximum) are grouped by coefficient and template; a group of three or
// more whose vectors form a box becomes one Reduction. Smaller groups are taps, each with its own vector.
#include "kernel_port/lift/template.h"

#include <algorithm>
#include <tuple>

namespace np::kernel_port::lift {

namespace {
constexpr size_t kSmallestReduction = 3;
constexpr size_t kMostTaps = 16;
constexpr size_t kMostIntegers = 4000;  // a shared node is written out at each use, which can be exponential
// Four points whose box leans (up, left, right, down around a cell): four taps say more than two reductions of two.
bool leans(const Box& box) {
  if (box.levels.size() != 2) return false;
  for (const BoxLevel& level : box.levels) {
    if (level.count != 2) return false;
    bool up = false, down = false;
    for (int64_t s : level.stride) up |= s > 0, down |= s < 0;
    if (up && down) return true;
  }
  return false;
}
}  // namespace

TemplateId TemplateTable::intern(Template t) {
  std::vector<int64_t> key{
      static_cast<int64_t>(t.kind), static_cast<int64_t>(t.op), t.aux, t.imm, t.levels, t.own, t.huge ? 1 : 0};
  t.arity = t.own;
  for (TemplateId kid : t.kids) {
    key.push_back(kid);
    t.arity += at(kid).arity;
    t.ragged |= at(kid).ragged;
  }
  if (t.kind == Template::Kind::Reduction) {
    int32_t width = at(t.kids[0]).arity;
    t.arity = width + t.levels * (width + 1);
  }
  auto [it, inserted] = index_.emplace(std::move(key), static_cast<TemplateId>(templates_.size()));
  if (inserted) templates_.push_back(std::move(t));
  return it->second;
}

IntVector delinearise(int64_t element, const std::vector<int64_t>& extents) {
  IntVector index(extents.size());
  for (size_t d = extents.size(); d-- > 1;) {
    index[d] = element % extents[d];
    element /= extents[d];
  }
  if (!extents.empty()) index[0] = element;
  return index;
}

// What stands for a node that is too large, and for every node above it.
Instance Templater::huge() {
  Template t;
  t.huge = true;
  return {table_.intern(std::move(t)), {}};
}

const Instance& Templater::instance(NodeId canonical) {
  if (slot_.size() < dag_.size()) slot_.resize(dag_.size(), -1);
  if (slot_[canonical] >= 0) return instances_[static_cast<size_t>(slot_[canonical])];
  instances_.push_back(compute(canonical));
  slot_[canonical] = static_cast<int32_t>(instances_.size()) - 1;
  return instances_.back();
}

Instance Templater::plain(NodeId id, IntVector own) {
  const Node n = dag_.node(id);
  Template t;
  t.op = n.op;
  t.aux = n.aux;
  bool keep_imm = n.op == Op::Const || n.op == Op::Product || n.op == Op::Gather;
  t.imm = keep_imm ? n.imm : 0;
  t.own = static_cast<int32_t>(own.size());
  Instance result{-1, std::move(own)};
  for (uint32_t i = 0; i < n.count; ++i) {
    const Instance& kid = instance(dag_.arg(id, i));
    if (table_.at(kid.id).huge || result.vector.size() + kid.vector.size() > kMostIntegers) return huge();
    t.kids.push_back(kid.id);
    result.vector.insert(result.vector.end(), kid.vector.begin(), kid.vector.end());
  }
  result.id = table_.intern(std::move(t));
  return result;
}

Instance Templater::compute(NodeId id) {
  const Node& n = dag_.node(id);
  switch (n.op) {
    case Op::Literal:
      return plain(id, {n.imm});
    case Op::Input:
      return plain(id, delinearise(n.imm, extents_[static_cast<size_t>(n.aux)]));
    case Op::Linear: {
      IntVector own{n.imm};
      for (uint32_t i = 0; i < n.count; ++i) own.push_back(static_cast<int64_t>(dag_.coefficient(id, i)));
      return plain(id, std::move(own));
    }
    case Op::Sum:
    case Op::MaxOf:
    case Op::MinOf:
      return computeSet(id);
    default:
      return plain(id, {});
  }
}

// Which integers of a template are indices of buffers.
void Templater::markIndices(TemplateId id, size_t at, std::vector<bool>& marks) const {
  const Template& t = table_.at(id);
  if (t.kind == Template::Kind::Reduction) return markIndices(t.kids[0], at, marks);
  if (t.op == Op::Input && t.kind == Template::Kind::Plain)
    for (size_t i = 0; i < static_cast<size_t>(t.own); ++i) marks[at + i] = true;
  at += static_cast<size_t>(t.own);
  for (TemplateId kid : t.kids) {
    markIndices(kid, at, marks);
    at += static_cast<size_t>(table_.at(kid).arity);
  }
}

// A level that walks backwards through memory, for the sake of a number in a comparison, is turned round.
void Templater::walkForwards(TemplateId kid, Box& box) const {
  std::vector<bool> marks(box.base.size(), false);
  markIndices(kid, 0, marks);
  for (BoxLevel& level : box.levels) {
    int64_t total = 0;
    for (size_t i = 0; i < marks.size(); ++i) total += marks[i] ? level.stride[i] : 0;
    if (total >= 0) continue;
    for (size_t i = 0; i < marks.size(); ++i) {
      box.base[i] += level.stride[i] * (level.count - 1);
      level.stride[i] = -level.stride[i];
    }
  }
}

Instance Templater::computeSet(NodeId id) {
  const Node n = dag_.node(id);
  std::map<std::pair<TemplateId, int64_t>, std::vector<IntVector>> groups;
  for (uint32_t i = 0; i < n.count; ++i) {
    const Instance& term = instance(dag_.arg(id, i));
    if (table_.at(term.id).huge) return huge();
    int64_t coefficient = bitsOf(n.op == Op::Sum ? dag_.coefficient(id, i) : 1);
    groups[{term.id, coefficient}].push_back(term.vector);
  }
  Template t;
  t.op = n.op;
  t.imm = n.imm;
  std::vector<std::pair<TemplateId, IntVector>> parts;
  for (auto& [key, points] : groups) {
    auto [kid, coefficient] = key;
    Box box;
    if (points.size() >= kSmallestReduction && fitBox(points, box) && !leans(box)) {
      Template reduction{
          Template::Kind::Reduction, n.op, 0, coefficient, static_cast<int32_t>(box.levels.size()), 0, {kid}};
      walkForwards(kid, box);
      IntVector v = std::move(box.base);
      for (const BoxLevel& level : box.levels) {
        v.insert(v.end(), level.stride.begin(), level.stride.end());
        v.push_back(level.count);
      }
      parts.emplace_back(table_.intern(std::move(reduction)), std::move(v));
      continue;
    }
    if (points.size() > kMostTaps) t.ragged = true;
    std::sort(points.begin(), points.end());
    TemplateId tap = kid;
    if (doubleOf(coefficient) != 1) {
      Template scaled{Template::Kind::Scaled, Op::Sum, 0, coefficient, 0, 0, {kid}};
      tap = table_.intern(std::move(scaled));
    }
    for (IntVector& point : points) parts.emplace_back(tap, std::move(point));
  }
  std::sort(parts.begin(), parts.end());
  Instance result;
  for (auto& [part, v] : parts) {
    t.kids.push_back(part);
    result.vector.insert(result.vector.end(), v.begin(), v.end());
    if (result.vector.size() > kMostIntegers) return huge();
  }
  result.id = table_.intern(std::move(t));
  return result;
}

}  // namespace np::kernel_port::lift

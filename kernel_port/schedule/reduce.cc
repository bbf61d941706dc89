// Reductions along the free axis, over partitions, and of everything.
//
// A row that fits is one tensor_reduce, or rides along as the accumulator of the activation that makes it; longer rows
// go by chunks into an accumulator. A reduction of everything keeps one partial result per partition and folds the
// partitions at the end: a product with ones for sums, a transpose and a row reduction for maxima. Sums over what lies
// across partitions are contractions.
#include <limits>

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Function;
using tile::Memory;

namespace {

constexpr int64_t kChunk = 2048;

Function functionOf(RedOp op) {
  return op == RedOp::Sum ? Function::kAdd : (op == RedOp::Max ? Function::kMaximum : Function::kMinimum);
}

// The greatest finite value, not inf: inf is no literal of NKI.
double identityOf(RedOp op) {
  constexpr double kMax = std::numeric_limits<float>::max();
  return op == RedOp::Sum ? 0.0 : (op == RedOp::Max ? -kMax : kMax);
}

}  // namespace

// `e` with axes replaced, where `parts` says what an axis' stride becomes: the new loads keep what fusing and splitting
// made of the old ones.
Node Generator::renamed(Node e, const Substitution& map,
                        const std::map<Axis, std::vector<std::pair<Axis, SizeExpr>>>& parts) {
  Node out = arena_.substitute(e, map);
  for (Node node : postOrder(e)) {
    bool touched = false;
    for (const auto& [axis, to] : parts) touched = touched || depends(node, axis);
    if (!touched) continue;
    Node twin = arena_.substitute(node, map);
    if (const auto uses = uses_.find(node); uses != uses_.end()) uses_[twin] = uses->second;
    if (node->op != Op::Load) continue;
    Access access = accessOf(node);
    for (const auto& [axis, to] : parts) {
      const auto found = access.strides.find(axis);
      if (found == access.strides.end()) continue;
      const SizeExpr stride = found->second;
      access.strides.erase(found);
      for (const auto& [next, factor] : to) access.strides[next] = stride * factor;
      if (to.size() > 1) access.dims.clear();
    }
    for (Aff& dim : access.dims) {
      for (auto& [axis, factor] : dim.terms) {
        if (parts.count(axis)) axis = parts.at(axis)[0].first;
      }
    }
    accesses_[twin] = access;
  }
  return out;
}

Generator::Reduction Generator::open(Node e, const Env& env) {
  if (!env.count(e->axis)) return {e, e->axis, e->args[0]};
  Axis fresh_axis = kTemporaryAxis + 8;
  while (env.count(fresh_axis)) ++fresh_axis;
  NP_CHECK(fresh_axis < kAxisEnd);
  return {e, fresh_axis, renamed(e->args[0], {{e->axis, Aff::axis(fresh_axis)}}, {{e->axis, {{fresh_axis, 1}}}})};
}

Result<Value> Generator::genReduction(Node e, Axis p, const Axes& fs, const Env& env) {
  if (facts_.decide(toSymInt(e->size), 0)) {  // at these sizes nothing is reduced
    if (e->red() != RedOp::Sum) return makeError("SCHED-EMPTY", "a maximum or minimum of no elements has no value");
    Value none = allocateFor(e, p, fs, env);
    emit(tile::fill(tile::View(none.buffer), tile::Number(0.0)));
    return none;
  }
  const Reduction r = open(e, env);
  if (e->red() == RedOp::Sum && !fs.empty()) {
    if (const auto factors = factorsOf(r, p, fs)) return contract(r, *factors, p, fs, env);
  }
  if (fs.empty()) {
    if (freeOf(e) == 0) return scalarReduction(r, p, env);
    bool columns = !depends(e, p);
    for (Node node : postOrder(r.body)) {
      // Rows of memory lie along the partition axis: the reduced axis must come to the partitions.
      if (node->op == Op::Load && depends(node, r.axis) && depends(node, p)) {
        columns = columns || (accessOf(node).unit(p) && !accessOf(node).unit(r.axis));
      }
    }
    if (e->red() == RedOp::Sum && columns) {
      if (const auto factors = factorsOf(r, p, fs)) return contract(r, *factors, p, fs, env);
    }
  }
  return rowReduction(r, p, fs, env);
}

Result<Value> Generator::rowReduction(const Reduction& r, Axis p, const Axes& fs, const Env& env) {
  const Axis k = r.axis;
  Node e = r.node, body = r.body;
  const SymInt partitions = partitionsOf(e, p, env), extent = toSymInt(e->size);
  const Function op = functionOf(e->red());
  const auto most = mostElements(e, fs, env);
  if (!most) return makeError("SCHED-REDUCE-SHAPE", "a reduction beside a free axis of unbounded length");
  const int64_t others = *most;
  Axes inner = fs;
  inner.push_back(k);
  std::vector<bool> present = presence(e, fs);
  present.push_back(true);
  const bool rides = e->red() == RedOp::Sum && body->op == Op::Un && body->un() != UnOp::Neg && fs.empty();

  const auto reduceInto = [&](const Value& out, const Env& ranges) -> Result<void> {
    const std::string key = demandKey(body, p, inner, ranges);
    if (rides && !find(key) && !mustTranspose(body, p, inner)) {
      const tile::View sum(out.buffer);
      NP_ASSIGN(Value made, genUnary(body, p, inner, ranges, &sum));
      remember(key, made);
      return {};
    }
    NP_ASSIGN(Value data, need(body, p, inner, ranges));
    NP_ASSIGN(tile::View from, view(data, partitions, inner, present, ranges));
    emit(tile::tensorReduce(tile::View(out.buffer), op, from, {static_cast<int>(fs.size()) + 1}));
    return {};
  };

  Env ranges = env;
  if (facts_.decide(extent, std::max<int64_t>(1, row_limit_ / others))) {
    ranges[k] = whole(extent);
    Value out = allocateFor(e, p, fs, env);
    NP_TRY(reduceInto(out, ranges));
    return out;
  }
  Value out = allocateFor(e, p, fs, env);
  emit(tile::fill(tile::View(out.buffer), tile::Number(identityOf(e->red()))));
  const size_t depth = stack_.size();
  ranges[k] = openLoop("k", extent, std::max<int64_t>(1, kChunk / others));
  Value part = allocateFor(e, p, fs, env);
  NP_TRY(reduceInto(part, ranges));
  emit(tile::tensorTensor(tile::View(out.buffer), tile::View(out.buffer), tile::View(part.buffer), op));
  closeTo(depth);
  return out;
}

// One value for all: partial results per partition, then one fold.
Result<Value> Generator::scalarReduction(const Reduction& r, Axis p, const Env& env) {
  const Axis k = r.axis;
  Node e = r.node, body = r.body;
  const SymInt extent = toSymInt(e->size);
  const Function op = functionOf(e->red());
  Value acc = allocate("acc", 128, {}, {}, {});
  emit(tile::fill(tile::View(acc.buffer), tile::Number(identityOf(e->red()))));
  const auto accumulate = [&](const Value& part, const SymInt& rows) {
    emit(tile::tensorTensor(view(acc, rows), view(acc, rows), view(part, rows), op));
  };
  bool flat = true;
  for (Node node : postOrder(body)) {
    if (node->op == Op::Coord || node->op == Op::Red || node->op == Op::Rec) flat = flat && !depends(node, k);
    if (node->op == Op::Load && node->padded && node->dims.size() != 1) flat = flat && !depends(node, k);
    if (node->op == Op::Red && dependsAny(node->args[0], {k})) flat = false;
    if (node->op == Op::Load && depends(node, k)) flat = flat && accessOf(node).strides.size() == 1;
  }
  const size_t depth = stack_.size();
  Env ranges = env;
  if (!flat) {
    ranges[k] = openLoop("r", extent, 128);
    NP_ASSIGN(Value part, need(body, k, {}, ranges));
    NP_ASSIGN(part, column(part, ranges[k].size));
    accumulate(part, ranges[k].size);
    closeTo(depth);
    return foldPartitions(e->red(), acc, partitionsOf(e, p, env));
  }
  // k = width*row + column over whole rows, then over the tail as one row.
  const SymInt width = let("width", maximum(floorDiv(extent, 128), minimum(extent, 512)));
  const SymInt rows = let("rows", minimum(128, floorDiv(extent, width)));
  const Axis row = kTemporaryAxis, col = kTemporaryAxis + 1;
  const SizeExpr pitch = width.isConstant() ? SizeExpr(width.value()) : SizeExpr::name(width.name());
  body = renamed(body, {{k, Aff::axis(row) + Aff::axis(col)}}, {{k, {{row, pitch}, {col, 1}}}});
  const Range part_range = openLoop("g", 2, 1);
  const SymInt g = part_range.start;
  const SymInt count = let("g_rows", rows - (rows - 1) * g),
               length = let("g_width", width + (extent - rows * width - width) * g);
  ranges[row] = {rows * g, count, 128, 128, part_range.level};
  ranges[col] = openLoop("c", length, kChunk);
  NP_ASSIGN(Value data, need(body, row, {col}, ranges));
  Value part = allocate("part", count, {}, {}, {});
  NP_ASSIGN(tile::View from, view(data, count, {col}, {true}, ranges));
  emit(tile::tensorReduce(tile::View(part.buffer), op, from, {1}));
  accumulate(part, count);
  closeTo(depth);
  return foldPartitions(e->red(), acc, partitionsOf(e, p, env));
}

// The reduction of a [128, 1] column, on `partitions` partitions.
Result<Value> Generator::foldPartitions(RedOp op, const Value& column, const SymInt& partitions) {
  const Value one = ones();
  Value moving = column;
  SymInt k = 128;
  if (op != RedOp::Sum) {
    Value row = allocate("ps", 1, {}, {}, {}, tile::Dtype::kF32, Memory::kPsum);
    stack_.back()->block.pop_back();
    row.shape = {1, 128};
    emit(tile::Alloc{row.buffer, Memory::kPsum, tile::Dtype::kF32, row.shape, {}});
    emit(tile::ncTranspose(tile::View(row.buffer), tile::View(column.buffer)));
    moving = allocate("t", 1, {}, {}, {});
    emit(tile::tensorReduce(tile::View(moving.buffer), functionOf(op), tile::View(row.buffer), {1}));
    k = 1;
  }
  Value sum = allocate("ps", partitions, {}, {}, {}, tile::Dtype::kF32, Memory::kPsum);
  emit(tile::ncMatmul(tile::View(sum.buffer), tile::View(one.buffer, {{0, k}, {0, partitions}}),
                      tile::View(moving.buffer)));
  return toSbuf(sum);
}

}  // namespace np::kernel_port::schedule

// Which axis of a statement's domain goes to the partitions, which stay free, which only loop.
//
//   rows that carry statistics (one non-batch axis left by a reduction) go to the partitions: anything else would need
//   a
//     reduction across partitions
//   axes shared by both sides of a contraction are batches: loops
//   where the store's unit axis is not the load's, the load's goes to the partitions and TensorE transposes
//   otherwise the outermost axis, and at most three free axes (two beside a reduction, one beside a transpose)
#include <algorithm>

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;

namespace {

int count(AxisSet set) { return __builtin_popcountll(set); }

}  // namespace

AxisSet Generator::batchAxes(Node value) const {
  AxisSet out = 0;
  for (Node node : postOrder(value)) {
    if (node->op != Op::Red || node->red() != RedOp::Sum) continue;
    std::vector<Node> factors;
    flattenProduct(node->args[0], factors);
    std::vector<AxisSet> sets;
    AxisSet common = ~AxisSet{0};
    for (Node x : factors) {
      const AxisSet axes = freeOf(x) & ~axisBit(node->axis);
      if (!depends(x, node->axis) || axes == 0) continue;
      sets.push_back(axes);
      common &= axes;
    }
    if (sets.size() < 2) continue;
    // Two factors must have axes of their own, else it is a row reduction of a product.
    const auto own = std::count_if(sets.begin(), sets.end(), [&](AxisSet axes) { return (axes & ~common) != 0; });
    if (own >= 2) out |= common;
  }
  return out;
}

// Axes r of reductions inside `value` that leave exactly r: they want r on the partitions. A sum whose memory rows lie
// along r does not: it is a contraction with ones.
AxisSet Generator::statisticAxes(Node value) {
  if (const auto found = statistics_.find(value); found != statistics_.end()) return found->second;
  AxisSet out = 0;
  for (Node node : postOrder(value)) {
    if (node->op != Op::Red) continue;
    const AxisSet axes = freeOf(node) & ~batch_;
    if (count(axes) != 1) continue;
    bool across = node->red() == RedOp::Sum;
    for (Node load : postOrder(node->args[0])) {
      if (load->op != Op::Load || !depends(load, node->axis) || !(freeOf(load) & axes)) continue;
      bool unit = false;
      for (const auto& [axis, stride] : accessOf(load).strides)
        unit = unit || ((axisBit(axis) & axes) && stride == SizeExpr(1));
      across = across && unit;
    }
    if (!across) out |= axes;
  }
  statistics_[value] = out;
  return out;
}

Generator::Roles Generator::chooseRoles(const Root& root) {
  Roles out;
  Node e = root.value;
  batch_ = batchAxes(e);
  statistics_.clear();
  const AxisSet rows = statisticAxes(e);
  Axes names, candidates;
  for (const auto& [axis, extent] : root.axes) {
    names.push_back(axis);
    if (batch_ & axisBit(axis)) {
      out.loops.push_back(axis);
    } else {
      candidates.push_back(axis);
    }
  }
  Axis store_unit = kNoAxis;
  for (Axis axis : names) {
    if (root.store.unit(axis)) store_unit = axis;
  }
  if (const AxisSet scanned = scanAxes(e)) {
    // The scanned axis alone on the free side, another one on the partitions.
    for (auto axis = names.rbegin(); axis != names.rend(); ++axis) {
      if (scanned & axisBit(*axis)) {
        out.free.push_back(*axis);
      } else if (out.partition == kNoAxis && !(batch_ & axisBit(*axis))) {
        out.partition = *axis;
      } else if (!(batch_ & axisBit(*axis))) {
        out.loops.push_back(*axis);
      }
    }
    out.row_statistics = true;
    return out;
  }
  std::vector<Node> reductions, turned;
  for (Node node : postOrder(e)) {
    if (node->op == Op::Red) reductions.push_back(node);
    if (node->op != Op::Load || store_unit == kNoAxis || !depends(node, store_unit) || accessOf(node).unit(store_unit))
      continue;
    for (Axis axis : candidates) {
      if (accessOf(node).unit(axis)) turned.push_back(node);
    }
  }
  Axes statistic;
  for (Axis axis : candidates) {
    if (rows & axisBit(axis)) statistic.push_back(axis);
  }
  const bool turns = !turned.empty() && names.size() > 1 && reductions.empty();
  if (!statistic.empty() && !(statistic.size() == 1 && statistic[0] == store_unit && names.size() > 1)) {
    out.partition = statistic[0] == store_unit && statistic.size() > 1 ? statistic[1] : statistic[0];
  } else if (turns) {
    for (Axis axis : candidates) {
      if (accessOf(turned[0]).unit(axis)) out.partition = axis;
    }
  } else if (candidates.size() > 1) {
    out.partition = candidates[0];
  } else if (!candidates.empty()) {
    // One axis along memory under sums across it: keep it free, on one partition.
    bool columns = !reductions.empty() && store_unit == candidates[0];
    for (Node node : reductions)
      columns = columns && node->red() == RedOp::Sum &&
                (freeOf(node) == 0 || factorsOf({node, node->axis, node->args[0]}, kNoAxis, {candidates[0]}));
    if (!columns) out.partition = candidates[0];
  }
  for (Axis axis : candidates) {
    if (axis != out.partition) out.free.push_back(axis);
  }
  const size_t keep = turns ? 1 : (reductions.empty() ? 3 : 2);
  if (turns && out.free.size() > 1) {
    for (Axis axis : out.free) {
      if (axis != store_unit) out.loops.push_back(axis);
    }
    out.free = {store_unit};
  }
  while (out.free.size() > keep) {
    out.loops.push_back(out.free.front());
    out.free.erase(out.free.begin());
  }
  for (Node node : reductions) {
    const bool inside = dependsAny(node, out.free);
    const auto factors = inside ? factorsOf({node, node->axis, node->args[0]}, out.partition, out.free) : std::nullopt;
    out.contracts = out.contracts || factors.has_value();
    out.mixed = out.mixed || (inside && !factors && count(freeOf(node) & ~batch_) > 1);
    out.row_statistics = out.row_statistics || (!inside && depends(node, out.partition));
  }
  return out;
}

}  // namespace np::kernel_port::schedule

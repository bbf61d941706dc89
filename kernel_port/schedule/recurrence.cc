// Recurrences h(j) = factor*h(j - 1) + addend along the free axis: one tensor_tensor_scan a tile of rows.
//
// The scanned axis is bound as a whole and alone on the free side, so that no state crosses tiles. Product and sum
// round separately, as in the Spec. Rows beyond what fits, half types and states that start from a value of the scanned
// axis are refused.

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;

AxisSet Generator::scanAxes(Node value) const {
  AxisSet out = 0;
  for (Node node : postOrder(value)) {
    if (node->op == Op::Rec) out |= axisBit(node->axis);
  }
  return out;
}

Result<Value> Generator::genRecurrence(Node e, Axis p, const Axes& fs, const Env& env) {
  if (e->type != DType::F32) return makeError("SCHED-SCAN-TYPE", "a recurrence of another type than f32");
  if (fs.size() != 1 || fs[0] != e->axis || p == e->axis)
    return makeError("SCHED-SCAN-AXIS-NOT-FREE", "a recurrence beside another free axis, or along partitions");
  const Range& range = env.at(e->axis);
  if (!range.start.isConstant(0) || !(range.size == range.extent))
    return makeError("SCHED-SCAN-TOO-LONG", "a recurrence is longer than a row on chip");
  if (depends(e->args[2], e->axis)) return makeError("SCHED-SCAN", "a recurrence starts from a value of its own axis");
  const SymInt partitions = partitionsOf(e, p, env);
  NP_ASSIGN(Value factor, need(e->args[0], p, fs, env));
  NP_ASSIGN(factor, column(factor, partitions));
  NP_ASSIGN(Value addend, need(e->args[1], p, fs, env));
  NP_ASSIGN(addend, column(addend, partitions));
  NP_ASSIGN(Value initial, need(e->args[2], p, {}, env));
  if (factor.memory == tile::Memory::kPsum && addend.memory == tile::Memory::kPsum) addend = toSbuf(addend);
  Value out = allocateFor(e, p, fs, env);
  NP_ASSIGN(tile::View x, view(factor, partitions, fs, {true}, env));
  NP_ASSIGN(tile::View y, view(addend, partitions, fs, {true}, env));
  emit(tile::tensorTensorScan(tile::View(out.buffer), x, y, scalar(initial, partitions), tile::Function::kMultiply,
                              tile::Function::kAdd));
  return out;
}

}  // namespace np::kernel_port::schedule

// Loads with one index that is data.
//
// Where the index selects rows of the buffer and is the same along the free axes, one indirect DMA brings a row to each
// partition. Where it selects elements of a row that fits on chip, the row is loaded and nc_n_gather picks from it. An
// index outside the buffer is undefined in CUDA and an error here; a guarded load reads inside and is overwritten.
#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;

namespace {
constexpr int64_t kLongestRow = 8'192;  // elements of a row that is kept on chip to be picked from

// The index without a widening of integers.
Node indexOf(Node e) {
  Node index = e->args[0];
  const bool widened = index->op == Op::Cast && !isFloat(index->args[0]->type) && index->args[0]->type != DType::Bool &&
                       dtypeBytes(index->args[0]->type) < dtypeBytes(index->type);
  return widened ? index->args[0] : index;
}

}  // namespace

Result<Value> Generator::genGather(Node e, Axis p, const Axes& fs, const Env& env) {
  size_t dim = 0;
  while (dim < e->dims.size() && e->dims[dim].arg < 0) ++dim;
  if (e->padded) return makeError("SCHED-GATHER", "a guarded read of \"" + e->name + "\" at an index that is data");
  Node index = indexOf(e);
  if (index->op != Op::Load || !index->args.empty() || index->padded)
    return makeError("SCHED-GATHER", "\"" + e->name + "\" is read at an index that is computed from data");
  if (dim == 0 && depends(index, p) && !dependsAny(index, fs)) return gatherRows(e, dim, p, fs, env);
  if (dim + 1 == e->dims.size()) return gatherInRow(e, dim, p, fs, env);
  return makeError("SCHED-GATHER",
                   "\"" + e->name + "\" is read at data in a dimension that is neither rows nor elements");
}

// Row index[p] of the buffer, or a part of it, to partition p.
Result<Value> Generator::gatherRows(Node e, size_t /*dim*/, Axis p, const Axes& fs, const Env& env) {
  const Access& access = accessOf(e);
  if (access.strides.count(p) != 0)
    return makeError("SCHED-GATHER", "\"" + e->name + "\" moves along the rows that an index selects");
  NP_ASSIGN(const Dtype dtype, toTileDtype(e->type));
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  NP_ASSIGN(Value index, need(indexOf(e), p, {}, env));
  tile::View rows = hbmView(e->name, access, p, fs, partitions, present, env);
  if (rows.pattern.empty()) return makeError("SCHED-GATHER", "\"" + e->name + "\" has no rows to select");
  const Buffer& buffer = *spec_.buffer(e->name);
  SizeExpr pitch = 1;
  for (size_t d = 1; d < buffer.extents.size(); ++d) pitch = pitch * buffer.extents[d];
  rows.pattern[0].step = toSymInt(pitch);
  if (index.dtype != Dtype::kI32 && index.dtype != Dtype::kU32) index = copyAs(index, Dtype::kI32, partitions);
  rows.index = {view(index, partitions)};
  Value out = allocate(e->name + "_t", partitions, present, fs, env, dtype);
  emit(tile::dmaCopy(tile::View(out.buffer), rows));
  return out;
}

// Elements of the row that belongs to partition p.
Result<Value> Generator::gatherInRow(Node e, size_t dim, Axis p, const Axes& fs, const Env& env) {
  const Buffer& buffer = *spec_.buffer(e->name);
  const SymInt extent = toSymInt(buffer.extents[dim]);
  for (Axis f : fs)
    if (accessOf(e).strides.count(f) != 0)
      return makeError("SCHED-GATHER", "\"" + e->name + "\" is read at data in several rows at once");
  if (!facts_.decide(extent, std::min(kLongestRow, row_limit_)))
    return makeError("SCHED-GATHER", "a row of \"" + e->name + "\" to pick from is longer than what is kept on chip");
  Axis k = kTemporaryAxis + 8;
  while (env.count(k)) ++k;
  NP_CHECK(k < kAxisEnd);
  std::vector<Dim> dims = e->dims;
  dims[dim] = {Aff::axis(k)};
  Node row = arena_.load(e->name, e->type, dims);
  Access access = accessOf(e);
  access.strides[k] = 1;
  access.dims.clear();
  accesses_[row] = access;
  Env ranges = env;
  ranges[k] = whole(extent);
  const SymInt partitions = partitionsOf(e, p, env);
  NP_ASSIGN(Value data, need(row, p, {k}, ranges));
  NP_ASSIGN(Value index, need(indexOf(e), p, fs, env));
  Value picked = copyAs(index, Dtype::kU32, partitionsOf(indexOf(e), p, env));
  Value out = allocate("t", partitions, presence(e, fs), fs, env, data.dtype);
  emit(tile::ncNGather(tile::View(out.buffer), view(data, partitions), view(picked, partitions)));
  return out;
}

}  // namespace np::kernel_port::schedule

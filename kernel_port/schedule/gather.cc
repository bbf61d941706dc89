// Loads with one index that is data.
//
// Where the index selects rows of the buffer and is the same along the free axes, one indirect DMA brings a row to each
// partition. Where it selects elements of a row that fits on chip, the row is loaded and nc_n_gather picks from it. An
// index outside the buffer is undefined in CUDA and an error here; a guarded load reads inside and is overwritten.
#include <algorithm>

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
  if (e->padded && !guardsOnlyData(e, dim))
    return makeError("SCHED-GATHER", "a read of \"" + e->name + "\" that is guarded by more than its index of data");
  Node index = indexOf(e);
  if (index->op != Op::Load || !index->args.empty() || index->padded)
    return makeError("SCHED-GATHER", "\"" + e->name + "\" is read at an index that is computed from data");
  if (dim == 0 && depends(index, p) && !dependsAny(index, fs)) return gatherRows(e, dim, p, fs, env);
  if (dim + 1 == e->dims.size()) return gatherInRow(e, dim, p, fs, env);
  return makeError("SCHED-GATHER",
                   "\"" + e->name + "\" is read at data in a dimension that is neither rows nor elements");
}

// Whether the other dimensions are whole ranges of the buffer, so that only the index can leave it.
bool Generator::guardsOnlyData(Node e, size_t dim) const {
  const Buffer& buffer = *spec_.buffer(e->name);
  for (size_t d = 0; d < e->dims.size(); ++d) {
    const Aff& aff = e->dims[d].aff;
    if (d == dim) continue;
    if (!(aff.offset == SizeExpr(0)) || aff.terms.size() > 1) return false;
    if (aff.terms.empty()) continue;
    const auto extent = root_extents_.find(aff.terms[0].first);
    if (aff.terms[0].second != 1 || extent == root_extents_.end() || !(extent->second == buffer.extents[d]))
      return false;
  }
  return true;
}

Result<Generator::Clamped> Generator::clampIndex(Node e, size_t dim, const Value& index, const SymInt& partitions) {
  const SymInt extent = toSymInt(spec_.buffer(e->name)->extents[dim]);
  if (!facts_.decide(extent, 1 << 24))
    return makeError("SCHED-GATHER", "a guarded index into \"" + e->name + "\" may exceed 2^24");
  Clamped out;
  const Value number = copyAs(index, Dtype::kF32, partitions);  // beyond 2^24 rounded, and outside all the same
  out.index = copyAs(number, Dtype::kF32, partitions);
  emit(tile::tensorScalar(tile::View(out.index.buffer), tile::View(number.buffer), tile::Function::kMaximum,
                          tile::Number(0.0), false, tile::Function::kMinimum, tile::Number(1.0, extent - 1, 1)));
  out.inside = copyAs(number, Dtype::kU8, partitions);
  emit(tile::tensorTensor(tile::View(out.inside.buffer), tile::View(number.buffer), tile::View(out.index.buffer),
                          tile::Function::kEqual));
  return out;
}

Result<Value> Generator::whereInside(Node e, const Value& read, const Value& inside, Axis p, const Axes& fs,
                                     const Env& env) {
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  Value out = allocate("t", partitions, present, fs, env, read.dtype);
  emit(tile::fill(tile::View(out.buffer), tile::Number(e->value)));
  NP_ASSIGN(tile::View mask, view(inside, partitions, fs, present, env));
  emit(tile::tensorCopyPredicated(tile::View(out.buffer), tile::View(read.buffer), mask));
  return out;
}

// Row index[p] of the buffer, or a part of it, to partition p.
Result<Value> Generator::gatherRows(Node e, size_t dim, Axis p, const Axes& fs, const Env& env) {
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
  std::optional<Clamped> clamped;
  if (e->padded) {
    NP_ASSIGN(clamped, clampIndex(e, dim, index, partitions));
    index = clamped->index;
  }
  if (index.dtype != Dtype::kI32 && index.dtype != Dtype::kU32) index = copyAs(index, Dtype::kI32, partitions);
  rows.index = {view(index, partitions)};
  Value out = allocate(e->name + "_t", partitions, present, fs, env, dtype);
  emit(tile::dmaCopy(tile::View(out.buffer), rows));
  return clamped ? whereInside(e, out, clamped->inside, p, fs, env) : out;
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
  const SymInt indexed = partitionsOf(indexOf(e), p, env);
  std::optional<Clamped> clamped;
  if (e->padded) {
    NP_ASSIGN(clamped, clampIndex(e, dim, index, indexed));
    index = clamped->index;
  }
  const Value picked = copyAs(index, Dtype::kU32, indexed);
  Value out = allocate("t", partitions, presence(e, fs), fs, env, data.dtype);
  emit(tile::ncNGather(tile::View(out.buffer), view(data, partitions), view(picked, partitions)));
  return clamped ? whereInside(e, out, clamped->inside, p, fs, env) : out;
}

}  // namespace np::kernel_port::schedule

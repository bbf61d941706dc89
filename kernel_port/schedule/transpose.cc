// Layout conflicts: where the natural layout of a value has the demanded partition axis on the free side, it is made in
// its natural layout and turned on TensorE, 128 x 128 at a time, four blocks to a PSUM bank. A strided DMA would pay
// for every element as if it were 512 bytes.

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;
using tile::Memory;

bool Generator::mustTranspose(Node e, Axis p, const Axes& fs) {
  if (fs.size() != 1 || !depends(e, p) || !depends(e, fs[0]) || e->op == Op::Red) return false;
  if (e->op == Op::Load && !e->args.empty()) return false;  // its rows come in any order
  if (e->op == Op::Load) return accessOf(e).unit(p) && !accessOf(e).unit(fs[0]);
  const AxisSet rows = statisticAxes(e);
  return (rows & axisBit(fs[0])) && !(rows & axisBit(p));
}

Result<Value> Generator::transpose(Node e, Axis p, Axis f, const Env& env) {
  const Range rows = env.at(p), columns = env.at(f);
  Dtype dtype = Dtype::kF32;
  if (e->op == Op::Load) {
    NP_ASSIGN(dtype, toTileDtype(e->type));
    if (dtype != Dtype::kF32 && dtype != Dtype::kF16 && dtype != Dtype::kBf16) {
      return makeError("SCHED-TRANSPOSE-TYPE", "\"" + e->name + "\" of an integer type would have to be transposed");
    }
  } else if (e->type != DType::F32) {
    return makeError("SCHED-TRANSPOSE-TYPE", "a value of another type than f32 would have to be transposed");
  }
  Value out = allocate("t", rows.size, {true}, {f}, env, dtype);
  // One block of at most 128 columns into `target` columns of a PSUM tile.
  const auto turn = [&](const Env& ranges, const std::string& ps, const SymInt& at) -> Result<void> {
    const SymInt width = ranges.at(f).size;
    const tile::View target(ps, {{0, rows.size}, {at, width}});
    if (e->op != Op::Load) {
      // A whole row of it may be on chip already, for its statistics: turn a slice of that.
      Env row = ranges;
      row[p] = whole(rows.extent);
      const Value* known = find(demandKey(e, f, {p}, row));
      if (known && known->part.empty() && known->present == std::vector<bool>{true}) {
        const Value natural = toSbuf(*known);
        emit(tile::ncTranspose(target, tile::View(natural.buffer, {{0, width}, {rows.start, rows.size}})));
        return {};
      }
    }
    NP_ASSIGN(Value natural, need(e, f, {p}, ranges));
    natural = toSbuf(natural);
    emit(tile::ncTranspose(target, view(natural, width)));
    return {};
  };
  const auto most = upperBound(columns.maximum);
  const size_t depth = stack_.size();
  const std::string ps = fresh("ps");
  if (most && *most <= 128) {
    emit(tile::Alloc{ps, Memory::kPsum, dtype, {rows.size, columns.size}, {}});
    NP_TRY(turn(env, ps, 0));
    copy(tile::View(out.buffer), tile::View(ps));
    return out;
  }
  Env ranges = env;
  const Range bank = openLoop("q", columns.size, 512);
  emit(tile::Alloc{ps, Memory::kPsum, dtype, {rows.size, bank.size}, {}});
  const size_t inner = stack_.size();
  const Range block = openLoop("b", bank.size, 128);
  ranges[f] = {columns.start + bank.start + block.start, block.size, minimum(128, columns.maximum), columns.extent,
               block.level};
  NP_TRY(turn(ranges, ps, block.start));
  closeTo(inner);
  copy(tile::View(out.buffer, {{0, rows.size}, {bank.start, bank.size}}), tile::View(ps));
  closeTo(depth);
  return out;
}

}  // namespace np::kernel_port::schedule

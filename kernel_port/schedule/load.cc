// Loads from HBM and coordinates.
//
// A load is one DMA: the partition axis and each free axis contribute their stride, everything else an offset. A load
// that does not depend on the partition axis repeats along it with step 0. Where the access is exactly rows of the
// buffer the DMA names slices, which reads better; both forms are the same access.

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;

const Access& Generator::accessOf(Node load) {
  const auto found = accesses_.find(load);
  if (found != accesses_.end()) return found->second;
  return accesses_.emplace(load, makeAccess(*spec_.buffer(load->name), affineDims(load))).first->second;
}

tile::View Generator::hbmView(const std::string& tensor, const Access& access, Axis p, const Axes& fs,
                              const SymInt& partitions, const std::vector<bool>& present, const Env& env) const {
  // Slices: dimension 0 is the partition axis, the others are the free axes in order, all with step 1.
  bool rows = access.dims.size() == fs.size() + 1 && p != kNoAxis;
  for (size_t d = 0; rows && d < access.dims.size(); ++d) {
    const Aff& dim = access.dims[d];
    rows = dim.terms.size() == 1 && dim.terms[0].second == 1 && dim.terms[0].first == (d == 0 ? p : fs[d - 1]);
  }
  if (rows) {
    tile::View out(tensor);
    for (const Aff& dim : access.dims) {
      const Range& range = env.at(dim.terms[0].first);
      out.slices.push_back({toSymInt(dim.offset) + range.start, range.size});
    }
    return out;
  }
  SymInt offset = toSymInt(access.offset);
  for (const auto& [axis, stride] : access.strides) offset = offset + env.at(axis).start * toSymInt(stride);
  const auto step = [&](Axis axis) {
    const auto found = access.strides.find(axis);
    return found == access.strides.end() ? SymInt(0) : toSymInt(found->second);
  };
  std::vector<tile::ApDim> pattern{{p == kNoAxis ? SymInt(0) : step(p), partitions}};
  for (size_t i = 0; i < fs.size(); ++i)
    pattern.push_back({present[i] ? step(fs[i]) : SymInt(0), present[i] ? env.at(fs[i]).size : SymInt(1)});
  if (fs.empty()) pattern.push_back({1, 1});
  return tile::View::ap(tensor, pattern, offset);
}

Result<Value> Generator::genLoad(Node e, Axis p, const Axes& fs, const Env& env) {
  if (!e->args.empty()) return genGather(e, p, fs, env);
  NP_ASSIGN(const Dtype dtype, toTileDtype(e->type));
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  Value out = allocate(e->name + "_t", partitions, present, fs, env, dtype);
  if (e->padded) {
    NP_TRY(paddedInto(out, e, p, fs, partitions, present, env));
    return out;
  }
  emit(tile::dmaCopy(tile::View(out.buffer), hbmView(e->name, accessOf(e), p, fs, partitions, present, env)));
  return out;
}

// A scalar argument is a [1, 1] tensor: one column on all partitions, loaded once.
Value Generator::genParam(Node e) {
  Value out = allocate(e->name + "_t", 128, {}, {}, {});
  emit(tile::dmaCopy(tile::View(out.buffer), tile::View::ap(e->name, {{0, 128}, {1, 1}}, 0)));
  return out;
}

// Coordinates and sizes as fp32 tiles, exact below 2^24.
Result<Value> Generator::genCoord(Node e, Axis p, const Axes& fs, const Env& env) {
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  Value out = allocate("t", partitions, present, fs, env);
  const Aff aff = e->op == Op::Size ? Aff::constant(e->size) : e->coord();
  SymInt offset = toSymInt(aff.offset), greatest = 0;
  for (const auto& term : aff.offset.terms()) {
    SymInt magnitude = term.factor < 0 ? -term.factor : term.factor;
    for (const auto& atom : term.atoms) magnitude = magnitude * SymInt::symbol(atom->name);
    greatest = greatest + magnitude;
    for (const auto& atom : term.atoms) {
      if (!atom->args.empty()) return makeError("SCHED-COORD", "a divided size is used as a number");
    }
  }
  for (const auto& [axis, factor] : aff.terms) {
    offset = offset + env.at(axis).start * SymInt(factor);
    greatest = greatest + env.at(axis).extent * SymInt(factor < 0 ? -factor : factor);
  }
  if (!facts_.decide(greatest, 1 << 24))
    return makeError("SCHED-COORD", "an index is used as a number that may exceed 2^24");
  std::vector<tile::ApDim> pattern;
  for (size_t i = 0; i < fs.size(); ++i)
    pattern.push_back({aff.factor(fs[i]), present[i] ? env.at(fs[i]).size : SymInt(1)});
  if (fs.empty()) pattern.push_back({0, 1});
  emit(tile::iota(tile::View(out.buffer), pattern, offset, p == kNoAxis ? 0 : aff.factor(p)));
  return out;
}

}  // namespace np::kernel_port::schedule

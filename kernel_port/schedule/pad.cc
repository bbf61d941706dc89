// Padded loads: what lies outside the buffer reads as a given number.
//
// Where the whole tile is inside, the load is the ordinary DMA; the test is on numbers the trace knows. Otherwise the
// tile is filled with that number and a DMA brings the box that is inside: per dimension of the buffer one axis of the
// tile is cut at both ends. A one-dimensional buffer whose axis was split into rows has no such box; its rows are cut
// one by one, those between the first and the last together where they are inside. Nothing here depends on a fact: the
// clamps hold at every size. Two axes of a tile in one padded dimension, and steps backwards, are refused.

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Compare;

namespace {

SymInt notNegative(const SymInt& value) { return maximum(SymInt(0), value); }

}  // namespace

Result<void> Generator::paddedInto(const Value& out, Node e, Axis p, const Axes& fs, const SymInt& partitions,
                                   const std::vector<bool>& present, const Env& env) {
  const Access access = accessOf(e);
  if (access.dims.empty()) return paddedRows(out, e, p, fs, partitions, env);
  const tile::Instruction whole_load =
      tile::dmaCopy(tile::View(out.buffer), hbmView(e->name, access, p, fs, partitions, present, env));
  // What is left of each axis of the tile: [low, high) of 0 .. size.
  struct Cut {
    Axis axis;
    SymInt low, high, size;
  };
  std::vector<Cut> cuts;
  std::vector<tile::Condition> inside;
  const Buffer& buffer = *spec_.buffer(e->name);
  for (size_t d = 0; d < access.dims.size(); ++d) {
    SymInt base = toSymInt(access.dims[d].offset);
    Cut cut{kNoAxis, 0, 0, 1};
    int64_t step = 1;
    for (const auto& [axis, factor] : access.dims[d].terms) {
      base = base + env.at(axis).start * SymInt(factor);
      if (env.at(axis).size.isConstant(1)) continue;
      if (cut.axis != kNoAxis || factor < 1)
        return makeError("SCHED-PAD", "\"" + e->name + "\" is padded along two axes at once or read backwards");
      cut.axis = axis;
      cut.size = env.at(axis).size;
      step = factor;
    }
    base = let("at", base);
    const SymInt extent = toSymInt(buffer.extents[d]);
    if (cut.axis == kNoAxis) {
      inside.push_back({base, Compare::kGe, 0});
      inside.push_back({base, Compare::kLt, extent});
      continue;
    }
    cut.low = ceilDiv(notNegative(SymInt(0) - base), SymInt(step));
    cut.high = minimum(cut.size, ceilDiv(notNegative(extent - base), SymInt(step)));
    bool known = false;
    for (Cut& other : cuts) {
      if (other.axis != cut.axis) continue;
      other.low = maximum(other.low, cut.low);
      other.high = minimum(other.high, cut.high);
      known = true;
    }
    if (!known) cuts.push_back(cut);
  }
  std::vector<tile::Condition> full = inside;
  std::map<Axis, std::pair<SymInt, SymInt>> kept;  // start and number of elements
  for (Cut& cut : cuts) {
    const SymInt low = let("low", cut.low), count = let("count", cut.high - low);
    full.push_back({count, Compare::kEq, cut.size});
    inside.push_back({count, Compare::kGe, 1});
    kept.insert_or_assign(cut.axis, std::make_pair(low, count));
  }
  SymInt offset = toSymInt(access.offset);
  for (const auto& [axis, stride] : access.strides) {
    const auto found = kept.find(axis);
    const SymInt start = env.at(axis).start;
    offset = offset + (found == kept.end() ? start : start + found->second.first) * toSymInt(stride);
  }
  std::vector<tile::Slice> slices;
  std::vector<tile::ApDim> pattern;
  const auto dimension = [&](Axis axis, bool has, const SymInt& size) {
    const auto found = kept.find(axis);
    const bool cut = has && found != kept.end();
    const SymInt count = cut ? found->second.second : size;
    const auto stride = access.strides.find(axis);
    slices.push_back({cut ? found->second.first : SymInt(0), count});
    pattern.push_back({!has || stride == access.strides.end() ? SymInt(0) : toSymInt(stride->second), count});
  };
  dimension(p, p != kNoAxis, partitions);
  for (size_t i = 0; i < fs.size(); ++i) dimension(fs[i], present[i], present[i] ? env.at(fs[i]).size : SymInt(1));
  if (fs.empty()) {
    slices.push_back({0, 1});
    pattern.push_back({1, 1});
  }
  emit(tile::If{
      full,
      {whole_load},
      {tile::fill(tile::View(out.buffer), tile::Number(e->value)),
       tile::If{
           inside, {tile::dmaCopy(tile::View(out.buffer, slices), tile::View::ap(e->name, pattern, offset))}, {}}}});
  return {};
}

// Rows of a flat buffer: element (r, c) of the tile is buffer element base + r*pitch + c.
Result<void> Generator::paddedRows(const Value& out, Node e, Axis p, const Axes& fs, const SymInt& partitions,
                                   const Env& env) {
  const Access access = accessOf(e);
  const Buffer& buffer = *spec_.buffer(e->name);
  if (buffer.extents.size() != 1 || fs.size() != 1 || !access.unit(fs[0]) || !access.strides.count(p) ||
      access.strides.size() != 2)
    return makeError("SCHED-PAD", "\"" + e->name + "\" is padded along two axes at once");
  const SymInt pitch = toSymInt(access.strides.at(p)), width = env.at(fs[0]).size, extent = toSymInt(buffer.extents[0]);
  const SymInt base = let("at", toSymInt(access.offset) + env.at(p).start * pitch + env.at(fs[0]).start);
  const auto rows = [&](const SymInt& first, const SymInt& count, const SymInt& low, const SymInt& length) {
    return tile::dmaCopy(tile::View(out.buffer, {{first, count}, {low, length}}),
                         tile::View::ap(e->name, {{pitch, count}, {1, length}}, base + first * pitch + low));
  };
  // Row by row, every `step`-th: the last one is met where step divides partitions - 1.
  const auto eachRow = [&](const SymInt& step) {
    const std::string row = fresh("row"), low = fresh("low"), count = fresh("count");
    const SymInt start = base + SymInt::symbol(row) * pitch;
    tile::For loop{row, 0, partitions, step, {}};
    loop.body.push_back(tile::Let{low, notNegative(SymInt(0) - start)});
    loop.body.push_back(tile::Let{count, minimum(width, extent - start) - SymInt::symbol(low)});
    loop.body.push_back(tile::If{{{SymInt::symbol(count), Compare::kGe, 1}},
                                 {rows(SymInt::symbol(row), 1, SymInt::symbol(low), SymInt::symbol(count))},
                                 {}});
    return loop;
  };
  const SymInt last = partitions - 1;
  emit(tile::If{{{base, Compare::kGe, 0}, {base + last * pitch + width, Compare::kLe, extent}},
                {rows(0, partitions, 0, width)},
                {tile::fill(tile::View(out.buffer), tile::Number(e->value)),
                 tile::If{{{partitions, Compare::kGe, 3},
                           {base + pitch, Compare::kGe, 0},
                           {base + (last - 1) * pitch + width, Compare::kLe, extent}},
                          {rows(1, partitions - 2, 0, width), eachRow(last)},
                          {eachRow(1)}}}});
  return {};
}

}  // namespace np::kernel_port::schedule

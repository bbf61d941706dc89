// Sums of products over an axis that lies across partitions, on TensorE.
//
// The factors of sum(a*b*.. for k) split by the axes they see: those with the partition axis are stationary, those with
// a free axis moving, those with neither k nor those scale the result. With nothing stationary, ones are, and the
// result arrives on all partitions. k goes in blocks of 128 into one PSUM bank; an operand that is a plain load is kept
// on chip over the loops outside it where both fit, with its transposes done once.

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;
using tile::Memory;

namespace {

constexpr int64_t kBank = 512;  // fp32 elements of a PSUM bank and most moving columns

bool isHalf(Dtype dtype) { return dtype == Dtype::kF16 || dtype == Dtype::kBf16; }

}  // namespace

std::optional<Generator::Factors> Generator::factorsOf(const Reduction& r, Axis p, const Axes& fs) const {
  Node e = r.node;
  if (e->op != Op::Red || e->red() != RedOp::Sum || e->type != DType::F32) return std::nullopt;
  std::vector<Node> factors;
  flattenProduct(r.body, factors);
  Factors out;
  for (Node x : factors) {
    const bool in_p = depends(x, p), in_f = dependsAny(x, fs);
    if (in_p && in_f) return std::nullopt;
    if (!depends(x, r.axis) && !in_p && !in_f) {
      out.outside.push_back(x);
    } else {
      (in_f ? out.moving : out.stationary).push_back(x);
    }
  }
  if (!fs.empty() && out.moving.empty()) return std::nullopt;
  bool has_p = false;
  for (Node x : out.stationary) has_p = has_p || depends(x, p);
  if (!has_p) {
    // Nothing sees the partition axis: all factors move, ones stay.
    out.moving.insert(out.moving.end(), out.stationary.begin(), out.stationary.end());
    out.stationary.clear();
  }
  return out;
}

bool Generator::isPlainLoad(Node e) const {
  Node load = e->op == Op::Cast && e->type == DType::F32 ? e->args[0] : e;
  return load->op == Op::Load && !load->padded;
}

Result<Value> Generator::contractWide(Node e, Axis p, const Axes& fs, const Env& env) {
  if (fs.size() != 1)
    return makeError("SCHED-MM-WIDE-RANK", "a contraction with more than one free axis is wider than a PSUM bank");
  const Range& range = env.at(fs[0]);
  Value out = allocateFor(e, p, fs, env);
  const SymInt partitions = partitionsOf(e, p, env);
  const size_t depth = stack_.size();
  Env ranges = env;
  const Range chunk = openLoop("c", range.size, kBank);
  ranges[fs[0]] = {range.start + chunk.start, chunk.size, minimum(kBank, range.maximum), range.extent, chunk.level};
  NP_ASSIGN(Value part, need(e, p, fs, ranges));
  copy(tile::View(out.buffer, {{0, partitions}, {chunk.start, chunk.size}}), view(part, partitions));
  closeTo(depth);
  return out;
}

Result<Value> Generator::contract(const Reduction& r, const Factors& factors, Axis p, const Axes& fs, const Env& env) {
  Node e = r.node;
  const auto widest = mostElements(e, fs, env);
  if (!widest || *widest > kBank) return contractWide(e, p, fs, env);
  Axes moving_axes;
  for (Axis f : fs) {
    if (depends(e, f)) moving_axes.push_back(f);
  }
  const SymInt partitions = partitionsOf(e, p, env), extent = toSymInt(e->size);
  const bool has_p = !factors.stationary.empty();

  // Residency: both operands or none, one fact.
  const auto residentWidth = [&](const std::vector<Node>& xs, const Axes& axes, bool moving) -> SymInt {
    if (xs.size() != 1 || !isPlainLoad(xs[0]) || axes.size() != 1) return 0;
    const Access& access = accessOf(xs[0]->op == Op::Cast ? xs[0]->args[0] : xs[0]);
    const SymInt natural = access.unit(r.axis) ? 128 : 0;
    return (moving ? env.at(axes[0]).extent : SymInt(128)) + natural;
  };
  const SymInt width = residentWidth(factors.stationary, {p}, false) + residentWidth(factors.moving, moving_axes, true);
  bool loops_outside = false;  // something to keep operands over
  for (const auto& [axis, range] : env) loops_outside = loops_outside || range.level > 0;
  const bool resident =
      loops_outside && !width.isConstant(0) && facts_.decide(ceilDiv(extent, 128) * width, resident_columns_);

  Value acc = allocate("ps", partitions, presence(e, fs), fs, env, Dtype::kF32, Memory::kPsum);
  const size_t depth = stack_.size();
  Env ranges = env;
  std::optional<Value> stationary_tile, moving_tile;
  if (resident && has_p && factors.stationary.size() == 1 && isPlainLoad(factors.stationary[0])) {
    NP_ASSIGN(stationary_tile, residentOperand(factors.stationary[0], r.axis, p, env, extent));
  }
  if (resident && factors.moving.size() == 1 && moving_axes.size() == 1 && isPlainLoad(factors.moving[0])) {
    Env whole_range = env;
    const Range& f = env.at(moving_axes[0]);
    whole_range[moving_axes[0]] = {0, f.extent, f.extent, f.extent, 0};
    NP_ASSIGN(moving_tile, residentOperand(factors.moving[0], r.axis, moving_axes[0], whole_range, extent));
  }
  ranges[r.axis] = openLoop("k", extent, 128);
  const Range k = ranges[r.axis];
  const auto kept = [&](const Value& tile, const SymInt& start, const SymInt& size) {
    const SymInt pitch = tile.part[0].size;
    return tile::View(tile.buffer, {{0, k.size}, {floorDiv(k.start, 128) * pitch + start, size}});
  };
  NP_ASSIGN(Value a,
            operandValue(factors.stationary, r.axis, has_p ? Axes{p} : Axes{}, ranges, stationary_tile.has_value()));
  NP_ASSIGN(Value b, operandValue(factors.moving, r.axis, moving_axes, ranges, moving_tile.has_value()));
  if (!(isHalf(a.dtype) && a.dtype == b.dtype)) {
    // One operand fp32 makes both fp32.
    if (!stationary_tile && has_p && a.dtype != Dtype::kF32) a = copyAs(a, Dtype::kF32, k.size);
    if (!moving_tile && b.dtype != Dtype::kF32) b = copyAs(b, Dtype::kF32, k.size);
  }
  tile::View stationary, moving;
  if (!has_p) {
    stationary = tile::View(ones().buffer, {{0, k.size}, {0, partitions}});
  } else {
    stationary = stationary_tile ? kept(*stationary_tile, 0, partitions) : view(a, k.size);
  }
  if (moving_tile) {
    moving = kept(*moving_tile, env.at(moving_axes[0]).start, env.at(moving_axes[0]).size);
  } else if (factors.moving.empty()) {
    moving = tile::View(ones().buffer, {{0, k.size}, {0, 1}});
  } else {
    NP_ASSIGN(moving, view(b, k.size, moving_axes, std::vector<bool>(moving_axes.size(), true), ranges));
  }
  // The first block writes, the others add.
  const tile::Instruction first = tile::ncMatmul(tile::View(acc.buffer), stationary, moving);
  const auto most = upperBound(extent);
  if (most && *most <= 128) {
    emit(first);
  } else {
    emit(tile::If{{{k.start, tile::Compare::kEq, 0}},
                  {first},
                  {tile::ncMatmul(tile::View(acc.buffer), stationary, moving, true)}});
  }
  closeTo(depth);
  if (factors.outside.empty()) return fs.empty() ? toSbuf(acc) : acc;

  Node scale = nullptr;
  for (Node x : factors.outside) scale = scale ? arena_.bin(BinOp::Mul, scale, x) : x;
  NP_ASSIGN(Value factor, need(scale, p, {}, env));
  Value out = allocateFor(e, p, fs, env);
  emit(tile::tensorScalar(tile::View(out.buffer), tile::View(acc.buffer), tile::Function::kMultiply,
                          scalar(factor, partitions)));
  return out;
}

// The product of `factors` as a tile with k on the partitions; nothing if there are none or a resident tile stands for
// it.
Result<Value> Generator::operandValue(const std::vector<Node>& factors, Axis k, const Axes& fs, const Env& env,
                                      bool resident) {
  Value out;
  if (factors.empty() || resident) return out;
  Node product = nullptr;
  for (Node x : factors) product = product ? arena_.bin(BinOp::Mul, product, x) : x;
  NP_ASSIGN(out, need(product, k, fs, env));
  if (out.number) return column(out, env.at(k).size);
  return toSbuf(out);
}

// A load with k on the partitions for all of k: block b of 128 rows is at columns b*pitch .. of a [128, blocks*pitch]
// tile. `part[0].size` of the result is the pitch.
Result<Value> Generator::residentOperand(Node factor, Axis k, Axis f, const Env& env, const SymInt& extent) {
  Node load = factor->op == Op::Cast ? factor->args[0] : factor;
  Env ranges = env;
  ranges[k] = whole(extent);
  const std::string key = "resident:" + demandKey(load, k, {f}, ranges);
  if (const Value* known = find(key)) return *known;
  auto inner = stack_;
  stack_.resize(static_cast<size_t>(levelOf(load, ranges)) + 1);
  const auto made = [&]() -> Result<Value> {
    NP_ASSIGN(const Dtype type, toTileDtype(load->type));
    const Dtype dtype = isHalf(type) ? Dtype::kF32 : type;
    const Range range = ranges.at(f);
    const SymInt blocks = ceilDiv(extent, 128), pitch = range.size;
    Value out;
    out.buffer = fresh(load->name + "_k");
    out.shape = {128, blocks * pitch};
    out.part = {{0, pitch}};
    out.dtype = dtype;
    emit(tile::Alloc{out.buffer, Memory::kSbuf, dtype, out.shape, {}});
    const Access& access = accessOf(load);
    const bool natural = access.unit(k) && !access.unit(f);
    const size_t depth = stack_.size();
    Range block;
    if (!natural) {
      ranges[k] = openLoop("k", extent, 128);
      tile::View dst(out.buffer, {{0, ranges[k].size}, {floorDiv(ranges[k].start, 128) * pitch, pitch}});
      emit(tile::dmaCopy(dst, hbmView(load->name, access, k, {f}, ranges[k].size, {true}, ranges)));
      closeTo(depth);
      return out;
    }
    const auto most = upperBound(range.maximum);
    SymInt at = 0;
    if (!most || *most > 128) {
      const Range chunk = openLoop("f", range.size, 128);
      ranges[f] = {range.start + chunk.start, chunk.size, minimum(128, range.maximum), range.extent, chunk.level};
      at = chunk.start;
    }
    NP_ASSIGN(Value rows, need(load, f, {k}, ranges));
    const Range kb = openLoop("k", extent, 128);
    const SymInt width = ranges.at(f).size;
    const std::string ps = fresh("ps");
    emit(tile::Alloc{ps, Memory::kPsum, type, {kb.size, width}, {}});
    emit(tile::ncTranspose(tile::View(ps), tile::View(rows.buffer, {{0, width}, {kb.start, kb.size}})));
    copy(tile::View(out.buffer, {{0, kb.size}, {floorDiv(kb.start, 128) * pitch + at, width}}), tile::View(ps));
    closeTo(depth);
    return out;
  }();
  if (made.ok()) remember(key, *made);
  stack_ = std::move(inner);
  return made;
}

}  // namespace np::kernel_port::schedule

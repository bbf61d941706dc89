// Tiles and operands: allocation, views with broadcasts, columns as scalar operands, copies between memories and types.

#include <algorithm>

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;
using tile::Memory;

// A value that does not depend on the partition axis is made on as many partitions as that axis can ever have, so that
// every range of it can use a slice.
SymInt Generator::partitionsOf(Node e, Axis p, const Env& env) const {
  if (p == kNoAxis) return 1;
  return depends(e, p) ? env.at(p).size : env.at(p).maximum;
}

std::optional<int64_t> Generator::mostElements(Node e, const Axes& fs, const Env& env) const {
  int64_t product = 1, alone = 1;
  bool grouped = false, alone_bounded = true;
  for (Axis f : fs) {
    if (!depends(e, f)) continue;
    const Range& range = env.at(f);
    const auto most = facts_.most(range.maximum);
    if (most) {
      alone *= *most;
    } else {
      alone_bounded = false;
    }
    if (range.grouped) {
      grouped = true;
    } else if (most) {
      product *= *most;
    } else {
      return std::nullopt;
    }
  }
  if (grouped) product *= group_bound_;
  return alone_bounded ? std::min(product, alone) : product;
}

std::vector<bool> Generator::presence(Node e, const Axes& fs) const {
  std::vector<bool> out;
  for (Axis f : fs) out.push_back(depends(e, f));
  return out;
}

Value Generator::allocate(const std::string& hint, const SymInt& partitions, const std::vector<bool>& present,
                          const Axes& fs, const Env& env, Dtype dtype, Memory memory) {
  Value out;
  out.buffer = fresh(hint);
  out.shape = {partitions};
  for (size_t i = 0; i < fs.size(); ++i) out.shape.push_back(present[i] ? env.at(fs[i]).size : SymInt(1));
  if (fs.empty()) out.shape.push_back(1);
  out.present = present;
  out.memory = memory;
  out.dtype = dtype;
  emit(tile::Alloc{out.buffer, memory, dtype, out.shape, {}});
  return out;
}

Value Generator::allocateFor(Node e, Axis p, const Axes& fs, const Env& env) {
  Dtype dtype = Dtype::kF32;
  if (e->type == DType::Bool) dtype = Dtype::kU8;
  if (e->type == DType::F16) dtype = Dtype::kF16;
  if (e->type == DType::Bf16) dtype = Dtype::kBf16;
  return allocate("t", partitionsOf(e, p, env), presence(e, fs), fs, env, dtype);
}

tile::View Generator::view(const Value& value, const SymInt& partitions) const {
  if (!value.part.empty()) {
    auto part = value.part;
    part[0].size = partitions;
    return tile::View(value.buffer, part);
  }
  if (value.shape[0] == partitions) return tile::View(value.buffer);
  std::vector<tile::Slice> part{{0, partitions}};
  for (size_t d = 1; d < value.shape.size(); ++d) part.push_back({0, value.shape[d]});
  return tile::View(value.buffer, part);
}

Result<tile::View> Generator::view(const Value& value, const SymInt& partitions, const Axes& fs,
                                   const std::vector<bool>& present, const Env& env) const {
  tile::View out = view(value, partitions);
  const size_t dims = std::max<size_t>(1, fs.size());
  if (value.shape.size() != dims + 1)
    return makeError("SCHED-BROADCAST-RANK", "a column is used over more than one free axis as a tile");
  for (size_t i = 0; i < fs.size(); ++i) {
    const bool has = i < value.present.size() && value.present[i];
    if (present[i] && !has) out.broadcasts.push_back({static_cast<int>(i) + 1, env.at(fs[i]).size});
  }
  return out;
}

tile::Scalar Generator::scalar(const Value& value, const SymInt& partitions) {
  if (value.number) return *value.number;
  if (value.dtype == Dtype::kF32) return view(value, partitions);
  const Value converted = copyAs(value, Dtype::kF32, partitions);
  return view(converted, partitions);
}

Value Generator::copyAs(const Value& value, Dtype dtype, const SymInt& partitions) {
  Value out = value;
  out.buffer = fresh("t");
  out.shape = {partitions};
  for (size_t d = 1; d < value.shape.size(); ++d)
    out.shape.push_back(value.part.empty() ? value.shape[d] : value.part[d].size);
  out.part.clear();
  out.memory = Memory::kSbuf;
  out.dtype = dtype;
  emit(tile::Alloc{out.buffer, out.memory, dtype, out.shape, {}});
  copy(tile::View(out.buffer), view(value, partitions));
  return out;
}

Value Generator::toSbuf(const Value& value) {
  if (value.number || value.memory == Memory::kSbuf) return value;
  const std::string key = "sbuf:" + value.buffer;
  if (const Value* known = find(key)) return *known;
  Value out = copyAs(value, value.dtype, value.shape[0]);
  remember(key, out);
  return out;
}

// An immediate as a column: where an instruction needs a tile.
Result<Value> Generator::column(const Value& value, const SymInt& partitions) {
  if (!value.number) return value;
  Value out = allocate("c", partitions, {}, {}, {});
  emit(tile::fill(tile::View(out.buffer), *value.number));
  return out;
}

// A tile of ones for sums over partitions and broadcasts to them; made once, outside all loops.
Value Generator::ones() {
  if (const Value* known = find("ones")) return *known;
  auto inner = stack_;
  stack_.resize(1);
  Value out;
  out.buffer = fresh("ones");
  out.shape = {128, 128};
  out.present = {true};
  emit(tile::Alloc{out.buffer, Memory::kSbuf, Dtype::kF32, out.shape, {}});
  emit(tile::fill(tile::View(out.buffer), tile::Number(1.0)));
  remember("ones", out);
  stack_ = std::move(inner);
  return out;
}

// Constants, sizes as numbers, and their products and reciprocals: immediates that the trace computes.
std::optional<tile::Number> Generator::numberOf(Node e) const {
  if (!isFloat(e->type) && e->type != DType::Bool && e->op != Op::Const) return std::nullopt;
  if (e->op == Op::Const) return tile::Number(e->value);
  if (e->op == Op::Cast && e->args[0]->op == Op::Size) return tile::Number(1.0, toSymInt(e->args[0]->size), 1);
  if (e->op != Op::Bin || e->type != DType::F32 || (e->bin() != BinOp::Mul && e->bin() != BinOp::Div))
    return std::nullopt;
  auto a = numberOf(e->args[0]);
  auto b = numberOf(e->args[1]);
  if (!a || !b) return std::nullopt;
  if (e->bin() == BinOp::Mul)
    return tile::Number(a->scale * b->scale, a->numerator * b->numerator, a->denominator * b->denominator);
  return tile::Number(a->scale / b->scale, a->numerator * b->denominator, a->denominator * b->numerator);
}

}  // namespace np::kernel_port::schedule

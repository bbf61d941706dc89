// Arithmetic on shapes. Offsets are exact 64-bit numbers; who widens a value must see to it that the narrow one did not
// wrap (see shape_analysis).

#include "kernel_port/simt/fast/shape.h"

#include <algorithm>
#include <bit>

namespace np::kernel_port::fast {

Shape Shape::uniform(int lanes, int alignment) {
  return affine(std::vector<int64_t>(static_cast<size_t>(lanes), 0), alignment);
}

Shape Shape::varying(int lanes) {
  Shape out;
  out.lanes_ = lanes;
  return out;
}

Shape Shape::affine(std::vector<int64_t> offset, int alignment) {
  Shape out;
  out.lanes_ = static_cast<int>(offset.size());
  out.offset_ = std::move(offset);
  out.alignment_ = std::clamp(alignment, 0, kMaxAlignment);
  out.findStrides();
  return out;
}

void Shape::findStrides() {
  for (int level = 1; level <= kMaxLevel; ++level) {
    const int group = 1 << level;
    stride_[level].reset();
    if (group > lanes_) continue;
    const int64_t step = offset_[1] - offset_[0];
    bool regular = true;
    for (int lane = 0; lane < lanes_ && regular; ++lane)
      regular = offset_[lane] == offset_[lane / group * group] + step * (lane % group);
    if (regular) stride_[level] = step;
  }
}

bool Shape::isUniform() const {
  return hasBase() && std::all_of(offset_.begin(), offset_.end(), [](int64_t x) { return x == 0; });
}

bool Shape::isStrided() const {
  return !hasBase() && std::any_of(stride_.begin(), stride_.end(), [](const auto& x) { return x && *x != 0; });
}

bool Shape::insideAlignment(int width) const {
  if (!hasBase()) return false;
  const int64_t limit = int64_t{1} << std::min({alignment_, width - 1, 62});
  return std::all_of(offset_.begin(), offset_.end(), [&](int64_t x) { return x >= 0 && x < limit; });
}

Shape Shape::meet(const Shape& a, const Shape& b) {
  if (a.isUnknown()) return b;
  if (b.isUnknown()) return a;
  if (a.hasBase() && b.hasBase() && a.offset_ == b.offset_) {
    Shape out = a;
    out.alignment_ = std::min(a.alignment_, b.alignment_);
    return out;
  }
  Shape out = varying(a.lanes_);
  for (int level = 1; level <= kMaxLevel; ++level)
    if (a.stride_[level] && a.stride_[level] == b.stride_[level]) out.stride_[level] = a.stride_[level];
  return out;
}

Shape Shape::sum(const Shape& a, const Shape& b, int sign) {
  if (a.isUnknown() || b.isUnknown()) return unknown();
  if (a.hasBase() && b.hasBase()) {
    std::vector<int64_t> offset(a.offset_);
    for (int lane = 0; lane < a.lanes_; ++lane) offset[lane] += sign * b.offset_[lane];
    return affine(std::move(offset), std::min(a.alignment_, b.alignment_));
  }
  Shape out = varying(a.lanes_);
  for (int level = 1; level <= kMaxLevel; ++level)
    if (a.stride_[level] && b.stride_[level]) out.stride_[level] = *a.stride_[level] + sign * *b.stride_[level];
  return out;
}

Shape Shape::times(int64_t factor) const {
  if (isUnknown()) return *this;
  const bool sane = factor > -(int64_t{1} << 31) && factor < (int64_t{1} << 31);
  if (!sane) return same({*this}, lanes_);
  if (hasBase()) {
    std::vector<int64_t> offset(offset_);
    for (int64_t& x : offset) x *= factor;
    const int more = factor ? std::countr_zero(static_cast<uint64_t>(factor)) : kMaxAlignment;
    return affine(std::move(offset), alignment_ + more);
  }
  Shape out = *this;
  for (auto& step : out.stride_)
    if (step) step = *step * factor;
  return out;
}

Shape Shape::shiftedRight(int bits, int width) const {
  if (isUniform()) return uniform(lanes_, std::max(0, alignment_ - bits));
  if (!insideAlignment(width)) return unknown();
  if (bits >= alignment_) return uniform(lanes_, 0);
  std::vector<int64_t> offset(offset_);
  for (int64_t& x : offset) x >>= bits;
  return affine(std::move(offset), alignment_ - bits);
}

Shape Shape::masked(int64_t mask, int width) const {
  if (isUniform()) return uniform(lanes_, std::max(alignment_, mask ? std::countr_zero(static_cast<uint64_t>(mask)) : kMaxAlignment));
  if (!insideAlignment(width)) return unknown();
  std::vector<int64_t> offset(offset_);
  for (int64_t& x : offset) x &= mask;
  const bool low_only = mask >= 0 && mask < (int64_t{1} << std::min(alignment_, 40));
  return affine(std::move(offset), low_only ? kMaxAlignment : alignment_);
}

Shape Shape::truncated(int width) const {
  if (isUnknown() || width >= 64) return *this;
  const auto narrow = [&](int64_t x) { return static_cast<int64_t>(static_cast<uint64_t>(x) << (64 - width)) >> (64 - width); };
  if (hasBase()) {
    std::vector<int64_t> offset(offset_);
    for (int64_t& x : offset) x = narrow(x);
    return affine(std::move(offset), alignment_);
  }
  Shape out = *this;
  for (auto& step : out.stride_)
    if (step) step = narrow(*step);
  return out;
}

Shape Shape::same(const std::vector<Shape>& operands, int lanes) {
  bool all_uniform = true;
  for (const Shape& operand : operands) {
    if (operand.isUnknown()) return unknown();
    all_uniform &= operand.isUniform();
  }
  if (all_uniform) return uniform(lanes);
  Shape out = varying(lanes);
  for (int level = 1; level <= kMaxLevel; ++level) {
    const bool equal = (1 << level) <= lanes && std::all_of(operands.begin(), operands.end(), [&](const Shape& operand) {
      return operand.stride_[level] && *operand.stride_[level] == 0;
    });
    if (equal) out.stride_[level] = 0;
  }
  return out;
}

}  // namespace np::kernel_port::fast

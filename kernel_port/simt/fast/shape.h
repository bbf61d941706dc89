// What is known of a value over the lanes of a gang.
//
// Uniform: every lane has the same. Affine: lane l has base + offset[l], modulo the value's width, the base known at run
// time only and a multiple of 2^alignment. Strided: in every aligned group of 2^k lanes the value grows by stride[k] from
// lane to lane. Else varying. A shape holds for all lanes of a gang in which any lane is active, also for inactive ones.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace np::kernel_port::fast {

constexpr int kMaxLanes = 256, kMaxLevel = 8;
constexpr int kMaxAlignment = 60;  // of constants that are 0

class Shape {
 public:
  static Shape unknown() { return Shape(); }  // not computed yet: agrees with everything
  static Shape uniform(int lanes, int alignment = 0);
  static Shape varying(int lanes);
  static Shape affine(std::vector<int64_t> offset, int alignment);

  bool isUnknown() const { return lanes_ == 0; }
  bool hasBase() const { return !offset_.empty(); }  // uniform or affine
  bool isUniform() const;
  int alignment() const { return alignment_; }
  const std::vector<int64_t>& offset() const { return offset_; }
  std::optional<int64_t> stride(int level) const { return stride_[level]; }
  bool isStrided() const;  // some stride that is not 0, without a base

  // No lane's offset leaves the base's alignment: base + offset is base | offset.
  bool insideAlignment(int width) const;

  bool operator==(const Shape& other) const = default;

  static Shape meet(const Shape& a, const Shape& b);
  static Shape sum(const Shape& a, const Shape& b, int sign = 1);
  Shape times(int64_t factor) const;
  Shape shiftedRight(int bits, int width) const;  // unknown when nothing can be said
  Shape masked(int64_t mask, int width) const;    // likewise
  Shape truncated(int width) const;               // offsets as signed numbers of that width

  // The same operation on every lane: keeps what is equal within groups.
  static Shape same(const std::vector<Shape>& operands, int lanes);

 private:
  void findStrides();

  int lanes_ = 0, alignment_ = 0;
  std::vector<int64_t> offset_;
  std::array<std::optional<int64_t>, kMaxLevel + 1> stride_{};
};

}  // namespace np::kernel_port::fast

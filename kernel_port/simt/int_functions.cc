// LLVM's integer intrinsics on zero-extended operands of any width up to 64 bits.

#include <bit>

#include "kernel_port/simt/math_library.h"

namespace np::kernel_port::simt {
namespace {

uint64_t mask(uint64_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
int64_t extended(uint64_t value, uint64_t width) { return static_cast<int64_t>(value << (64 - width)) >> (64 - width); }
using Wide = __int128;

Wide exact(DeviceOp op, uint64_t a, uint64_t b, uint64_t width) {
  const bool is_signed = op == DeviceOp::SAddOverflow || op == DeviceOp::SSubOverflow || op == DeviceOp::SMulOverflow ||
                         op == DeviceOp::SAddSat || op == DeviceOp::SSubSat;
  const Wide x = is_signed ? Wide{extended(a, width)} : Wide{a}, y = is_signed ? Wide{extended(b, width)} : Wide{b};
  switch (op) {
    case DeviceOp::SAddOverflow:
    case DeviceOp::UAddOverflow:
    case DeviceOp::SAddSat:
    case DeviceOp::UAddSat:
      return x + y;
    case DeviceOp::SSubOverflow:
    case DeviceOp::USubOverflow:
    case DeviceOp::SSubSat:
    case DeviceOp::USubSat:
      return x - y;
    default:
      return static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y));
  }
}

template <DeviceOp kOp>
uint64_t wrapped(uint64_t a, uint64_t b, uint64_t, uint64_t width) {
  return static_cast<uint64_t>(exact(kOp, a, b, width)) & mask(width);
}

template <DeviceOp kOp, bool kSigned>
uint64_t overflows(uint64_t a, uint64_t b, uint64_t, uint64_t width) {
  if constexpr (kOp == DeviceOp::UMulOverflow)
    return static_cast<unsigned __int128>(a) * b > static_cast<unsigned __int128>(mask(width));
  const Wide value = exact(kOp, a, b, width);
  const Wide least = kSigned ? -(Wide{1} << (width - 1)) : Wide{0};
  const Wide greatest = kSigned ? (Wide{1} << (width - 1)) - 1 : Wide{mask(width)};
  return value < least || value > greatest;
}

template <DeviceOp kOp, bool kSigned>
uint64_t saturated(uint64_t a, uint64_t b, uint64_t, uint64_t width) {
  const Wide value = exact(kOp, a, b, width);
  const Wide least = kSigned ? -(Wide{1} << (width - 1)) : Wide{0};
  const Wide greatest = kSigned ? (Wide{1} << (width - 1)) - 1 : Wide{mask(width)};
  return static_cast<uint64_t>(value < least ? least : value > greatest ? greatest : value) & mask(width);
}

uint64_t popCount(uint64_t a, uint64_t, uint64_t, uint64_t) { return std::popcount(a); }
uint64_t leadingZeros(uint64_t a, uint64_t, uint64_t, uint64_t width) {
  return a == 0 ? width : std::countl_zero(a) - (64 - width);
}
uint64_t trailingZeros(uint64_t a, uint64_t, uint64_t, uint64_t width) { return a == 0 ? width : std::countr_zero(a); }
uint64_t bitReverse(uint64_t a, uint64_t, uint64_t, uint64_t width) {
  uint64_t out = 0;
  for (uint64_t k = 0; k < width; ++k) out |= (a >> k & 1) << (width - 1 - k);
  return out;
}
uint64_t byteSwap(uint64_t a, uint64_t, uint64_t, uint64_t width) { return __builtin_bswap64(a) >> (64 - width); }
uint64_t absolute(uint64_t a, uint64_t, uint64_t, uint64_t width) {
  return (extended(a, width) < 0 ? uint64_t{0} - a : a) & mask(width);
}
uint64_t sMin(uint64_t a, uint64_t b, uint64_t, uint64_t width) {
  return extended(a, width) < extended(b, width) ? a : b;
}
uint64_t sMax(uint64_t a, uint64_t b, uint64_t, uint64_t width) {
  return extended(a, width) > extended(b, width) ? a : b;
}
uint64_t uMin(uint64_t a, uint64_t b, uint64_t, uint64_t) { return a < b ? a : b; }
uint64_t uMax(uint64_t a, uint64_t b, uint64_t, uint64_t) { return a > b ? a : b; }
uint64_t funnelLeft(uint64_t a, uint64_t b, uint64_t by, uint64_t width) {
  by %= width;
  return (by == 0 ? a : (a << by) | (b >> (width - by))) & mask(width);
}
uint64_t funnelRight(uint64_t a, uint64_t b, uint64_t by, uint64_t width) {
  by %= width;
  return (by == 0 ? b : (b >> by) | (a << (width - by))) & mask(width);
}

}  // namespace

IntFunction intFunction(DeviceOp op) {
  switch (op) {
    case DeviceOp::PopCount:
      return popCount;
    case DeviceOp::LeadingZeros:
      return leadingZeros;
    case DeviceOp::TrailingZeros:
      return trailingZeros;
    case DeviceOp::BitReverse:
      return bitReverse;
    case DeviceOp::ByteSwap:
      return byteSwap;
    case DeviceOp::Abs:
      return absolute;
    case DeviceOp::SMin:
      return sMin;
    case DeviceOp::SMax:
      return sMax;
    case DeviceOp::UMin:
      return uMin;
    case DeviceOp::UMax:
      return uMax;
    case DeviceOp::FunnelLeft:
      return funnelLeft;
    case DeviceOp::FunnelRight:
      return funnelRight;
    case DeviceOp::SAddOverflow:
      return wrapped<DeviceOp::SAddOverflow>;
    case DeviceOp::UAddOverflow:
      return wrapped<DeviceOp::UAddOverflow>;
    case DeviceOp::SSubOverflow:
      return wrapped<DeviceOp::SSubOverflow>;
    case DeviceOp::USubOverflow:
      return wrapped<DeviceOp::USubOverflow>;
    case DeviceOp::SMulOverflow:
      return wrapped<DeviceOp::SMulOverflow>;
    case DeviceOp::UMulOverflow:
      return wrapped<DeviceOp::UMulOverflow>;
    case DeviceOp::SAddSat:
      return saturated<DeviceOp::SAddSat, true>;
    case DeviceOp::UAddSat:
      return saturated<DeviceOp::UAddSat, false>;
    case DeviceOp::SSubSat:
      return saturated<DeviceOp::SSubSat, true>;
    case DeviceOp::USubSat:
      return saturated<DeviceOp::USubSat, false>;
    default:
      return nullptr;
  }
}

IntFunction overflowFunction(DeviceOp op) {
  switch (op) {
    case DeviceOp::SAddOverflow:
      return overflows<DeviceOp::SAddOverflow, true>;
    case DeviceOp::UAddOverflow:
      return overflows<DeviceOp::UAddOverflow, false>;
    case DeviceOp::SSubOverflow:
      return overflows<DeviceOp::SSubOverflow, true>;
    case DeviceOp::USubOverflow:
      return overflows<DeviceOp::USubOverflow, false>;
    case DeviceOp::SMulOverflow:
      return overflows<DeviceOp::SMulOverflow, true>;
    case DeviceOp::UMulOverflow:
      return overflows<DeviceOp::UMulOverflow, false>;
    default:
      return nullptr;
  }
}

}  // namespace np::kernel_port::simt

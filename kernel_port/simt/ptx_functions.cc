// Each function follows the PTX ISA's pseudo code for its instruction.

#include "kernel_port/simt/ptx_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernel_port/launch/element_type.h"

namespace np::kernel_port::simt {
namespace {

// The selector's low four nibbles pick bytes of b:a; a nibble's top bit spreads the byte's sign instead.
uint64_t permute(uint64_t a, uint64_t b, uint64_t selector, uint64_t) {
  const uint64_t bytes = (b << 32) | (a & 0xffffffff);
  uint64_t out = 0;
  for (int k = 0; k < 4; ++k) {
    const uint64_t pick = selector >> (4 * k) & 15;
    uint64_t byte = bytes >> (8 * (pick & 7)) & 255;
    if (pick & 8) byte = byte & 128 ? 255 : 0;
    out |= byte << (8 * k);
  }
  return out;
}

template <int kBits, bool kSigned>
uint64_t extractField(uint64_t a, uint64_t position, uint64_t length, uint64_t) {
  position &= 255, length &= 255;
  const uint64_t top = kBits - 1;
  const bool sign = kSigned && length != 0 && (a >> std::min(position + length - 1, top) & 1);
  uint64_t out = 0;
  for (uint64_t k = 0; k < kBits; ++k) {
    const bool bit = k < length && position + k <= top ? a >> (position + k) & 1 : sign;
    out |= uint64_t{bit} << k;
  }
  return out;
}

template <int kBits>
uint64_t insertField(uint64_t from, uint64_t into, uint64_t position, uint64_t length) {
  position &= 255, length &= 255;
  for (uint64_t k = 0; k < length && position + k < kBits; ++k) {
    const uint64_t bit = uint64_t{1} << (position + k);
    into = (into & ~bit) | (from >> k & 1 ? bit : 0);
  }
  return into;
}

uint64_t threeInputLogic(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t out = 0;
  for (int k = 0; k < 32; ++k) {
    const uint64_t row = (a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1);
    out |= (table >> row & 1) << k;
  }
  return out;
}

template <bool kSignedA, bool kSignedB>
uint64_t dotBytes(uint64_t a, uint64_t b, uint64_t c, uint64_t) {
  auto sum = static_cast<uint32_t>(c);
  for (int k = 0; k < 4; ++k) {
    const auto x = static_cast<uint8_t>(a >> (8 * k)), y = static_cast<uint8_t>(b >> (8 * k));
    const int left = kSignedA ? static_cast<int8_t>(x) : x, right = kSignedB ? static_cast<int8_t>(y) : y;
    sum += static_cast<uint32_t>(left * right);
  }
  return sum;
}

template <int kBits, bool kSigned>
uint64_t findHighest(uint64_t a, uint64_t, uint64_t, uint64_t) {
  if (kSigned && (a >> (kBits - 1) & 1)) a = ~a & (kBits == 64 ? ~uint64_t{0} : 0xffffffffu);
  return a == 0 ? 0xffffffffu : static_cast<uint64_t>(63 - std::countl_zero(a));
}

uint64_t highSigned32(uint64_t a, uint64_t b, uint64_t, uint64_t) {
  const int64_t product = int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b);
  return static_cast<uint64_t>(product) >> 32;
}
uint64_t highUnsigned32(uint64_t a, uint64_t b, uint64_t, uint64_t) { return a * b >> 32; }
uint64_t highSigned64(uint64_t a, uint64_t b, uint64_t, uint64_t) {
  return static_cast<uint64_t>((static_cast<__int128>(static_cast<int64_t>(a)) * static_cast<int64_t>(b)) >> 64);
}
uint64_t highUnsigned64(uint64_t a, uint64_t b, uint64_t, uint64_t) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
}

uint64_t flushed(uint64_t a, uint64_t, uint64_t, uint64_t) { return a & 0x7f800000 ? a : a & 0x80000000; }

// To ten bits of mantissa, ties away from zero (cvt.rna).
uint64_t toTf32(uint64_t a, uint64_t, uint64_t, uint64_t) {
  if ((a & 0x7f800000) == 0x7f800000) return a;
  return ((a & 0xffffffff) + 0x1000) & 0xffffe000;
}

// To the nearest 8-bit float, ties to even, beyond the greatest to the greatest. A code counts steps from zero.
uint64_t fp8Code(float x, bool e5m2) {
  const int mantissa = e5m2 ? 2 : 3, least = e5m2 ? -14 : -6;
  const uint64_t greatest = e5m2 ? 0x7b : 0x7e;
  if (std::isnan(x)) return 0x7f;
  const double size = std::fabs(static_cast<double>(x));
  const uint64_t sign = std::signbit(x) ? 0x80 : 0;
  if (size >= 65536) return sign | greatest;
  const int exponent = size == 0 ? least : std::max(std::ilogb(size), least);
  const auto steps = static_cast<uint64_t>(std::nearbyint(std::ldexp(size, mantissa - exponent)));
  return sign | std::min(steps + (static_cast<uint64_t>(exponent - least) << mantissa), greatest);
}
template <bool kE5M2>
uint64_t toFp8Pair(uint64_t high, uint64_t low, uint64_t, uint64_t) {
  const auto code = [](uint64_t bits) { return fp8Code(std::bit_cast<float>(static_cast<uint32_t>(bits)), kE5M2); };
  return code(high) << 8 | code(low);
}
template <bool kE5M2>
uint64_t fromFp8Pair(uint64_t pair, uint64_t, uint64_t, uint64_t) {
  const uint64_t low = launch::halfBits(fp8Value(static_cast<uint8_t>(pair), kE5M2));
  return low | uint64_t{launch::halfBits(fp8Value(static_cast<uint8_t>(pair >> 8), kE5M2))} << 16;
}

template <class Byte>
uint64_t packBytes(uint64_t a, uint64_t b, uint64_t c, uint64_t) {
  const auto cut = [](uint64_t value) -> uint64_t {
    const int32_t whole = static_cast<int32_t>(static_cast<uint32_t>(value));
    using Limits = std::numeric_limits<Byte>;
    return static_cast<uint8_t>(std::clamp<int32_t>(whole, Limits::min(), Limits::max()));
  };
  return (c << 16 & 0xffff0000) | cut(a) << 8 | cut(b);
}

struct Row {
  std::string_view name;
  MathFunction function;
};
const Row kRows[] = {
    {"prmt", permute},
    {"bfe.u32", extractField<32, false>},
    {"bfe.s32", extractField<32, true>},
    {"bfe.u64", extractField<64, false>},
    {"bfe.s64", extractField<64, true>},
    {"bfi.b32", insertField<32>},
    {"bfi.b64", insertField<64>},
    {"lop3", threeInputLogic},
    {"dp4a.uu", dotBytes<false, false>},
    {"dp4a.us", dotBytes<false, true>},
    {"dp4a.su", dotBytes<true, false>},
    {"dp4a.ss", dotBytes<true, true>},
    {"bfind.u32", findHighest<32, false>},
    {"bfind.s32", findHighest<32, true>},
    {"bfind.u64", findHighest<64, false>},
    {"bfind.s64", findHighest<64, true>},
    {"mulhi.s32", highSigned32},
    {"mulhi.u32", highUnsigned32},
    {"mulhi.s64", highSigned64},
    {"mulhi.u64", highUnsigned64},
    {"ftz", flushed},
    {"tf32", toTf32},
    {"e4m3x2", toFp8Pair<false>},
    {"e5m2x2", toFp8Pair<true>},
    {"e4m3x2.half", fromFp8Pair<false>},
    {"e5m2x2.half", fromFp8Pair<true>},
    {"pack.s8", packBytes<int8_t>},
    {"pack.u8", packBytes<uint8_t>},
};

constexpr int kWindowShift = 20;
constexpr int64_t kWindowMiddle = int64_t{1} << (kWindowShift - 1);

}  // namespace

MathFunction ptxFunction(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return row.function;
  return nullptr;
}

double fp8Value(uint8_t code, bool e5m2) {
  const int mantissa = e5m2 ? 2 : 3, least = e5m2 ? -14 : -6, size = code & 0x7f;
  double value = 0;
  if (size == 0x7f || (e5m2 && size > 0x7c)) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (e5m2 && size == 0x7c) {
    value = std::numeric_limits<double>::infinity();
  } else {
    const int exponent = size >> mantissa, fraction = size & ((1 << mantissa) - 1);
    const int whole = exponent == 0 ? fraction : fraction | 1 << mantissa;
    value = std::ldexp(whole, std::max(exponent - 1, 0) + least - mantissa);
  }
  return code & 0x80 ? -value : value;
}

uint64_t sharedWindow(uint64_t address, uint64_t, uint64_t, uint64_t) {
  const uint64_t region = address >> kRegionShift;
  const auto offset = static_cast<int64_t>(address - regionBase(region));
  if (region == kNullRegion || region >= 4096 || offset < -kWindowMiddle || offset >= kWindowMiddle) return 0;
  return (region << kWindowShift) + static_cast<uint64_t>(kWindowMiddle + offset);
}

uint64_t fromSharedWindow(uint64_t window, uint64_t, uint64_t, uint64_t) {
  const uint64_t region = (window & 0xffffffff) >> kWindowShift;
  const auto offset = static_cast<int64_t>(window & ((uint64_t{1} << kWindowShift) - 1)) - kWindowMiddle;
  return region == 0 ? 0 : regionBase(region) + static_cast<uint64_t>(offset);
}

}  // namespace np::kernel_port::simt

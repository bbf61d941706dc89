// atomicrmw and cmpxchg. Blocks run one after another, so an atomic is a plain read-modify-write in the order of the
// schedule; whether that order matters shows under another RunOptions::order.

#include <bit>
#include <cmath>

#include "kernel_port/launch/element_type.h"
#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {
namespace {

int64_t extended(uint64_t value, uint32_t bytes) {
  const int shift = 64 - 8 * static_cast<int>(bytes);
  return static_cast<int64_t>(value << shift) >> shift;
}

double number(AtomicType type, uint64_t bits) {
  switch (type) {
    case AtomicType::F32:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case AtomicType::F16:
      return launch::halfValue(static_cast<uint16_t>(bits));
    case AtomicType::BF16:
      return launch::bfloatValue(static_cast<uint16_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

// Halves and bfloats are added in double and rounded to the format: as double has more than twice their digits plus
// two, this equals one rounding.
uint64_t floatResult(AtomicOp op, AtomicType type, uint64_t old, uint64_t value) {
  if (type == AtomicType::F16x2 || type == AtomicType::BF16x2) {  // each half by itself
    const AtomicType half = type == AtomicType::F16x2 ? AtomicType::F16 : AtomicType::BF16;
    return floatResult(op, half, old & 0xffff, value & 0xffff) | floatResult(op, half, old >> 16, value >> 16) << 16;
  }
  if (type == AtomicType::F32) {
    const float a = std::bit_cast<float>(static_cast<uint32_t>(old)),
                b = std::bit_cast<float>(static_cast<uint32_t>(value));
    const float out = op == AtomicOp::FAdd   ? a + b
                      : op == AtomicOp::FSub ? a - b
                      : op == AtomicOp::FMax ? std::fmax(a, b)
                                             : std::fmin(a, b);
    return std::bit_cast<uint32_t>(out);
  }
  const double a = number(type, old), b = number(type, value);
  const double out = op == AtomicOp::FAdd   ? a + b
                     : op == AtomicOp::FSub ? a - b
                     : op == AtomicOp::FMax ? std::fmax(a, b)
                                            : std::fmin(a, b);
  if (type == AtomicType::F16) return launch::halfBits(out);
  if (type == AtomicType::BF16) return launch::bfloatBits(out);
  return std::bit_cast<uint64_t>(out);
}

uint64_t integerResult(AtomicOp op, uint32_t bytes, uint64_t old, uint64_t value) {
  switch (op) {
    case AtomicOp::Exchange:
      return value;
    case AtomicOp::Add:
      return old + value;
    case AtomicOp::Sub:
      return old - value;
    case AtomicOp::And:
      return old & value;
    case AtomicOp::Nand:
      return ~(old & value);
    case AtomicOp::Or:
      return old | value;
    case AtomicOp::Xor:
      return old ^ value;
    case AtomicOp::SMax:
      return extended(old, bytes) > extended(value, bytes) ? old : value;
    case AtomicOp::SMin:
      return extended(old, bytes) < extended(value, bytes) ? old : value;
    case AtomicOp::UMax:
      return old > value ? old : value;
    case AtomicOp::UMin:
      return old < value ? old : value;
    case AtomicOp::UIncWrap:
      return old >= value ? 0 : old + 1;
    case AtomicOp::UDecWrap:
      return old == 0 || old > value ? value : old - 1;
    default:
      NP_CHECK(false);
  }
}

}  // namespace

void Machine::atomic(Thread& thread, const Instruction& instruction, uint64_t* r, uint32_t place) {
  const uint32_t size = instruction.width;
  uint8_t* at = atomicBytes(thread, r[instruction.a], size, place);
  if (!at) {
    r[instruction.dst] = 0;
    return;
  }
  uint64_t old = 0;
  std::memcpy(&old, at, size);
  const auto op = static_cast<AtomicOp>(instruction.flags);
  const auto type = static_cast<AtomicType>(instruction.x);
  const bool is_float = op >= AtomicOp::FAdd && op <= AtomicOp::FMin;
  const uint64_t value = r[instruction.b];
  const uint64_t result = is_float ? floatResult(op, type, old, value) : integerResult(op, size, old, value);
  std::memcpy(at, &result, size);
  r[instruction.dst] = old;
}

void Machine::compareExchange(Thread& thread, const Instruction& instruction, uint64_t* r, uint32_t place) {
  const uint32_t size = instruction.width;
  uint8_t* at = atomicBytes(thread, r[instruction.a], size, place);
  r[instruction.dst] = r[instruction.dst + 1] = 0;
  if (!at) return;
  uint64_t old = 0;
  std::memcpy(&old, at, size);
  const bool equal = old == r[instruction.b];
  if (equal) std::memcpy(at, &r[instruction.c], size);
  r[instruction.dst] = old;
  r[instruction.dst + 1] = equal;
}

}  // namespace np::kernel_port::simt

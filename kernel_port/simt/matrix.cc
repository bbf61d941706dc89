// The hardware's order and width of accumulation are not specified. Here every product is exact, the sum over K and the
// addend is formed in double and rounded once; TF32 factors lose their low 13 bits first. Integers are exact.
//
// Lane l = 4 * group + place. Register r of A holds row group + 8 * (r & 1) and the columns from
// place * packing + (r / 2) * 4 * packing on; register r of B the rows from place * packing + r * 4 * packing on of
// column group; element i of C is row group + 8 * (i / 2), column 2 * place + (i & 1).

#include "kernel_port/simt/matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "kernel_port/launch/element_type.h"
#include "kernel_port/simt/machine.h"
#include "kernel_port/simt/ptx_functions.h"

namespace np::kernel_port::simt {
namespace {

using Element = MatrixShape::Element;
using Sum = MatrixShape::Sum;

double elementOf(Element type, uint64_t word, uint32_t part) {
  switch (type) {
    case Element::F16:
      return launch::halfValue(static_cast<uint16_t>(word >> (16 * part)));
    case Element::BF16:
      return launch::bfloatValue(static_cast<uint16_t>(word >> (16 * part)));
    case Element::TF32:
      return std::bit_cast<float>(static_cast<uint32_t>(word) & 0xffffe000u);
    case Element::S8:
      return static_cast<int8_t>(word >> (8 * part));
    case Element::U8:
      return static_cast<uint8_t>(word >> (8 * part));
    default:
      return fp8Value(static_cast<uint8_t>(word >> (8 * part)), type == Element::E5M2);
  }
}

constexpr uint32_t kRows = 16, kColumns = 8, kMostDepth = 32;

}  // namespace

uint32_t MatrixShape::packed() const {
  return k | static_cast<uint32_t>(a) << 8 | static_cast<uint32_t>(b) << 12 | static_cast<uint32_t>(sum) << 16 |
         static_cast<uint32_t>(saturates) << 20;
}

MatrixShape MatrixShape::unpacked(uint32_t number) {
  return {static_cast<Element>(number >> 8 & 15), static_cast<Element>(number >> 12 & 15),
          static_cast<Sum>(number >> 16 & 15), (number >> 20 & 1) != 0, number & 255};
}

std::optional<MatrixShape> matrixShape(std::string_view shape, std::string_view d, std::string_view a,
                                       std::string_view b, std::string_view c, bool saturates) {
  static constexpr std::pair<std::string_view, Element> kElements[] = {
      {"f16", Element::F16}, {"bf16", Element::BF16}, {"tf32", Element::TF32}, {"s8", Element::S8},
      {"u8", Element::U8},   {"e4m3", Element::E4M3}, {"e5m2", Element::E5M2}};
  MatrixShape out;
  int found = 0;
  for (const auto& [name, element] : kElements) {
    if (name == a) out.a = element, ++found;
    if (name == b) out.b = element, ++found;
  }
  const bool integer = out.a == Element::S8 || out.a == Element::U8;
  const auto family = [](Element e) {  // types that may meet in one product
    return e == Element::S8 || e == Element::U8 ? 1 : e >= Element::E4M3 ? 2 : 3 + static_cast<int>(e);
  };
  if (found != 2 || d != c || family(out.a) != family(out.b)) return std::nullopt;
  if (d == "f32" && !integer) {
    out.sum = Sum::F32;
  } else if (d == "f16" && (out.a == Element::F16 || family(out.a) == 2)) {
    out.sum = Sum::F16;
  } else if (d == "s32" && integer) {
    out.sum = Sum::S32;
  } else {
    return std::nullopt;
  }
  if (saturates && !integer) return std::nullopt;
  out.saturates = saturates;
  const uint32_t deep = 8 * out.packing();  // the larger of the two depths of each type
  if (shape == "m16n8k" + std::to_string(deep)) {
    out.k = deep;
  } else if (shape == "m16n8k" + std::to_string(deep / 2)) {
    out.k = deep / 2;
  } else {
    return std::nullopt;
  }
  return out;
}

void Machine::multiplyMatrices(const std::vector<uint32_t>& lanes) {
  const Function& function = program_.functions[threads_[lanes[0]].function];
  const Instruction& at = function.code[threads_[lanes[0]].pc];
  const MatrixShape shape = MatrixShape::unpacked(at.x);
  const uint32_t packing = shape.packing(), step = 4 * packing;
  const uint32_t* operands = &function.operands[at.imm];
  std::array<std::array<double, kMostDepth>, kRows> a{};
  std::array<std::array<double, kColumns>, kMostDepth> b{};
  for (uint32_t index : lanes) {
    const uint64_t* r = threads_[index].registers;
    const uint32_t group = index % kWarpSize / 4, place = index % 4;
    for (uint32_t k = 0; k < shape.aRegisters(); ++k)
      for (uint32_t part = 0; part < packing; ++part)
        a[group + 8 * (k & 1)][place * packing + (k >> 1) * step + part] = elementOf(shape.a, r[operands[k]], part);
    for (uint32_t k = 0; k < shape.bRegisters(); ++k)
      for (uint32_t part = 0; part < packing; ++part)
        b[place * packing + k * step + part][group] = elementOf(shape.b, r[operands[shape.aRegisters() + k]], part);
  }
  const uint32_t first_c = shape.aRegisters() + shape.bRegisters();
  for (uint32_t index : lanes) {
    uint64_t* r = threads_[index].registers;
    const uint32_t group = index % kWarpSize / 4, place = index % 4;
    std::array<uint64_t, 4> out{};
    for (uint32_t k = 0; k < 4; ++k) {
      const uint32_t row = group + 8 * (k >> 1), column = 2 * place + (k & 1);
      const uint64_t addend = r[operands[first_c + (shape.sum == Sum::F16 ? k / 2 : k)]];
      if (shape.sum == Sum::S32) {
        int64_t sum = static_cast<int32_t>(static_cast<uint32_t>(addend));
        for (uint32_t depth = 0; depth < shape.k; ++depth)
          sum += static_cast<int64_t>(a[row][depth] * b[depth][column]);
        if (shape.saturates) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
        out[k] = static_cast<uint32_t>(sum);
        continue;
      }
      double sum = shape.sum == Sum::F16 ? launch::halfValue(static_cast<uint16_t>(addend >> (16 * (k & 1))))
                                         : std::bit_cast<float>(static_cast<uint32_t>(addend));
      for (uint32_t depth = 0; depth < shape.k; ++depth) sum += a[row][depth] * b[depth][column];
      if (shape.sum == Sum::F16) {
        out[k / 2] |= uint64_t{launch::halfBits(sum)} << (16 * (k & 1));
      } else {
        out[k] = std::bit_cast<uint32_t>(static_cast<float>(sum));
      }
    }
    for (uint32_t k = 0; k < shape.cRegisters(); ++k) r[at.dst + k] = out[k];
  }
}

// Lane 8 * m + i gives the address of row i of matrix m; lane l gets elements 2 * (l % 4) and the next of row l / 4.
void Machine::loadMatrices(const std::vector<uint32_t>& lanes, uint32_t warp) {
  const Function& function = program_.functions[threads_[lanes[0]].function];
  const uint32_t pc = threads_[lanes[0]].pc;
  const Instruction& at = function.code[pc];
  const uint32_t count = at.x & 0xff;
  const bool transposed = at.x & 0x100;
  std::array<std::array<uint16_t, 8>, kWarpSize> rows{};
  for (uint32_t index : lanes) {
    const uint32_t lane = index - warp * kWarpSize;
    if (lane >= 8 * count) continue;
    Thread& thread = threads_[index];
    for (uint32_t k = 0; k < 8; k += 4) {
      const uint64_t half = load(thread, thread.registers[at.b] + 2 * k, 8, k == 0 ? 16 : 8, function.locations[pc]);
      for (uint32_t j = 0; j < 4; ++j) rows[lane][k + j] = static_cast<uint16_t>(half >> (16 * j));
    }
  }
  for (uint32_t index : lanes) {
    const uint32_t lane = index - warp * kWarpSize, row = lane / 4, column = 2 * (lane % 4);
    for (uint32_t k = 0; k < count; ++k) {
      const uint64_t low = transposed ? rows[8 * k + column][row] : rows[8 * k + row][column];
      const uint64_t high = transposed ? rows[8 * k + column + 1][row] : rows[8 * k + row][column + 1];
      threads_[index].registers[at.dst + k] = low | high << 16;
    }
  }
}

}  // namespace np::kernel_port::simt

// Warp-wide matrix products (mma.sync, shapes m16n8kK) and their fragments, laid out over a warp as the PTX ISA
// defines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace np::kernel_port::simt {

struct MatrixShape {
  enum class Element : uint8_t { F16, BF16, TF32, S8, U8, E4M3, E5M2 };
  enum class Sum : uint8_t { F32, F16, S32 };
  Element a = Element::F16, b = Element::F16;
  Sum sum = Sum::F32;
  bool saturates = false;
  uint32_t k = 16;

  // Elements in one 32-bit register.
  uint32_t packing() const { return a == Element::TF32 ? 1 : a >= Element::S8 ? 4 : 2; }
  uint32_t bRegisters() const { return k / (4 * packing()); }
  uint32_t aRegisters() const { return 2 * bRegisters(); }
  uint32_t cRegisters() const { return sum == Sum::F16 ? 2 : 4; }

  // To and from the number that an instruction holds.
  uint32_t packed() const;
  static MatrixShape unpacked(uint32_t number);
};

// "m16n8k16" with the types of the result, both factors and the addend; nothing for what is not supported.
std::optional<MatrixShape> matrixShape(std::string_view shape, std::string_view d, std::string_view a,
                                       std::string_view b, std::string_view c, bool saturates);

}  // namespace np::kernel_port::simt

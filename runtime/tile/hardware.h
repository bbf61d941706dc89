// Figures of the chips, from shims/tables/trainium_hw.json, extracted when the build is configured.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace np::tile {

struct Hardware {
  std::string_view target;  // "trn2"
  // Memories, per core.
  int64_t partitions, sbuf_usable_bytes, psum_banks, psum_bank_bytes;  // bytes are per partition
  // Operand limits.
  int64_t stationary_free, moving_free, tensor_transpose, vector_transpose, max8_low, max8_high;
  // Time.
  double tensor_ghz, vector_ghz, scalar_ghz, gpsimd_ghz;
  double dma_engines, dma_bytes_per_ns, dma_start_ns;  // bytes_per_ns is of one engine
  double min_cycles, small_cycles, access_cycles, reduce_read_cycles, gpsimd_start_cycles;
  double dma_recommended_bytes, dma_severe_bytes;  // per descriptor
};

std::span<const Hardware> allHardware();
std::optional<Hardware> hardwareFor(std::string_view target);  // "trn2" or "trn3"

}  // namespace np::tile

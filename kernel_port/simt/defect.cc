// Names and text of defects.

#include "kernel_port/simt/defect.h"

namespace np::kernel_port::simt {

std::string_view name(DefectKind kind) {
  static constexpr std::string_view kNames[] = {
      "race",      "bounds",    "uninitialised", "misaligned", "divergent-barrier", "inactive-lane", "division-by-zero",
      "read-only", "assertion", "trap",          "overflow",   "deadlock"};
  return kNames[static_cast<int>(kind)];
}

std::string SourcePlace::text() const {
  if (line == 0) return path;
  return path + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace np::kernel_port::simt

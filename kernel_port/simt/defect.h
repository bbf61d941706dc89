// What the checked interpreter finds wrong with a kernel, independent of how it found it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace np::kernel_port::simt {

// A place in the analysed source; line 0 when the IR has none.
struct SourcePlace {
  std::string path;
  uint32_t line = 0, column = 0;
  std::string function;
  bool operator==(const SourcePlace&) const = default;
  std::string text() const;  // "path:line:column"
};

enum class DefectKind {
  Race,              // two unordered accesses, at least one a plain write
  Bounds,            // an address outside every object
  Uninitialised,     // a read of bytes that nothing wrote
  Misaligned,        // an address that is no multiple of the access's alignment
  DivergentBarrier,  // threads of a block wait at different barriers
  InactiveLane,      // a warp operation names or reads lanes that do not take part
  DivisionByZero,
  ReadOnly,  // a write to constant memory
  Assertion,
  Trap,
  Overflow,  // 32-bit arithmetic of an address that leaves its range
  Deadlock,  // threads that wait for what will not come
};
std::string_view name(DefectKind kind);  // "race", "bounds", ... as in the report

// One defect per kind, pair of places and object; `count` says how often it was seen.
struct Defect {
  DefectKind kind = DefectKind::Race;
  std::string message;
  SourcePlace place, other;  // `other` is the earlier access of a race, or the other barrier
  std::string kernel;
  std::string object;  // buffer or variable, when there is one
  std::array<int64_t, 3> thread{}, block{};
  std::vector<std::string> values;  // of a race of two writes: the value that stood and the value written
  uint64_t count = 1;
};

}  // namespace np::kernel_port::simt

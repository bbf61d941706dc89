// Small questions about flat programs.
#include "runtime/tile/flat.h"

#include "runtime/tile/schema.h"

namespace np::tile {

int64_t FlatBuffer::elements() const {
  int64_t out = 1;
  for (int64_t extent : shape) out *= extent;
  return out;
}

int64_t FlatBuffer::partitionPitch() const { return elements() / shape.front(); }

int64_t FlatView::elements() const { return partitions() * perPartition(); }

int64_t FlatView::perPartition() const {
  int64_t out = 1;
  for (size_t d = 1; d < dims.size(); ++d) out *= dims[d].size;
  return out;
}

const FlatArgument& FlatInstruction::argument(std::string_view name) const {
  const int index = argumentIndex(opcode, name);
  NP_CHECK(index >= 0);
  return arguments[static_cast<size_t>(index)];
}

const FlatView* FlatInstruction::view(std::string_view name) const { return std::get_if<FlatView>(&argument(name)); }
const double* FlatInstruction::number(std::string_view name) const { return std::get_if<double>(&argument(name)); }

bool FlatInstruction::flag(std::string_view name) const {
  const bool* value = std::get_if<bool>(&argument(name));
  return value && *value;
}

int64_t FlatInstruction::integer(std::string_view name, int64_t fallback) const {
  const int64_t* value = std::get_if<int64_t>(&argument(name));
  return value ? *value : fallback;
}

std::optional<Function> FlatInstruction::function(std::string_view name) const {
  const Function* value = std::get_if<Function>(&argument(name));
  return value ? std::optional<Function>(*value) : std::nullopt;
}

}  // namespace np::tile

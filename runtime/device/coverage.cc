// Counters of the ops that ran. An op's kernel keeps a pointer to its record, so that counting is one relaxed add.

#include "runtime/device/coverage.h"

#include <algorithm>

namespace np::device {

OpRecord& Coverage::record(const std::string& name) {
  std::lock_guard lock(mutex_);
  return records_.try_emplace(name, name).first->second;
}

std::vector<std::string> Coverage::executed() const {
  std::vector<std::string> lines;
  std::lock_guard lock(mutex_);
  for (const auto& [name, record] : records_)
    if (const uint64_t calls = record.calls.load()) lines.push_back(name + " " + std::to_string(calls));
  std::sort(lines.begin(), lines.end());
  return lines;
}

void Coverage::clear() {
  std::lock_guard lock(mutex_);
  for (auto& [name, record] : records_) record.calls = 0;
}

Coverage& coverage() {
  static auto* process_coverage = new Coverage;
  return *process_coverage;
}

}  // namespace np::device

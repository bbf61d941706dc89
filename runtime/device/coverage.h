#pragma once
// Which ops ran on the device, and how often.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace np::device {

struct OpRecord {
  explicit OpRecord(std::string op) : name(std::move(op)) {}
  const std::string name;  // "aten::add.Tensor"
  std::atomic<uint64_t> calls{0};

  void count() { calls.fetch_add(1, std::memory_order_relaxed); }
};

// Records of all ops; addresses stay valid.
class Coverage {
 public:
  // The record of an op, made on first use.
  OpRecord& record(const std::string& name);
  // "aten::mm 12", one line an op that ran since the last clear, sorted by name.
  std::vector<std::string> executed() const;
  void clear();

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, OpRecord> records_;
};

// The process's coverage, one as the device is one.
Coverage& coverage();

}  // namespace np::device

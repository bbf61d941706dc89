#pragma once
// Which ops ran on the device, how often, on what, from where; and what the op table says of them.

#include <c10/core/MemoryFormat.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/device/thread_counts.h"

namespace torch {
struct CapturedTraceback;
}

namespace np::device {

// How an op runs on Trainium, as far as the op table knows. From Fallback on, the policy has a say.
enum class Placement : uint8_t { Unknown, Native, Composite, Fallback, Rejected };
// What happens when an op is known to fall back or to be rejected: a warning once an op, an error, or nothing.
enum class Policy : uint8_t { Warn, Strict, Silent };

// What one call works on.
struct CallFacts {
  uint64_t bytes_in = 0, bytes_out = 0;
  uint64_t types = 0;   // bit k: c10::ScalarType k
  uint64_t shapes = 0;  // hash of the arguments' shapes and types: on the chip, one compilation each
};

// How many different hashes were seen; exact up to the capacity, then the capacity.
class ShapeSet {
 public:
  void add(uint64_t hash);
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  void clear();

 private:
  static constexpr size_t kRecent = 8;
  static constexpr size_t kCapacity = 4096;
  std::array<std::atomic<uint64_t>, kRecent> recent_{};  // asked first, without the lock
  std::atomic<uint64_t> count_{0};
  std::mutex mutex_;
  std::vector<uint64_t> sorted_;
};

struct OpRecord {
  OpRecord(std::string op, uint32_t position) : name(std::move(op)), number(position) {}
  const std::string name;  // "aten::add.Tensor"
  const uint32_t number;   // of its counters
  std::atomic<Placement> placement{Placement::Unknown};
  std::atomic<bool> synchronises{false};  // the host waits for its result
  std::atomic<bool> warned{false};
  ShapeSet shapes;

  // One call more; the first ones (one, or many for an op that synchronises) keep where they came from.
  void count();
  void add(const CallFacts& facts);

 private:
  friend class Coverage;
  void keepSite();
  CountTotals sinceClear() const;

  std::atomic<int> sites_wanted_{1};  // call sites still to be kept
  CountTotals at_clear_{};            // under Coverage's lock
  std::mutex stacks_mutex_;
  std::vector<std::shared_ptr<torch::CapturedTraceback>> stacks_;
};

// Records of all ops; addresses stay valid.
class Coverage {
 public:
  // The record of an op, made on first use. Names that begin with "neuron::" are the device's own notes.
  OpRecord& record(const std::string& name);
  // What the op table says: by base name ("aten::mm") or overload ("aten::add.Tensor").
  void setTable(const std::vector<std::string>& names, const std::vector<int64_t>& placements,
                const std::vector<bool>& synchronises);
  void setPolicy(Policy policy) { policy_ = policy; }
  Policy policy() const { return policy_.load(std::memory_order_relaxed); }

  // "name TAB placement TAB ..." in the order of recordColumns, one line an op that ran since the last clear.
  std::vector<std::string> lines() const;
  // The call sites kept of an op: each a stack, innermost first, "file:line:function" lines.
  std::vector<std::string> stacks(const std::string& name);
  void clear();

 private:
  struct Row {
    Placement placement;
    bool synchronises;
  };
  void applyTable(OpRecord& record) const;

  mutable std::mutex mutex_;
  std::unordered_map<std::string, OpRecord> records_;
  std::unordered_map<std::string, Row> table_;
  std::atomic<Policy> policy_{Policy::Warn};
};

// The process's coverage, one as the device is one.
Coverage& coverage();

// Warns or throws, as the policy says, for an op that the table calls a fallback or rejected.
void admit(OpRecord& record);
// Throws in strict mode when the call computes in a type that the chip lacks.
void admitTypes(const OpRecord& record, uint64_t types);
// Counts a tensor asked for in a format that the chip lacks (channels_last); throws in strict mode.
void noteMemoryFormat(c10::MemoryFormat format);

}  // namespace np::device

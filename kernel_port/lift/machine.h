// Machine: runs one launch of a compact function with concrete integers and symbolic floats.
//
// Threads run one at a time up to the next barrier or shuffle, warps of 32 in order, blocks in order. A branch on data
// runs both ways up to where they meet and merges what was written by selects. What cannot be done so (a barrier under
// such a branch, an unbounded loop, an address that depends on floats) is an error that names the line.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/lift/compact_ir.h"
#include "kernel_port/lift/expr_dag.h"
#include "kernel_port/lift/integer_range.h"
#include "kernel_port/lift/memory.h"
#include "kernel_port/lift/outcomes.h"

namespace np::kernel_port::lift {

struct MachineLimits {
  int64_t steps = 400'000'000;
  int32_t fork_depth = 72;
  size_t nodes = 40'000'000;
};

struct LaunchShape {
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t shared_bytes = 0;
};

class Machine {
 public:
  // `memories` holds the global buffers first; the machine appends its own and removes them again.
  Machine(const CompactFunction& function, ExprDag& dag, std::vector<Memory>& memories, MachineLimits limits)
      : function_(function), dag_(dag), memories_(memories), limits_(limits) {}

  // Runs the whole grid. Errors: NPT2903 (control that depends on data), NPT2904 (an operation outside what is lifted),
  // NPT2905 (an access outside a buffer or to memory that was never written), NPT2906 (too much work).
  Result<void> launch(const LaunchShape& shape, const std::vector<Value>& arguments);

  const std::vector<int64_t>& blockHits() const { return hits_; }
  // How each integer decision went.
  const Outcomes& outcomes() const { return outcomes_; }
  int64_t steps() const { return steps_; }
  int64_t forks() const { return forks_; }

 private:
  enum class Status : uint8_t { Ready, AtBarrier, AtShuffle, Done, AtStop, Failed };
  struct Thread {
    std::vector<Value> slots;
    std::vector<Value> pending;  // AtStop: phi values on the edge into the stop block
    int32_t pc = 0;
    int32_t id = 0;  // in the block
    std::array<int64_t, 3> index{};
    Status status = Status::Ready;
  };
  struct Saved {
    int32_t memory = 0;
    int64_t cell = 0;
    Cell old;
  };
  using Written = std::vector<Saved>;  // `old` holds the new contents here

  void initialSlots(const std::vector<Value>& arguments);
  Status runBlock(const std::array<int64_t, 3>& index);
  Status runWarp(int32_t first, int32_t last);
  Status shuffle(int32_t first, int32_t last);
  Status run(Thread& thread, int32_t stop);
  Status execute(Thread& thread, const Operation& op);  // everything but control
  Status takeEdge(Thread& thread, int32_t edge, int32_t stop);

  // machine_fork.cc
  Status fork(Thread& thread, const Operation& op, int32_t block, int32_t stop, bool& merged);
  Status runSide(Thread& thread, int32_t edge, int32_t meet, std::vector<Value>& phis, Written& written);
  Value merge(NodeId condition, const Value& a, const Value& b, Kind kind);
  bool mergeMemory(NodeId condition, const Written& a, const Written& b, int32_t thread);
  void undo(size_t mark);

  // machine_memory.cc
  Status load(Thread& thread, const Operation& op);
  Status gather(Thread& thread, const Operation& op);
  Status store(Thread& thread, const Operation& op);
  Status copy(Thread& thread, const Operation& op);
  Status atomic(Thread& thread, const Operation& op);
  Status scatter(Thread& thread, const Operation& op, int32_t buffer);
  bool locate(const Value& address, int32_t size, int64_t& cell);
  bool symbolicIndex(const Memory& memory, const std::vector<int64_t>& extents, const Value& address, int32_t size,
                     std::vector<NodeId>& index);
  bool readCell(int32_t memory, int64_t cell, bool is_float, Value& value);
  void writeCell(int32_t memory, int64_t cell, const Value& value, Kind kind, int32_t thread);
  Value initial(int32_t memory, int64_t cell);
  bool readBytes(const Memory& memory, int64_t offset, const Operation& op, Value& value);

  // integers.cc
  Status integer(Thread& thread, const Operation& op);
  Status compareIntegers(Thread& thread, const Operation& op);
  Status convert(Thread& thread, const Operation& op);
  // Whether the value is the same number when read as `width` bits with, or without a sign, for all data.
  bool fits(const Value& value, int width, bool with_sign);
  Status failNarrow(const char* what);
  NodeId asNode(const Value& value);
  NodeId asCondition(const Value& value);
  Value addScaled(const Value& a, int64_t factor_a, const Value& b, int64_t factor_b, int64_t number);

  void note(const Operation& op, int64_t a, int64_t b) {
    outcomes_.note(op, static_cast<size_t>(&op - function_.operations.data()), a, b);
  }
  Status fail(std::string code, std::string message);
  std::string here(const Operation& op) const { return function_.places[static_cast<size_t>(op.place)].text(); }

  const CompactFunction& function_;
  ExprDag& dag_;
  std::vector<Memory>& memories_;
  IntegerRanges ranges_{dag_, memories_};
  MachineLimits limits_;
  LaunchShape shape_;
  std::array<int64_t, 3> block_index_{};
  std::vector<Value> initial_;
  std::vector<Thread> threads_;
  std::vector<int64_t> hits_;
  Outcomes outcomes_;
  std::vector<int32_t> block_of_;  // by operation
  std::vector<Saved> journal_;
  int32_t fork_depth_ = 0;
  int32_t first_local_ = 0;
  int64_t block_number_ = 0;
  int64_t steps_ = 0, forks_ = 0;
  const Operation* current_ = nullptr;
  Error error_;
};

}  // namespace np::kernel_port::lift

// The state of one run: memory objects with their shadows, the threads of the current block, time, and what was found.
// memory.cc checks and performs accesses, interpreter.cc runs a thread, warp.cc and block.cc let threads meet.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernel_port/simt/program.h"
#include "kernel_port/simt/run.h"
#include "kernel_port/simt/shadow.h"

namespace np::kernel_port::simt {

constexpr uint32_t kWarpSize = 32;

struct Region {
  enum class Kind { Null, Local, Buffer, Variable, Shared, Constant };
  Kind kind = Kind::Null;
  std::string name;
  uint8_t* data = nullptr;  // Local: of the running thread, set on every switch
  uint64_t size = 0;
  bool starts_initialised = false;
  std::vector<uint8_t> storage;  // variables and shared memory; buffers live outside
  std::optional<Shadow> shadow;  // not for Local and Constant
  WriteSet* writes = nullptr;
  uint32_t element_size = 4;  // of `writes` and of indices in messages
};

enum class ThreadState : uint8_t { Ready, AtBarrier, AtWarpOp, Exited };

// A cp.async that its thread has not waited for.
struct PendingCopy {
  uint64_t to = 0, from = 0;
  uint32_t size = 0, read_size = 0;  // the rest is filled with zeros
  uint32_t place = 0, group = 0;
};

// A fence followed by an atomic update: what the thread did before the fence, and what its block did before the last
// barrier before it, comes before whatever follows an atomic that saw the update.
struct Release {
  uint32_t block = 0, thread = 0, epoch = 0, clock = 0;
};

// An atomic has seen the first `count` releases at an address.
struct Acquired {
  uint64_t address = 0;
  size_t count = 0;
};

// A caller waiting for the running function to return.
struct Frame {
  uint32_t function = 0, pc = 0, result = 0;
  uint32_t local_base = 0;
  std::vector<uint64_t> registers;
};

struct Thread {
  ThreadState state = ThreadState::Ready;
  uint32_t function = 0, pc = 0;
  uint64_t* registers = nullptr;
  uint32_t index = 0;  // in the block
  std::array<uint32_t, 3> id{};
  std::vector<uint8_t> local, local_state;  // 0 not written, 1 written, 2 no object
  uint32_t local_base = 0;
  std::vector<Frame> callers;
  std::vector<uint64_t*> caller_registers;
  std::vector<uint64_t> called_registers;  // of the running function when it was called
  std::vector<PendingCopy> pending;
  uint32_t groups = 0;                        // committed
  uint32_t fence_epoch = 0, fence_clock = 0;  // of the last fence; epoch 0: none
  std::vector<Acquired> acquired;
};

// A block that waits for the grid while another one runs.
struct BlockState {
  std::array<uint32_t, 3> id{};
  uint32_t block = 0, epoch = 0;
  std::vector<Thread> threads;
  std::vector<uint64_t> registers;
  std::vector<uint32_t> clocks;
  std::vector<std::array<uint32_t, kWarpSize>> known;
  std::vector<std::vector<uint32_t>> partial;
  std::map<uint32_t, std::map<uint32_t, uint32_t>> arrivals;
  std::vector<Acquired> acquired;
  std::vector<uint32_t> warp_order, lane_order;
  std::vector<std::pair<std::vector<uint8_t>, std::optional<Shadow>>> shared;
  bool started = false, done = false;
};

// "0-3, 7" for a mask of lanes.
std::string lanesText(uint32_t mask);

class Machine {
 public:
  Machine(const Program& program, const RunOptions& options) : program_(program), options_(options) {}

  // Builds regions: the program's variables, then `buffers`, which stay the caller's. Error "memory-limit".
  Result<void> addObjects(const launch::CasePlan& plan, std::vector<launch::HostBuffer>& buffers, RunResult& result);

  // Address of the first byte of buffer `index`.
  uint64_t bufferAddress(size_t index) const { return regionBase(first_buffer_ + index); }

  // Runs one launch; argument registers as built by arguments.cc. An error ends the run; a stop is in `stopped()`.
  Result<void> launch(const KernelEntry& kernel, const launch::LaunchPlan& plan,
                      const std::vector<std::vector<uint8_t>>& arguments);

  bool stopped() const { return stopped_; }
  uint64_t steps() const { return steps_; }
  std::string& printed() { return printed_; }
  std::vector<Defect> takeDefects();

  // Which blocks of which function ran at least once.
  const std::map<uint32_t, std::vector<uint8_t>>& executed() const { return executed_; }

 private:
  // block.cc
  Result<void> checkLaunch(const launch::LaunchPlan& plan);
  void makeThreads();
  void makeShared();
  Result<void> runGrid(const std::vector<uint32_t>& sequence);
  void swap(BlockState& state);
  void startBlock(uint64_t linear);
  Result<bool> continueBlock();
  void resetThreads();
  std::string warpStates() const;
  Error failure(const std::string& code, const std::string& what, const Thread& thread, uint32_t place) const;

  // barrier.cc
  struct BarrierGroup;
  bool resolveBarrier();
  bool opens(const BarrierGroup& group, uint32_t alive, uint32_t id);
  void open(uint32_t id, const BarrierGroup& group, bool whole);
  void synchronisePart(const std::vector<uint32_t>& waiting, const std::map<uint32_t, uint32_t>& arrived);
  void arrive(Thread& thread, const Instruction& instruction);
  bool atGrid() const;
  void openGrid();
  void reportDivergentBarrier(const std::vector<uint32_t>& waiting);
  void reportDeadlock();
  std::vector<uint32_t> order(uint32_t count, uint64_t salt) const;

  // warp.cc
  bool runWarp(uint32_t warp);
  bool resolveWarp(uint32_t warp, bool force);
  void perform(const std::vector<uint32_t>& lanes, uint32_t warp, uint32_t mask);
  void shuffle(const std::vector<uint32_t>& lanes, uint32_t warp);
  void synchroniseWarp(const std::vector<uint32_t>& lanes);

  // matrix.cc
  void multiplyMatrices(const std::vector<uint32_t>& lanes);
  void loadMatrices(const std::vector<uint32_t>& lanes, uint32_t warp);

  // interpreter.cc
  void runThread(Thread& thread);
  bool call(Thread& thread, uint32_t callee, const Function& caller, const Instruction& instruction);
  bool returnFrom(Thread& thread, const Instruction& instruction);
  void atomic(Thread& thread, const Instruction& instruction, uint64_t* r, uint32_t place);
  void compareExchange(Thread& thread, const Instruction& instruction, uint64_t* r, uint32_t place);
  uint64_t laneInfo(const Thread& thread, uint32_t what) const;
  void enterFrame(Thread& thread, const Function& function, uint32_t local_base);
  uint64_t indexArithmetic(const Thread& thread, const Instruction& instruction, uint64_t a, uint64_t b,
                           uint32_t place);
  void asyncWait(Thread& thread, uint64_t groups_left);

  // memory.cc
  uint64_t load(Thread& thread, uint64_t address, uint32_t size, uint32_t align, uint32_t place);
  void store(Thread& thread, uint64_t address, uint64_t value, uint32_t size, uint32_t align, uint32_t place);
  void copy(Thread& thread, uint64_t to, uint64_t from, uint64_t size, uint32_t align_to, uint32_t align_from,
            uint32_t place);
  void fill(Thread& thread, uint64_t to, uint8_t value, uint64_t size, uint32_t place);
  // The bytes of an atomic access after its checks; null when it must not take place.
  uint8_t* atomicBytes(Thread& thread, uint64_t address, uint32_t size, uint32_t place);
  uint64_t atomicLoad(Thread& thread, uint64_t address, uint32_t size, uint32_t place);
  bool isInSpace(uint64_t address, uint32_t space) const;

  // release.cc
  void fence(Thread& thread);
  void synchroniseAtomic(Thread& thread, uint64_t address, bool writes);
  bool isReleased(const AccessRecord& record, const Thread& thread) const;
  static void addAcquired(std::vector<Acquired>& to, const std::vector<Acquired>& from);
  Region* find(Thread& thread, uint64_t address, uint64_t size, uint32_t align, uint32_t place, bool write,
               uint64_t& offset);
  ShadowCell* firstCell(Region& region, uint64_t offset, uint64_t size, uint64_t& count);
  void recordRead(Region& region, uint64_t offset, uint64_t size, const Thread& thread, uint32_t place,
                  bool atomic = false);
  void recordWrite(Region& region, uint64_t offset, uint64_t size, const Thread& thread, uint32_t place, bool atomic,
                   const uint8_t* value);
  void checkWritten(Region& region, uint64_t offset, uint64_t size, const Thread& thread, uint32_t place);
  bool ordered(const Region& region, const AccessRecord& record, const Thread& thread) const;
  bool orderedWrite(const Region& region, const AccessRecord& write, const Thread& thread) const;
  uint32_t othersFlags(const Region& region, const AccessRecord& write, const Thread& thread) const;
  bool localObject(Thread& thread, uint64_t offset, uint64_t size, uint32_t place, const char* access);
  AccessRecord now(const Thread& thread, uint32_t place) const;
  void countWrite(Region& region, uint64_t offset, uint64_t size, bool atomic);

  // defects.cc
  Defect& report(DefectKind kind, const Thread& thread, uint32_t place, uint32_t other, const std::string& object);
  void reportRace(const Region& region, uint64_t offset, const AccessRecord& earlier, bool earlier_write,
                  const Thread& thread, uint32_t place, const char* access, uint64_t size, const uint8_t* value);
  std::string describe(const Region& region, uint64_t offset) const;
  std::string threadText(uint32_t thread) const;

  // printf.cc
  std::string format(Thread& thread, uint64_t format, uint64_t arguments, uint32_t place);
  std::string textAt(Thread& thread, uint64_t address, size_t limit);

  const Program& program_;
  const RunOptions& options_;
  std::vector<Region> regions_;
  size_t first_buffer_ = 0;

  // The running launch and block.
  const KernelEntry* kernel_ = nullptr;
  const Function* function_ = nullptr;
  const std::vector<std::vector<uint8_t>>* arguments_ = nullptr;
  std::array<uint32_t, 12> coordinates_{};  // block id, block size, grid size at 3, 6, 9
  uint32_t thread_count_ = 0;
  uint64_t dynamic_shared_ = 0;
  uint32_t block_ = 0;
  std::vector<Thread> threads_;
  std::vector<uint64_t> registers_;
  std::vector<uint64_t> frame_start_;  // constants and arguments, the start of every frame of the kernel
  std::vector<uint32_t> warp_order_, lane_order_;

  // Time. clocks_[t]: __syncwarp calls of thread t; known_[t][l]: the clock of lane l of its warp that t has
  // synchronised with: accesses of that lane with a smaller clock are ordered before t.
  uint32_t epoch_ = 1, launch_epoch_ = 1, block_epoch_ = 1;
  std::vector<uint32_t> clocks_;
  std::vector<std::array<uint32_t, kWarpSize>> known_;
  // After barriers for a part of the block: partial_[w][t] is the clock of thread t that warp w has synchronised with.
  // Empty until the block meets such a barrier.
  std::vector<std::vector<uint32_t>> partial_;
  std::map<uint32_t, std::map<uint32_t, uint32_t>> arrivals_;  // of bar.arrive: barrier to thread to its clock

  std::unordered_map<uint64_t, std::vector<Release>> released_;  // of this launch, by address
  std::vector<Acquired> acquired_;                               // by every thread of the block, through a barrier

  uint64_t steps_ = 0;
  uint64_t pause_at_ = 0;  // runThread gives way when steps_ reaches it
  bool stopped_ = false;
  std::optional<Error> error_;
  std::string printed_;
  std::map<uint32_t, std::vector<uint8_t>> executed_;
  Defect repeated_;
  std::map<std::tuple<int, uint32_t, uint32_t, std::string>, Defect> defects_;
  std::vector<std::tuple<int, uint32_t, uint32_t, std::string>> defect_order_;
};

}  // namespace np::kernel_port::simt

// Fibers switch stacks in ten instructions: what a call preserves is pushed, the stack pointer exchanged. Nothing else
// of a thread's state differs between fibers (rounding mode and signals are the process's). A waiting fiber leaves its
// request in its record; the scheduler, on the main stack, answers requests when the lanes they name have come. When
// nothing can go on the run ends as deadlocked.

#include "kernel_port/simt/fast/runtime.h"

#include <setjmp.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "analyzer/base/result.h"
#include "kernel_port/simt/warp_reduction.h"

namespace np::kernel_port::fast {

namespace {

constexpr size_t kStack = 256 << 10;
constexpr size_t kGuard = 4096;

enum class Status : uint8_t { Ready, AtWarpOp, AtBarrier, AtEnd, Gone };

thread_local Fibers* entering = nullptr;

extern "C" void npSwitchStack(void** from, void* to);
asm(R"(
.text
.type npSwitchStack,@function
npSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size npSwitchStack,.-npSwitchStack
)");

}  // namespace

struct Fiber {
  char* stack = nullptr;
  void* pointer = nullptr;  // of the stack while the fiber waits
  uint32_t index = 0;
  Status status = Status::Ready;
  DeviceOp op = DeviceOp::NoEffect;
  uint32_t mask = 0, lane = 0, control = 0, predicate = 0;
  uint32_t site = 0;  // which call in the code
  uint64_t value = 0;

  Fiber() {
    stack = static_cast<char*>(mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    NP_CHECK(stack != MAP_FAILED);
    mprotect(stack, kGuard, PROT_NONE);  // running off the end is a fault, not someone else's data
  }
  ~Fiber() { munmap(stack, kStack); }
  Fiber(const Fiber&) = delete;
};

Fibers::Fibers() = default;
Fibers::~Fibers() = default;

void Fibers::enter() {
  Fibers* self = entering;
  self->code_(self->arguments_, self->state_, self->first_, self->end_, static_cast<int32_t>(self->current_->index));
  self->current_->status = Status::Gone;
  for (;;) npSwitchStack(&self->current_->pointer, self->main_stack_);
}

Outcome Fibers::run(RunFunction code, void** arguments, State& state, int64_t first, int64_t end, uint32_t workers,
                    uint32_t warp) {
  code_ = code, arguments_ = arguments, state_ = &state, first_ = first, end_ = end;
  workers_ = workers, warp_ = warp, outcome_ = Outcome::Finished;
  while (fibers_.size() < workers) {
    fibers_.push_back(std::make_unique<Fiber>());
    fibers_.back()->index = static_cast<uint32_t>(fibers_.size() - 1);
  }
  for (uint32_t k = 0; k < workers; ++k) {
    Fiber& fiber = *fibers_[k];
    fiber.status = Status::Ready;
    // Stacks start at different cache sets: all fibers stand at the same depth, and their spills would collide.
    char* top = fiber.stack + kStack - 64 - (k * 1088 % 4096) / 64 * 64;
    auto** slot = reinterpret_cast<void**>(top) - 1;
    *slot-- = nullptr;                                // the return address of enter, never used
    *slot = reinterpret_cast<void*>(&Fibers::enter);  // where the first switch returns to
    fiber.pointer = slot - 6;                         // six registers, whatever they hold
  }
  entering = this;
  const uint32_t warps = (workers + warp - 1) / warp;
  for (;;) {
    bool progress = false;
    for (uint32_t k = 0; k < warps && outcome_ == Outcome::Finished; ++k) progress |= runWarp(k);
    if (outcome_ != Outcome::Finished) return outcome_;
    const bool done = std::all_of(fibers_.begin(), fibers_.begin() + workers,
                                  [](const auto& fiber) { return fiber->status == Status::Gone; });
    if (done) return Outcome::Finished;
    progress |= resolveBarrier();
    if (!progress) return Outcome::Deadlocked;
  }
}

bool Fibers::runWarp(uint32_t warp) {
  bool progress = false;
  const uint32_t first = warp * warp_, last = std::min(first + warp_, workers_);
  for (;;) {
    for (uint32_t k = first; k < last; ++k) {
      if (fibers_[k]->status != Status::Ready) continue;
      current_ = fibers_[k].get();
      npSwitchStack(&main_stack_, current_->pointer);
      progress = true;
      if (outcome_ != Outcome::Finished) return true;
    }
    if (warp_ == 1 || !resolveWarp(warp)) return progress;
    progress = true;
  }
}

// Carries out one warp operation whose lanes are all there.
bool Fibers::resolveWarp(uint32_t warp) {
  const uint32_t first = warp * warp_, last = std::min(first + warp_, workers_);
  uint32_t alive = 0;
  bool ready = false;
  std::map<std::tuple<uint32_t, DeviceOp, uint32_t>, uint32_t> groups;
  for (uint32_t k = first; k < last; ++k) {
    const Fiber& fiber = *fibers_[k];
    if (fiber.status == Status::Gone || fiber.status == Status::AtEnd) continue;
    alive |= 1u << (k - first);
    ready |= fiber.status == Status::Ready;
    if (fiber.status != Status::AtWarpOp) continue;
    const uint32_t mask = fiber.op == DeviceOp::ActiveMask ? 0 : fiber.mask;
    groups[{fiber.site, fiber.op, mask}] |= 1u << (k - first);
  }
  for (const auto& [key, arrived] : groups) {
    const auto [site, op, mask] = key;
    if (op == DeviceOp::ActiveMask ? ready : (mask & alive & ~arrived) != 0) continue;
    perform(op, first, arrived, mask);
    return true;
  }
  return false;
}

void Fibers::perform(DeviceOp op, uint32_t first, uint32_t active, uint32_t mask) {
  uint64_t values[32] = {};
  uint32_t ballot = 0;
  std::map<uint64_t, uint32_t> same;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    values[lane] = fibers_[first + lane]->value;
    if (values[lane]) ballot |= 1u << lane;
    same[values[lane]] |= 1u << lane;
  }
  uint32_t total = 0;
  bool started = false;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const auto value = static_cast<uint32_t>(values[std::countr_zero(rest)]);
    total = started ? simt::reducePair(op, total, value) : value;
    started = true;
  }
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    Fiber& fiber = *fibers_[first + lane];
    fiber.status = Status::Ready;
    switch (op) {
      case DeviceOp::WarpSync:
        break;
      case DeviceOp::ActiveMask:
        fiber.value = active;
        break;
      case DeviceOp::VoteAll:
        fiber.value = ballot == active;
        break;
      case DeviceOp::VoteAny:
        fiber.value = ballot != 0;
        break;
      case DeviceOp::VoteUni:
        fiber.value = ballot == 0 || ballot == active;
        break;
      case DeviceOp::VoteBallot:
        fiber.value = ballot;
        break;
      case DeviceOp::MatchAny:
        fiber.value = same[values[lane]];
        break;
      case DeviceOp::MatchAll:
        fiber.predicate = same.size() == 1;
        fiber.value = fiber.predicate ? active : 0;
        break;
      case DeviceOp::ShuffleIdx:
      case DeviceOp::ShuffleUp:
      case DeviceOp::ShuffleDown:
      case DeviceOp::ShuffleXor: {
        const uint32_t distance = fiber.lane & 31, clamp = fiber.control & 31, segment = fiber.control >> 8 & 31;
        const uint32_t low = lane & segment, high = low | (clamp & ~segment);
        uint32_t source = low | (distance & ~segment);
        if (op == DeviceOp::ShuffleUp) source = lane - distance;
        if (op == DeviceOp::ShuffleDown) source = lane + distance;
        if (op == DeviceOp::ShuffleXor) source = lane ^ distance;
        const bool inside =
            op == DeviceOp::ShuffleUp ? static_cast<int32_t>(source) >= static_cast<int32_t>(high) : source <= high;
        if (!inside || !(active >> source & 1)) source = lane;
        fiber.value = values[source];
        fiber.predicate = inside;
        break;
      }
      default:
        fiber.value = total;
    }
  }
  (void)mask;
}

// Opens the barrier when every live worker waits at one; at the end of a block all must have come.
bool Fibers::resolveBarrier() {
  uint32_t waiting = 0, ended = 0, count = 0;
  for (uint32_t k = 0; k < workers_; ++k) {
    const Fiber& fiber = *fibers_[k];
    if (fiber.status == Status::AtBarrier) ++waiting, count += fiber.value != 0;
    if (fiber.status == Status::AtEnd || fiber.status == Status::Gone) ++ended;
  }
  if (waiting + ended != workers_) return false;
  for (uint32_t k = 0; k < workers_; ++k) {
    Fiber& fiber = *fibers_[k];
    if (waiting == 0 ? fiber.status != Status::AtEnd : fiber.status != Status::AtBarrier) continue;
    fiber.status = Status::Ready;
    if (fiber.op == DeviceOp::BarrierCount) fiber.value = count;
    if (fiber.op == DeviceOp::BarrierAnd) fiber.value = count == waiting;
    if (fiber.op == DeviceOp::BarrierOr) fiber.value = count != 0;
  }
  return true;
}

uint64_t Fibers::wait(DeviceOp op, uint32_t site, uint32_t mask, uint64_t value, uint32_t lane, uint32_t control) {
  Fiber& self = *current_;
  self.op = op, self.mask = mask, self.value = value, self.lane = lane, self.control = control, self.site = site;
  self.status = op >= DeviceOp::Barrier && op <= DeviceOp::BarrierIdCount ? Status::AtBarrier : Status::AtWarpOp;
  npSwitchStack(&self.pointer, main_stack_);
  return self.value;
}

uint32_t Fibers::predicate() const { return current_->predicate; }

void Fibers::blockEnd() {
  current_->status = Status::AtEnd;
  current_->op = DeviceOp::NoEffect;
  npSwitchStack(&current_->pointer, main_stack_);
}

void Fibers::leave(Outcome outcome) {
  outcome_ = outcome;
  for (;;) npSwitchStack(&current_->pointer, main_stack_);
}

Outcome runStraight(RunFunction code, void** arguments, State& state, int64_t first, int64_t end) {
  jmp_buf way_out;
  state.fibers = nullptr;
  state.way_out = &way_out;
  const int left = setjmp(way_out);
  if (left != 0) return static_cast<Outcome>(left);
  code(arguments, &state, first, end, -1);
  return Outcome::Finished;
}

namespace {

[[noreturn]] void leave(State* state, int outcome) {
  if (state->fibers) state->fibers->leave(static_cast<Outcome>(outcome));
  longjmp(*static_cast<jmp_buf*>(state->way_out), outcome);
}

uint64_t wait(State* state, uint32_t op, uint32_t site, uint32_t mask, uint64_t value, uint32_t lane,
              uint32_t control) {
  return state->fibers->wait(static_cast<DeviceOp>(op), site, mask, value, lane, control);
}

uint32_t predicate(State* state) { return state->fibers->predicate(); }
void blockEnd(State* state) { state->fibers->blockEnd(); }

}  // namespace

void* runtimeAddress(const std::string& name) {
  if (name == "np.leave") return reinterpret_cast<void*>(&leave);
  if (name == "np.wait") return reinterpret_cast<void*>(&wait);
  if (name == "np.predicate") return reinterpret_cast<void*>(&predicate);
  if (name == "np.block_end") return reinterpret_cast<void*>(&blockEnd);
  return nullptr;
}

}  // namespace np::kernel_port::fast

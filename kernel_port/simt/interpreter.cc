// The inner loop: one thread runs until it must wait, returns, or has used up its turn.
// Operands are registers of the current frame; the loop keeps the frame, the code and the step count in locals and
// writes them back when it leaves.

#include <bit>
#include <cmath>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {
namespace {

constexpr uint64_t kStackLimit = 512 << 10;  // of local memory a thread may have, as on the device

float f32(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
double f64(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

int64_t extended(uint64_t value, int width) {
  const int shift = 64 - width;
  return static_cast<int64_t>(value << shift) >> shift;
}

// LLVM's predicates are sets of {equal 1, greater 2, less 4, unordered 8}.
template <class Float>
uint64_t compare(Float a, Float b, uint8_t predicate) {
  const int relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
  return (predicate & relation) != 0;
}

uint64_t shiftLeft(uint64_t a, uint64_t by, int width) { return by >= static_cast<uint64_t>(width) ? 0 : a << by; }
uint64_t shiftRight(uint64_t a, uint64_t by, int width) { return by >= static_cast<uint64_t>(width) ? 0 : a >> by; }
uint64_t shiftRightSigned(uint64_t a, uint64_t by, int width) {
  return static_cast<uint64_t>(extended(a, width) >> (by >= static_cast<uint64_t>(width) ? 63 : by));
}

uint64_t divide(Op op, uint64_t a, uint64_t b, int width) {
  if (op == Op::UDiv) return a / b;
  if (op == Op::URem) return a % b;
  const int64_t x = extended(a, width), y = extended(b, width);
  if (y == -1) return op == Op::SDiv ? uint64_t{0} - a : 0;  // the least value has no negative: it wraps
  return static_cast<uint64_t>(op == Op::SDiv ? x / y : x % y);
}

}  // namespace

void Machine::runThread(Thread& thread) {
  const Function* function = &program_.functions[thread.function];
  const Instruction* code = function->code.data();
  uint64_t* r = thread.registers;
  uint8_t* executed = executed_[thread.function].data();
  uint32_t pc = thread.pc;
  uint64_t steps = steps_;
  regions_[kLocalRegion].data = thread.local.data();
  regions_[kLocalRegion].size = thread.local.size();
  const auto leave = [&] {
    thread.pc = pc;
    steps_ = steps;
  };
  const auto reload = [&] {
    function = &program_.functions[thread.function];
    code = function->code.data();
    r = thread.registers;
    pc = thread.pc;
    executed = executed_[thread.function].data();
  };

  for (;;) {
    const Instruction& i = code[pc];
    const auto place = [&] { return function->locations[pc]; };
    ++pc;
    switch (i.op) {
      case Op::Enter:
        executed[i.x] = 1;
        steps += i.imm;
        if (steps >= pause_at_ || stopped_) [[unlikely]] {
          thread.pc = pc;
          steps_ = steps;
          return;
        }
        break;
      case Op::Jump:
        pc = static_cast<uint32_t>(i.imm);
        break;
      case Op::Branch:
        pc = r[i.a] ? i.x : static_cast<uint32_t>(i.imm);
        break;
      case Op::Return:
        leave();
        if (!returnFrom(thread, i)) return;
        reload();
        break;
      case Op::Call:
      case Op::CallIndirect: {
        uint32_t callee = i.x;
        if (i.op == Op::CallIndirect) {
          const uint64_t index = (r[i.a] - regionBase(kFunctionRegion)) / 16;
          if (index >= program_.functions.size()) {
            report(DefectKind::Bounds, thread, function->locations[pc - 1], 0, "").message =
                "call through a pointer to no function";
            stopped_ = true;
            leave();
            return;
          }
          callee = static_cast<uint32_t>(index);
        }
        leave();
        if (!call(thread, callee, *function, i)) return;
        reload();
        break;
      }
      case Op::Unreachable:
        --pc;
        report(DefectKind::Trap, thread, place(), 0, "").message = "code that cannot be reached was reached";
        stopped_ = true;
        leave();
        return;

      case Op::Mov:
        r[i.dst] = r[i.a];
        break;
      case Op::Add:
        r[i.dst] = (r[i.a] + r[i.b]) & i.imm;
        break;
      case Op::Sub:
        r[i.dst] = (r[i.a] - r[i.b]) & i.imm;
        break;
      case Op::Mul:
        r[i.dst] = (r[i.a] * r[i.b]) & i.imm;
        break;
      case Op::SDiv:
      case Op::UDiv:
      case Op::SRem:
      case Op::URem:
        if (r[i.b] == 0) [[unlikely]] {
          report(DefectKind::DivisionByZero, thread, function->locations[pc - 1], 0, "").message =
              "integer division by zero";
          r[i.dst] = i.imm;
          break;
        }
        r[i.dst] = divide(i.op, r[i.a], r[i.b], i.width) & i.imm;
        break;
      case Op::Shl:
        r[i.dst] = shiftLeft(r[i.a], r[i.b], i.width) & i.imm;
        break;
      case Op::LShr:
        r[i.dst] = shiftRight(r[i.a], r[i.b], i.width);
        break;
      case Op::AShr:
        r[i.dst] = shiftRightSigned(r[i.a], r[i.b], i.width) & i.imm;
        break;
      case Op::And:
        r[i.dst] = r[i.a] & r[i.b];
        break;
      case Op::Or:
        r[i.dst] = r[i.a] | r[i.b];
        break;
      case Op::Xor:
        r[i.dst] = r[i.a] ^ r[i.b];
        break;
      case Op::AddIndex:
      case Op::SubIndex:
      case Op::MulIndex:
      case Op::ShlIndex: {
        const uint64_t a = r[i.a], b = r[i.b];
        const int64_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
        const int64_t exact = i.op == Op::AddIndex   ? x + y
                              : i.op == Op::SubIndex ? x - y
                              : i.op == Op::MulIndex ? x * y
                                                     : (b < 32 ? x << b : 0);
        r[i.dst] = static_cast<uint32_t>(exact);
        if (exact != static_cast<int32_t>(exact)) [[unlikely]]
          r[i.dst] = indexArithmetic(thread, i, a, b, function->locations[pc - 1]);
        break;
      }
      case Op::Eq:
        r[i.dst] = r[i.a] == r[i.b];
        break;
      case Op::Ne:
        r[i.dst] = r[i.a] != r[i.b];
        break;
      case Op::ULt:
        r[i.dst] = r[i.a] < r[i.b];
        break;
      case Op::ULe:
        r[i.dst] = r[i.a] <= r[i.b];
        break;
      case Op::SLt:
        r[i.dst] = extended(r[i.a], i.width) < extended(r[i.b], i.width);
        break;
      case Op::SLe:
        r[i.dst] = extended(r[i.a], i.width) <= extended(r[i.b], i.width);
        break;
      case Op::Select:
        r[i.dst] = r[i.a] ? r[i.b] : r[i.c];
        break;
      case Op::Trunc:
        r[i.dst] = r[i.a] & i.imm;
        break;
      case Op::SExt:
        r[i.dst] = static_cast<uint64_t>(extended(r[i.a], i.width)) & i.imm;
        break;

      case Op::FAdd32:
        r[i.dst] = bits(f32(r[i.a]) + f32(r[i.b]));
        break;
      case Op::FSub32:
        r[i.dst] = bits(f32(r[i.a]) - f32(r[i.b]));
        break;
      case Op::FMul32:
        r[i.dst] = bits(f32(r[i.a]) * f32(r[i.b]));
        break;
      case Op::FDiv32:
        r[i.dst] = bits(f32(r[i.a]) / f32(r[i.b]));
        break;
      case Op::FNeg32:
        r[i.dst] = r[i.a] ^ 0x80000000u;
        break;
      case Op::FCmp32:
        r[i.dst] = compare(f32(r[i.a]), f32(r[i.b]), i.flags);
        break;
      case Op::FAdd64:
        r[i.dst] = bits(f64(r[i.a]) + f64(r[i.b]));
        break;
      case Op::FSub64:
        r[i.dst] = bits(f64(r[i.a]) - f64(r[i.b]));
        break;
      case Op::FMul64:
        r[i.dst] = bits(f64(r[i.a]) * f64(r[i.b]));
        break;
      case Op::FDiv64:
        r[i.dst] = bits(f64(r[i.a]) / f64(r[i.b]));
        break;
      case Op::FNeg64:
        r[i.dst] = r[i.a] ^ (uint64_t{1} << 63);
        break;
      case Op::FCmp64:
        r[i.dst] = compare(f64(r[i.a]), f64(r[i.b]), i.flags);
        break;
      case Op::F32ToF64:
        r[i.dst] = bits(static_cast<double>(f32(r[i.a])));
        break;
      case Op::F64ToF32:
        r[i.dst] = bits(static_cast<float>(f64(r[i.a])));
        break;
      case Op::SIntToF32:
        r[i.dst] = bits(static_cast<float>(extended(r[i.a], i.width)));
        break;
      case Op::SIntToF64:
        r[i.dst] = bits(static_cast<double>(extended(r[i.a], i.width)));
        break;
      case Op::UIntToF32:
        r[i.dst] = bits(static_cast<float>(r[i.a]));
        break;
      case Op::UIntToF64:
        r[i.dst] = bits(static_cast<double>(r[i.a]));
        break;
      case Op::Math:
        r[i.dst] = std::bit_cast<MathFunction>(i.imm)(r[i.a], r[i.b], r[i.c], r[i.dst]);
        break;
      case Op::IntMath:
        r[i.dst] = std::bit_cast<IntFunction>(i.imm)(r[i.a], r[i.b], r[i.c], i.width);
        break;

      case Op::PtrAdd:
        r[i.dst] = r[i.a] + r[i.b] * i.imm;
        break;
      case Op::PtrAddImm:
        r[i.dst] = r[i.a] + i.imm;
        break;
      case Op::LocalAddress:
        r[i.dst] = regionBase(kLocalRegion) + thread.local_base + i.imm;
        break;
      case Op::Load:
        r[i.dst] = load(thread, r[i.a], i.width, i.x, function->locations[pc - 1]);
        break;
      case Op::Store:
        store(thread, r[i.a], r[i.b], i.width, i.x, function->locations[pc - 1]);
        break;
      case Op::MemCopy:
        copy(thread, r[i.a], r[i.b], r[i.c], i.x >> 16, i.x & 0xffff, function->locations[pc - 1]);
        break;
      case Op::MemSet:
        fill(thread, r[i.a], static_cast<uint8_t>(r[i.b]), r[i.c], function->locations[pc - 1]);
        break;
      case Op::AtomicRmw:
        atomic(thread, i, r, function->locations[pc - 1]);
        break;
      case Op::AtomicLoad:
        r[i.dst] = atomicLoad(thread, r[i.a], i.width, function->locations[pc - 1]);
        break;
      case Op::AsyncCopy:
        if (const uint64_t size = r[i.dst]; size != 4 && size != 8 && size != 16) {
          error_ = failure("unsupported", "cp.async of " + std::to_string(size) + " bytes; it takes 4, 8 or 16", thread,
                           function->locations[pc - 1]);
        } else {
          thread.pending.push_back({r[i.a], r[i.b], static_cast<uint32_t>(size), static_cast<uint32_t>(r[i.c]),
                                    function->locations[pc - 1], thread.groups});
        }
        break;
      case Op::AsyncCommit:
        ++thread.groups;
        break;
      case Op::AsyncWait:
        asyncWait(thread, i.imm ? i.imm : r[i.a]);
        break;
      case Op::IsSpace:
        r[i.dst] = isInSpace(r[i.a], i.x);
        break;
      case Op::CmpXchg:
        compareExchange(thread, i, r, function->locations[pc - 1]);
        break;
      case Op::LocalUndef:
        std::memset(&thread.local_state[thread.local_base + i.imm], 0, i.x);
        break;
      case Op::CheckDefined:
        if (!r[i.a]) [[unlikely]] {
          report(DefectKind::Uninitialised, thread, function->locations[pc - 1], 0, program_.names[i.x]).message =
              "read of local variable \"" + program_.names[i.x] + "\", which nothing has written";
        }
        break;

      case Op::Coordinate:
        r[i.dst] = i.x < 3 ? thread.id[i.x] : coordinates_[i.x];
        break;
      case Op::LaneInfo:
        steps_ = steps;
        r[i.dst] = laneInfo(thread, i.x);
        break;

      case Op::Fence:
        fence(thread);
        break;
      case Op::Barrier:
        if (static_cast<DeviceOp>(i.flags) == DeviceOp::BarrierArrive) {
          arrive(thread, i);
          break;
        }
        --pc;
        thread.state = ThreadState::AtBarrier;
        leave();
        return;
      case Op::WarpSync:
      case Op::WarpOp:
        --pc;
        thread.state = ThreadState::AtWarpOp;
        leave();
        return;

      case Op::Printf:
        printed_ += format(thread, r[i.a], r[i.b], function->locations[pc - 1]);
        if (printed_.size() > (1 << 20)) printed_.resize(1 << 20);
        r[i.dst] = 0;
        break;
      case Op::AssertFail:
        report(DefectKind::Assertion, thread, function->locations[pc - 1], 0, "").message =
            "assertion \"" + textAt(thread, r[i.a], 200) + "\" failed";
        stopped_ = true;
        leave();
        return;
      case Op::Refuse:
        error_ = failure("unsupported", program_.names[i.x] + " is not supported", thread, function->locations[pc - 1]);
        break;
      case Op::Trap:
        report(DefectKind::Trap, thread, function->locations[pc - 1], 0, "").message = "__trap() was called";
        stopped_ = true;
        leave();
        return;
    }
    if (error_) [[unlikely]] {
      leave();
      return;
    }
  }
}

bool Machine::call(Thread& thread, uint32_t callee, const Function& caller, const Instruction& instruction) {
  const Function& function = program_.functions[callee];
  if (function.code.empty() || function.parameters.size() != instruction.flags) {
    error_ = failure("unsupported", "a call through a function pointer does not match \"" + function.name + "\"",
                     thread, caller.locations[thread.pc - 1]);
    return false;
  }
  if (thread.callers.size() >= 1000) {
    error_ = failure("stack-overflow", "recursion deeper than 1000 calls in \"" + function.name + "\"", thread,
                     caller.locations[thread.pc - 1]);
    return false;
  }
  if (thread.local.size() + function.local_bytes > kStackLimit) {
    error_ =
        failure("stack-overflow",
                "the stack of \"" + function.name + "\" grows beyond " + std::to_string(kStackLimit >> 10) + " KiB",
                thread, caller.locations[thread.pc - 1]);
    return false;
  }
  std::vector<uint64_t> registers(function.registers);
  std::copy(function.image.begin(), function.image.end(), registers.begin());
  uint32_t operand = static_cast<uint32_t>(instruction.imm);
  for (const Parameter& parameter : function.parameters)
    for (uint32_t k = 0; k < parameter.count; ++k)
      registers[parameter.reg + k] = thread.registers[caller.operands[operand++]];
  Frame frame{thread.function, thread.pc, instruction.dst, thread.local_base, std::move(thread.called_registers)};
  thread.callers.push_back(std::move(frame));
  thread.caller_registers.push_back(thread.registers);
  thread.called_registers = std::move(registers);
  thread.registers = thread.called_registers.data();
  thread.function = callee;
  thread.pc = 0;
  executed_[callee].resize(function.blocks.size());
  const auto base = static_cast<uint32_t>(thread.local.size());
  enterFrame(thread, function, base);
  // Structs by value: the callee's copies.
  for (const ByValue& value : function.by_value) {
    const uint64_t target = regionBase(kLocalRegion) + base + value.offset;
    const uint32_t reg = function.parameters[value.parameter].reg;
    copy(thread, target, thread.registers[reg], value.size, 1, 1, caller.locations[thread.callers.back().pc - 1]);
    thread.registers[reg] = target;
  }
  return true;
}

// Only reached when the signed reading overflows. Unsigned arithmetic wraps on purpose where it stands for a negative
// number ("threadIdx.x - 1"), so there both readings must fail.
uint64_t Machine::indexArithmetic(const Thread& thread, const Instruction& instruction, uint64_t a, uint64_t b,
                                  uint32_t place) {
  const bool is_signed = instruction.flags;
  const char* sign = "+";
  uint64_t exact = a + b;
  bool fits = exact >> 32 == 0;
  if (instruction.op == Op::SubIndex) sign = "-", exact = a - b, fits = a >= b;
  if (instruction.op == Op::MulIndex) sign = "*", exact = a * b, fits = exact >> 32 == 0;
  if (instruction.op == Op::ShlIndex) sign = "<<", exact = b < 32 ? a << b : 0, fits = exact >> 32 == 0;
  if (is_signed || !fits) {
    const auto text = [&](uint64_t value) {
      return is_signed ? std::to_string(static_cast<int32_t>(value)) : std::to_string(value);
    };
    report(DefectKind::Overflow, thread, place, instruction.x, "").message =
        text(a) + " " + sign + " " + text(b) + " does not fit 32 bits, and an address is made of it";
  }
  return static_cast<uint32_t>(exact);
}

// The copies of all groups but the newest `groups_left` take place; ~0 stands for really all, uncommitted ones too.
void Machine::asyncWait(Thread& thread, uint64_t groups_left) {
  std::vector<PendingCopy> later;
  for (const PendingCopy& each : thread.pending) {
    const bool due = groups_left == ~uint64_t{0} || each.group + groups_left < thread.groups;
    if (!due) {
      later.push_back(each);
      continue;
    }
    if (each.read_size > 0) copy(thread, each.to, each.from, each.read_size, each.size, each.size, each.place);
    if (each.read_size < each.size) fill(thread, each.to + each.read_size, 0, each.size - each.read_size, each.place);
  }
  thread.pending = std::move(later);
}

bool Machine::returnFrom(Thread& thread, const Instruction& instruction) {
  if (thread.callers.empty()) {
    thread.state = ThreadState::Exited;
    return false;
  }
  Frame frame = std::move(thread.callers.back());
  thread.callers.pop_back();
  uint64_t* to = thread.caller_registers.back();
  thread.caller_registers.pop_back();
  for (uint32_t k = 0; k < instruction.x; ++k) to[frame.result + k] = thread.registers[instruction.a + k];
  thread.local.resize(thread.local_base);
  thread.local_state.resize(thread.local_base);
  thread.local_base = frame.local_base;
  thread.called_registers = std::move(frame.registers);
  thread.registers = to;
  thread.function = frame.function;
  thread.pc = frame.pc;
  regions_[kLocalRegion].data = thread.local.data();
  regions_[kLocalRegion].size = thread.local.size();
  return true;
}

void Machine::enterFrame(Thread& thread, const Function& function, uint32_t local_base) {
  thread.local_base = local_base;
  thread.local.resize(local_base + function.local_bytes, 0xff);
  thread.local_state.resize(local_base + function.local_bytes);
  std::memset(thread.local_state.data() + local_base, 2, function.local_bytes);
  for (const auto& [offset, size] : function.locals) std::memset(&thread.local_state[local_base + offset], 0, size);
  regions_[kLocalRegion].data = thread.local.data();
  regions_[kLocalRegion].size = thread.local.size();
}

uint64_t Machine::laneInfo(const Thread& thread, uint32_t what) const {
  const uint32_t lane = thread.index % kWarpSize;
  const uint32_t bit = uint32_t{1} << lane;
  switch (static_cast<DeviceOp>(what)) {
    case DeviceOp::WarpSize:
      return kWarpSize;
    case DeviceOp::LaneId:
      return lane;
    case DeviceOp::WarpId:
      return thread.index / kWarpSize;
    case DeviceOp::LaneMaskEq:
      return bit;
    case DeviceOp::LaneMaskLt:
      return bit - 1;
    case DeviceOp::LaneMaskLe:
      return bit | (bit - 1);
    case DeviceOp::LaneMaskGe:
      return ~(bit - 1);
    case DeviceOp::LaneMaskGt:
      return ~(bit | (bit - 1));
    default:
      return steps_;  // Clock: monotonic, and the same in every run
  }
}

}  // namespace np::kernel_port::simt

// What a call in device IR means: NVVM and LLVM intrinsics, math functions, printf and friends, by the callee's name.
// Shared by the interpreter and the lifter, so that both know exactly the same functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace np::kernel_port {

enum class DeviceOp {
  // Coordinates; `axis` is 0, 1 or 2.
  ThreadId,
  BlockDim,
  BlockId,
  GridDim,
  // Properties of the thread's place.
  WarpSize,
  LaneId,
  WarpId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  Clock,
  // Synchronisation. Barrier: (); the reducing forms take a predicate; BarrierId: (id), BarrierIdCount: (id, threads);
  // BarrierArrive, (id, threads), does not wait. GridBarrier: all blocks.
  Barrier,
  BarrierCount,
  BarrierAnd,
  BarrierOr,
  BarrierId,
  BarrierIdCount,
  BarrierArrive,
  GridBarrier,
  WarpSync,
  Fence,
  // Warp operations, (mask, value, lane, clamp) or (mask, value). Shuffles and MatchAll may also return a predicate.
  ShuffleIdx,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  VoteAll,
  VoteAny,
  VoteUni,
  VoteBallot,
  ActiveMask,
  MatchAny,
  MatchAll,
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  ReduceUMin,
  ReduceUMax,
  ReduceAnd,
  ReduceOr,
  ReduceXor,  // (value, mask)
  // Matrix fragments of a warp: only from inline PTX.
  MatrixMultiply,
  LoadMatrix,
  // Which memory a generic address points to; `axis`: 0 global, 1 shared, 2 constant, 3 local.
  IsSpace,
  // Atomics that are no atomicrmw: (pointer, bound).
  AtomicInc,
  AtomicDec,
  // Functions of numbers: `function` names them, `rounding` and `fast` qualify. Narrow: to a shorter float type.
  Math,
  ToInteger,
  FromInteger,
  Narrow,
  // Functions with results through pointers: frexp, modf, remquo, sincos, sincospi.
  MathPointer,
  // LLVM integer intrinsics.
  PopCount,
  LeadingZeros,
  TrailingZeros,
  BitReverse,
  ByteSwap,
  Abs,
  SMin,
  SMax,
  UMin,
  UMax,
  FunnelLeft,
  FunnelRight,
  SAddOverflow,
  UAddOverflow,
  SSubOverflow,
  USubOverflow,
  SMulOverflow,
  UMulOverflow,
  SAddSat,
  UAddSat,
  SSubSat,
  USubSat,
  // Memory.
  MemCpy,
  MemMove,
  MemSet,
  LifetimeStart,
  LifetimeEnd,
  // Identity on the first operand (expect, launder, ptr.annotation) and calls without effect (assume, prefetch, debug).
  Identity,
  NoEffect,
  // Output and failure. Printf: vprintf(format, packed arguments), or printf with its arguments as they are.
  Printf,
  AssertFail,
  Trap,
  Malloc,
  Free,
};

struct DeviceCall {
  DeviceOp op = DeviceOp::NoEffect;
  int axis = 0;
  // Math: the double form's name ("exp", "fmax", "rsqrt", "add"). ToInteger: "int", "uint", "ll" or "ull".
  // FromInteger: the source, named likewise.
  std::string_view function;
  char rounding = 'n';  // n nearest even, z toward zero, d down, u up
  bool fast = false;    // a reduced-precision form (__expf); executed as the full one
};

// The meaning of a callee, or nothing when it is unknown. Float width is not part of it: the call's type says it.
std::optional<DeviceCall> classifyDeviceCall(std::string_view callee);

// The base names of all known math functions are those of CUDA's double forms; false for anything else.
bool isMathFunction(std::string_view function);

}  // namespace np::kernel_port

// The interpreter's own form of device code: flat arrays of fixed-size instructions over 64-bit registers.
//
// Every IR value is one register per scalar it holds (a <4 x float> is four). Integers are kept zero-extended, floats
// and halves as their bit patterns. A frame starts with the function's constants, so that an operand is always a
// register. Addresses are 64 bits: a region number (see kRegionShift) and an offset, so that pointers can be added to,
// compared and cast to integers like on the device, and an address always tells which object it was meant for.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/cuda/device_ir.h"
#include "kernel_port/simt/defect.h"

namespace np::kernel_port::simt {

// A region holds one object in the middle of 2^36 addresses: an index that is far off still belongs to its object.
constexpr int kRegionShift = 36;
constexpr uint64_t kRegionMiddle = uint64_t{1} << (kRegionShift - 1);
constexpr uint64_t regionBase(uint64_t region) { return (region << kRegionShift) + kRegionMiddle; }
constexpr uint32_t kNullRegion = 0, kLocalRegion = 1, kFirstGlobalRegion = 2;
constexpr uint64_t kFunctionRegion = 0xfffff;  // addresses of functions: base + 16 * index

enum class Op : uint16_t {
  // Control. Enter: imm = IR instructions of the block, x = block number.
  Enter,
  Jump,
  Branch,
  Return,
  Call,
  CallIndirect,
  Unreachable,
  // Integers: width = bits, imm = mask of the result.
  Mov,
  Add,
  Sub,
  Mul,
  SDiv,
  UDiv,
  SRem,
  URem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  // 32-bit arithmetic that an address comes from; x = the place of the address, flags = 1 when it is signed.
  AddIndex,
  SubIndex,
  MulIndex,
  ShlIndex,
  Eq,
  Ne,
  ULt,
  ULe,
  SLt,
  SLe,
  Select,
  Trunc,
  SExt,
  // Floats: width = 32 or 64; FCmp: flags = LLVM's predicate.
  FAdd32,
  FSub32,
  FMul32,
  FDiv32,
  FNeg32,
  FCmp32,
  FAdd64,
  FSub64,
  FMul64,
  FDiv64,
  FNeg64,
  FCmp64,
  F32ToF64,
  F64ToF32,
  SIntToF32,
  SIntToF64,
  UIntToF32,
  UIntToF64,
  // imm = MathFunction; a, b, c and dst (the fourth operand stands there before).
  Math,
  // imm = IntFunction; operands a, b, c and the width.
  IntMath,
  // Memory: width = bytes, x = alignment. PtrAdd: dst = a + b * imm; PtrAddImm: dst = a + imm.
  PtrAdd,
  PtrAddImm,
  LocalAddress,
  Load,
  Store,
  MemCopy,
  MemSet,
  AtomicRmw,
  AtomicLoad,
  CmpXchg,
  // cp.async: a = to, b = from, c = bytes to read, dst = bytes to write. AsyncWait: all but the newest r[a] groups; all
  // when imm is ~0.
  AsyncCopy,
  AsyncCommit,
  AsyncWait,
  IsSpace,  // x as DeviceCall::axis
  LocalUndef,
  CheckDefined,  // a = flag register, x = index into `names`
  // Coordinates: x = 3 * (0 thread, 1 block, 2 block size, 3 grid size) + axis. LaneInfo: x = DeviceOp.
  Coordinate,
  LaneInfo,
  // Synchronisation: flags = DeviceOp.
  Barrier,
  WarpSync,
  Fence,
  WarpOp,
  Printf,
  AssertFail,
  Trap,
  Refuse,  // not supported, which only matters when it runs; x = index into `names`
};

using MathFunction = uint64_t (*)(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
using IntFunction = uint64_t (*)(uint64_t a, uint64_t b, uint64_t c, uint64_t width);

enum class AtomicOp : uint8_t {
  Exchange,
  Add,
  Sub,
  And,
  Nand,
  Or,
  Xor,
  SMax,
  SMin,
  UMax,
  UMin,
  FAdd,
  FSub,
  FMax,
  FMin,
  UIncWrap,
  UDecWrap
};
enum class AtomicType : uint8_t { Integer, F32, F64, F16, BF16, F16x2, BF16x2 };  // x of AtomicRmw

struct Instruction {
  Op op = Op::Mov;
  uint8_t width = 0;
  uint8_t flags = 0;
  uint32_t dst = 0, a = 0, b = 0, c = 0;  // registers
  uint32_t x = 0;                         // anything but a register
  uint64_t imm = 0;
};

// Where an instruction comes from; `caller` leads outwards through inlined calls, 0 ends it.
struct Location {
  uint32_t path = 0;  // into Program::paths
  uint32_t line = 0, column = 0;
  uint32_t function = 0;  // into Program::names
  uint32_t caller = 0;    // into Program::locations
};

struct CodeBlock {
  uint32_t location = 0;
  uint32_t steps = 0;
};

// A struct passed by value: each thread has its own copy in local memory.
struct ByValue {
  uint32_t parameter = 0, offset = 0, size = 0;
};

// How wide a parameter is in registers.
struct Parameter {
  uint32_t reg = 0;
  uint32_t count = 1;
  uint32_t bits = 64;
};

struct Function {
  std::string name;
  std::vector<Instruction> code;
  std::vector<uint32_t> locations;  // of each instruction
  std::vector<uint32_t> operands;   // lists of registers for calls and warp operations
  std::vector<uint64_t> image;      // the start of a frame: constants, then flags that start at 0
  uint32_t registers = 0;           // of a frame, image included
  uint32_t local_bytes = 0;
  std::vector<std::pair<uint32_t, uint32_t>> locals;  // offset and size of objects in local memory, for bounds
  std::vector<Parameter> parameters;
  std::vector<ByValue> by_value;
  std::vector<CodeBlock> blocks;
  bool grid_barrier = false;  // waits for all blocks
};

enum class Space { Global, Shared, Constant };

struct GlobalVariable {
  std::string name;
  Space space = Space::Global;
  uint64_t size = 0, align = 1;
  uint32_t granule = 4;  // bytes of the scalar it is made of
  bool dynamic_shared = false;
  bool initialised = false;  // `bytes` holds its start; shared memory never is
  std::vector<uint8_t> bytes;
};

struct KernelEntry {
  analyzer::DeviceKernel facts;
  uint32_t function = 0;
};

struct Program {
  std::string source;
  std::vector<Function> functions;
  std::vector<GlobalVariable> globals;  // region kFirstGlobalRegion + index
  std::vector<KernelEntry> kernels;
  std::vector<Location> locations{Location{}};
  std::vector<std::string> paths{""}, names{""};

  const KernelEntry* findKernel(const std::string& name) const;

  // The innermost place of a location that is not inside our CUDA headers.
  SourcePlace place(uint32_t location) const;
};

}  // namespace np::kernel_port::simt

// Calls: of the module's own functions (the few that could not be inlined), and of everything device_call.h knows.

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include "kernel_port/simt/compiler_llvm.h"
#include "kernel_port/simt/ptx_compiler_llvm.h"

namespace np::kernel_port::simt {

using namespace llvm;

namespace {

uint64_t bitsOf(MathFunction function) { return reinterpret_cast<uintptr_t>(function); }

}  // namespace

Result<void> FunctionCompiler::call(const CallInst& call) {
  if (call.isInlineAsm()) return PtxCompiler(*this, call).compile();
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return callFunction(call, callee);
  if (callee->getName().starts_with("np_refuse_")) {  // our headers' word for a path that must not be taken
    std::string what = callee->getName().substr(10).str();
    std::replace(what.begin(), what.end(), '_', ' ');
    emit(Op::Refuse, 0).x = module_.nameIndex(what);
    return {};
  }
  const auto device = classifyDeviceCall(callee->getName());
  if (!device) return module_.unsupported("the device function \"" + callee->getName().str() + "\"", &call);
  return deviceCall(call, *device, callee->getName());
}

Result<void> FunctionCompiler::callFunction(const CallInst& call, const llvm::Function* callee) {
  if (call.arg_size() > 255) return module_.unsupported("a call with more than 255 arguments", &call);
  uint32_t target = 0;
  if (!callee) {
    NP_ASSIGN(target, operand(*call.getCalledOperand()));
  }
  std::vector<uint32_t> operands;
  for (const Use& argument : call.args()) {
    NP_ASSIGN(uint32_t reg, operand(*argument.get()));
    NP_ASSIGN(uint32_t count, leafCount(argument->getType()));
    for (uint32_t k = 0; k < count; ++k) operands.push_back(reg + k);
  }
  const uint32_t dst = call.getType()->isVoidTy() ? newRegisters(1) : result(call);
  simt::Instruction& out = emit(callee ? Op::Call : Op::CallIndirect, dst, target);
  if (callee) out.x = module_.functionIndex(*callee);
  out.flags = static_cast<uint8_t>(call.arg_size());
  out.imm = out_.operands.size();
  out_.operands.insert(out_.operands.end(), operands.begin(), operands.end());
  return {};
}

Result<void> FunctionCompiler::deviceCall(const CallInst& call, const DeviceCall& device, StringRef name) {
  const auto argument = [&](unsigned k) { return operand(*call.getArgOperand(k)); };
  const uint32_t dst = call.getType()->isVoidTy() ? 0 : result(call);
  switch (device.op) {
    case DeviceOp::ThreadId:
      emit(Op::Coordinate, dst).x = 0 + device.axis;
      return {};
    case DeviceOp::BlockId:
      emit(Op::Coordinate, dst).x = 3 + device.axis;
      return {};
    case DeviceOp::BlockDim:
      emit(Op::Coordinate, dst).x = 6 + device.axis;
      return {};
    case DeviceOp::GridDim:
      emit(Op::Coordinate, dst).x = 9 + device.axis;
      return {};
    case DeviceOp::WarpSize:
    case DeviceOp::LaneId:
    case DeviceOp::WarpId:
    case DeviceOp::LaneMaskEq:
    case DeviceOp::LaneMaskLe:
    case DeviceOp::LaneMaskLt:
    case DeviceOp::LaneMaskGe:
    case DeviceOp::LaneMaskGt:
    case DeviceOp::Clock:
      emit(Op::LaneInfo, dst).x = static_cast<uint32_t>(device.op);
      return {};

    case DeviceOp::Barrier:
    case DeviceOp::BarrierCount:
    case DeviceOp::BarrierAnd:
    case DeviceOp::BarrierOr:
    case DeviceOp::BarrierId:
    case DeviceOp::BarrierIdCount: {
      uint32_t first = 0, second = 0;
      if (call.arg_size() > 0) {
        NP_ASSIGN(first, argument(0));
      }
      if (call.arg_size() > 1) {
        NP_ASSIGN(second, argument(1));
      }
      emit(Op::Barrier, dst, first, first, second).flags = static_cast<uint8_t>(device.op);
      return {};
    }
    case DeviceOp::GridBarrier:
      out_.grid_barrier = true;
      emit(Op::Barrier, 0).flags = static_cast<uint8_t>(device.op);
      return {};
    case DeviceOp::IsSpace: {
      NP_ASSIGN(uint32_t address, argument(0));
      emit(Op::IsSpace, dst, address).x = static_cast<uint32_t>(device.axis);
      return {};
    }
    case DeviceOp::WarpSync: {
      NP_ASSIGN(uint32_t mask, argument(0));
      emit(Op::WarpSync, 0, mask).flags = static_cast<uint8_t>(device.op);
      return {};
    }
    case DeviceOp::Fence:
      emit(Op::Fence, 0);
      return {};

    case DeviceOp::Math:
      return math(call, device);
    case DeviceOp::MathPointer:
      return pointerMath(call, device);
    case DeviceOp::ToInteger:
    case DeviceOp::FromInteger:
    case DeviceOp::Narrow:
      return conversion(call, device);

    case DeviceOp::AtomicInc:
    case DeviceOp::AtomicDec: {
      NP_ASSIGN(uint32_t address, argument(0));
      NP_ASSIGN(uint32_t bound, argument(1));
      simt::Instruction& out = emit(Op::AtomicRmw, dst, address, bound);
      out.width = 4;
      out.flags = static_cast<uint8_t>(device.op == DeviceOp::AtomicInc ? AtomicOp::UIncWrap : AtomicOp::UDecWrap);
      return {};
    }
    case DeviceOp::MemCpy:
    case DeviceOp::MemMove:
    case DeviceOp::MemSet: {
      NP_ASSIGN(uint32_t to, argument(0));
      NP_ASSIGN(uint32_t from, argument(1));
      NP_ASSIGN(uint32_t size, argument(2));
      simt::Instruction& out = emit(device.op == DeviceOp::MemSet ? Op::MemSet : Op::MemCopy, 0, to, from, size);
      const auto align = [&](unsigned k) {
        return static_cast<uint32_t>(std::min<uint64_t>(call.getParamAlign(k).valueOrOne().value(), 4096));
      };
      out.x = align(0) << 16 | align(1);
      return call.getType()->isVoidTy() ? Result<void>() : same(call, to);  // the C functions return their target
    }
    case DeviceOp::LifetimeStart:
      return lifetimeStart(call);
    case DeviceOp::LifetimeEnd:
    case DeviceOp::NoEffect:
      return {};
    case DeviceOp::Identity: {
      NP_ASSIGN(uint32_t value, argument(0));
      return same(call, value);
    }
    case DeviceOp::Printf: {
      NP_ASSIGN(uint32_t format, argument(0));
      uint32_t values = 0;
      if (name == "vprintf") {
        NP_ASSIGN(values, argument(1));
      } else {
        NP_ASSIGN(values, packPrintfArguments(call));
      }
      emit(Op::Printf, dst, format, values);
      return {};
    }
    case DeviceOp::AssertFail: {
      NP_ASSIGN(uint32_t text, argument(0));
      emit(Op::AssertFail, 0, text);
      return {};
    }
    case DeviceOp::Trap:
      emit(Op::Trap, 0);
      return {};
    case DeviceOp::Malloc:
    case DeviceOp::Free:
      // A class with a virtual destructor mentions delete without ever calling it.
      emit(Op::Refuse, 0).x = module_.nameIndex("device memory allocation (\"" + name.str() + "\")");
      return {};
    default:
      break;
  }
  if (device.op >= DeviceOp::ShuffleIdx && device.op <= DeviceOp::ReduceXor) return warpOperation(call, device);
  return integerIntrinsic(call, device);
}

// A call of printf itself: its arguments go to local memory the way vprintf takes them.
Result<uint32_t> FunctionCompiler::packPrintfArguments(const CallInst& call) {
  const uint32_t buffer = newRegisters(1), start = (out_.local_bytes + 7) / 8 * 8;
  uint32_t offset = 0;
  emit(Op::LocalAddress, buffer).imm = start;
  for (unsigned k = 1; k < call.arg_size(); ++k) {
    const Value& value = *call.getArgOperand(k);
    NP_ASSIGN(uint32_t count, leafCount(value.getType()));
    if (count != 1) return module_.unsupported("printing a struct", &call);
    NP_ASSIGN(uint32_t reg, operand(value));
    const auto size = static_cast<uint32_t>(module_.layout().getTypeStoreSize(value.getType()).getFixedValue());
    offset = (offset + size - 1) / size * size;
    const uint32_t address = newRegisters(1);
    emit(Op::PtrAddImm, address, buffer).imm = offset;
    simt::Instruction& out = emit(Op::Store, 0, address, reg);
    out.width = static_cast<uint8_t>(size);
    out.x = size;
    offset += size;
  }
  out_.locals.push_back({start, offset});
  out_.local_bytes = start + offset + 16;
  return buffer;
}

// Operands: mask in a, value in b, lane in c, clamp in the operand list; redux takes (value, mask).
Result<void> FunctionCompiler::warpOperation(const CallInst& call, const DeviceCall& device) {
  const bool reduce = device.op >= DeviceOp::ReduceAdd && device.op <= DeviceOp::ReduceXor;
  uint32_t operands[4] = {0, 0, 0, 0};
  for (unsigned k = 0; k < call.arg_size() && k < 4; ++k) {
    NP_ASSIGN(operands[k], operand(*call.getArgOperand(k)));
  }
  if (reduce) std::swap(operands[0], operands[1]);
  simt::Instruction& out = emit(Op::WarpOp, result(call), operands[0], operands[1], operands[2]);
  out.flags = static_cast<uint8_t>(device.op);
  out.x = call.getType()->isStructTy();
  out.imm = out_.operands.size();
  out_.operands.push_back(operands[3]);
  return {};
}

Result<void> FunctionCompiler::math(const CallInst& call, const DeviceCall& device) {
  const Type* type = call.getType();
  for (const Use& argument : call.args())
    if (!floatType(type) && floatType(argument->getType())) type = argument->getType();
  if (!floatType(type) || call.arg_size() > 4)
    return module_.unsupported("this form of \"" + std::string(device.function) + "\"", &call);
  const FloatType format = *floatType(type);
  MathFunction function = mathFunction(device.function, format, device.rounding);
  const bool through_float = !function && (format == FloatType::F16 || format == FloatType::BF16);
  if (through_float) function = mathFunction(device.function, FloatType::F32, device.rounding);
  if (!function) return module_.unsupported("the function \"" + std::string(device.function) + "\"", &call);
  NP_ASSIGN(uint32_t count, leafCount(call.getType()));
  for (uint32_t k = 0; k < count; ++k) {
    const bool converts_back = through_float && floatType(call.getType());
    const uint32_t dst = converts_back ? newRegisters(1) : result(call) + k;
    uint32_t operands[4] = {0, 0, 0, dst};
    for (unsigned a = 0; a < call.arg_size(); ++a) {
      const Value& argument = *call.getArgOperand(a);
      NP_ASSIGN(uint32_t reg, operand(argument));
      if (argument.getType()->isVectorTy()) reg += k;
      if (through_float && floatType(argument.getType())) {
        NP_ASSIGN(reg, asFloat(reg, argument.getType()));
      }
      operands[a] = reg;
    }
    if (call.arg_size() == 4) move(dst, operands[3]);
    emit(Op::Math, dst, operands[0], operands[1], operands[2]).imm = bitsOf(function);
    if (converts_back) fromFloat(result(call) + k, dst, call.getType());
    if (call.getType()->isIntegerTy() && call.getType()->getIntegerBitWidth() < 64)
      emit(Op::Trunc, dst, dst).imm = maskOf(call.getType()->getIntegerBitWidth());
  }
  return {};
}

// frexp(x, int*), modf(x, float*), remquo(x, y, int*) return one result; sincos(x, float*, float*) stores both.
Result<void> FunctionCompiler::pointerMath(const CallInst& call, const DeviceCall& device) {
  const Type* type = call.getArgOperand(0)->getType();
  const MathFunction first = floatType(type) ? pointerMathPart(device.function, *floatType(type), 0) : nullptr;
  const MathFunction second = floatType(type) ? pointerMathPart(device.function, *floatType(type), 1) : nullptr;
  if (!first || !second) return module_.unsupported("the function \"" + std::string(device.function) + "\"", &call);
  NP_ASSIGN(uint32_t x, operand(*call.getArgOperand(0)));
  const bool two_operands = device.function == "remquo", two_stores = device.function.starts_with("sincos");
  uint32_t y = x;
  if (two_operands) {
    NP_ASSIGN(y, operand(*call.getArgOperand(1)));
  }
  const bool integer = device.function == "frexp" || two_operands;
  const auto size = static_cast<uint8_t>(integer ? 4 : *floatType(type) == FloatType::F64 ? 8 : 4);
  const uint32_t value = newRegisters(1), other = newRegisters(1);
  emit(Op::Math, value, x, y, y).imm = bitsOf(first);
  emit(Op::Math, other, x, y, y).imm = bitsOf(second);
  const auto put = [&](unsigned index, uint32_t from) -> Result<void> {
    NP_ASSIGN(uint32_t address, operand(*call.getArgOperand(index)));
    simt::Instruction& out = emit(Op::Store, 0, address, from);
    out.width = size;
    out.x = size;
    return {};
  };
  if (two_stores) {
    NP_TRY(put(1, value));
    return put(2, other);
  }
  move(result(call), value);
  return put(call.arg_size() - 1, other);
}

Result<void> FunctionCompiler::conversion(const CallInst& call, const DeviceCall& device) {
  NP_ASSIGN(uint32_t value, operand(*call.getArgOperand(0)));
  const Type* from = call.getArgOperand(0)->getType();
  MathFunction function = nullptr;
  const bool is_signed = device.function == "int" || device.function == "ll";
  if (device.op == DeviceOp::ToInteger) {
    const int width = device.function == "int" || device.function == "uint" ? 32 : 64;
    function = toInteger(*floatType(from), width, is_signed, device.rounding);
  } else if (device.op == DeviceOp::FromInteger) {
    function = fromInteger(*floatType(call.getType()), is_signed, device.rounding);
    if (is_signed && from->getIntegerBitWidth() < 64) {
      const uint32_t wide = newRegisters(1);
      simt::Instruction& out = emit(Op::SExt, wide, value);
      out.width = static_cast<uint8_t>(from->getIntegerBitWidth());
      out.imm = ~uint64_t{0};
      value = wide;
    }
  } else {
    function = convert(*floatType(from), *floatType(call.getType()), device.rounding);
  }
  if (!function) return module_.unsupported("this conversion", &call);
  emit(Op::Math, result(call), value, value, value).imm = bitsOf(function);
  return {};
}

Result<void> FunctionCompiler::integerIntrinsic(const CallInst& call, const DeviceCall& device) {
  const IntFunction function = intFunction(device.op), overflow = overflowFunction(device.op);
  if (!function || call.getType()->isVectorTy())
    return module_.unsupported("the function \"" + call.getCalledFunction()->getName().str() + "\"", &call);
  uint32_t operands[3] = {0, 0, 0};
  for (unsigned k = 0; k < call.arg_size() && k < 3; ++k) {
    NP_ASSIGN(operands[k], operand(*call.getArgOperand(k)));
  }
  const auto width = static_cast<uint8_t>(call.getArgOperand(0)->getType()->getIntegerBitWidth());
  simt::Instruction& out = emit(Op::IntMath, result(call), operands[0], operands[1], operands[2]);
  out.width = width;
  out.imm = reinterpret_cast<uintptr_t>(function);
  if (overflow) {
    simt::Instruction& flag = emit(Op::IntMath, result(call) + 1, operands[0], operands[1], operands[2]);
    flag.width = width;
    flag.imm = reinterpret_cast<uintptr_t>(overflow);
  }
  return {};
}

}  // namespace np::kernel_port::simt

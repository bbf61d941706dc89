// Calls of device functions as plain IR where that says exactly the same, else as calls of the checked interpreter's
// own functions. What stays a call: coordinates, barriers, warp operations. fmax and fmin are written out as the host's
// libm decides them: of equal operands (two zeros) the first.

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include "kernel_port/simt/fast/prepare_llvm.h"
#include "kernel_port/simt/fast/symbols.h"

namespace np::kernel_port::fast {

using namespace llvm;

namespace {

std::optional<FloatType> floatType(const Type* type) {
  if (type->isFloatTy()) return FloatType::F32;
  if (type->isDoubleTy()) return FloatType::F64;
  if (type->isHalfTy()) return FloatType::F16;
  if (type->isBFloatTy()) return FloatType::BF16;
  return std::nullopt;
}

class Lowering {
 public:
  Lowering(CallInst& call, const DeviceCall& device, const Specialisation& launch)
      : call_(call), device_(device), launch_(launch), builder_(&call), module_(*call.getModule()) {}

  Result<void> lower() {
    switch (device_.op) {
      case DeviceOp::BlockDim:
        return replace(builder_.getInt32(launch_.block[device_.axis]));
      case DeviceOp::WarpSize:
        return replace(builder_.getInt32(32));
      case DeviceOp::LaneId:
        return replace(builder_.CreateAnd(linearThread(), 31));
      case DeviceOp::WarpId:
        return replace(builder_.CreateLShr(linearThread(), 5));
      case DeviceOp::LaneMaskEq:
      case DeviceOp::LaneMaskLe:
      case DeviceOp::LaneMaskLt:
      case DeviceOp::LaneMaskGe:
      case DeviceOp::LaneMaskGt:
        return laneMask();
      case DeviceOp::Math:
        return math();
      case DeviceOp::MathPointer:
        return pointerMath();
      case DeviceOp::ToInteger:
      case DeviceOp::FromInteger:
      case DeviceOp::Narrow:
        return conversion();
      case DeviceOp::AtomicInc:
      case DeviceOp::AtomicDec:
        return replace(builder_.CreateAtomicRMW(
            device_.op == DeviceOp::AtomicInc ? AtomicRMWInst::UIncWrap : AtomicRMWInst::UDecWrap,
            call_.getArgOperand(0), call_.getArgOperand(1), MaybeAlign(4), AtomicOrdering::Monotonic));
      case DeviceOp::Fence:
        if (launch_.parallel) builder_.CreateFence(AtomicOrdering::SequentiallyConsistent);
        return remove();
      case DeviceOp::Identity:
        return replace(call_.getArgOperand(0));
      case DeviceOp::NoEffect:
        return remove();
      case DeviceOp::Trap:
      case DeviceOp::AssertFail:
        builder_.CreateCall(module_.getOrInsertFunction("np.trap", builder_.getVoidTy()));
        return remove();
      case DeviceOp::MemCpy:
      case DeviceOp::MemMove:
      case DeviceOp::MemSet:
        return isa<IntrinsicInst>(call_) ? Result<void>() : memory();
      case DeviceOp::Clock:
      case DeviceOp::BarrierArrive:
      case DeviceOp::BarrierIdCount:
      case DeviceOp::BarrierId:
      case DeviceOp::GridBarrier:
      case DeviceOp::MatrixMultiply:
      case DeviceOp::LoadMatrix:
      case DeviceOp::IsSpace:
      case DeviceOp::Printf:
      case DeviceOp::Malloc:
      case DeviceOp::Free:
        return unsupported("\"" + call_.getCalledFunction()->getName().str() + "\"", call_);
      default:
        return {};
    }
  }

 private:
  Result<void> replace(Value* value) {
    if (value != &call_) call_.replaceAllUsesWith(value);
    call_.eraseFromParent();
    return {};
  }
  Result<void> remove() {
    if (!call_.use_empty()) return unsupported("the result of this call", call_);
    call_.eraseFromParent();
    return {};
  }

  Value* coordinate(Intrinsic::ID id) { return builder_.CreateIntrinsic(id, {}, {}); }
  Value* linearThread() {
    Value* x = coordinate(Intrinsic::nvvm_read_ptx_sreg_tid_x);
    if (launch_.block[1] * launch_.block[2] == 1) return x;
    Value* yz = coordinate(Intrinsic::nvvm_read_ptx_sreg_tid_y);
    if (launch_.block[2] != 1)
      yz = builder_.CreateAdd(
          yz, builder_.CreateMul(coordinate(Intrinsic::nvvm_read_ptx_sreg_tid_z), builder_.getInt32(launch_.block[1])));
    return builder_.CreateAdd(x, builder_.CreateMul(yz, builder_.getInt32(launch_.block[0])));
  }

  Result<void> laneMask() {
    Value* bit = builder_.CreateShl(builder_.getInt32(1), builder_.CreateAnd(linearThread(), 31));
    Value* below = builder_.CreateSub(bit, builder_.getInt32(1));
    switch (device_.op) {
      case DeviceOp::LaneMaskEq:
        return replace(bit);
      case DeviceOp::LaneMaskLt:
        return replace(below);
      case DeviceOp::LaneMaskLe:
        return replace(builder_.CreateOr(below, bit));
      case DeviceOp::LaneMaskGe:
        return replace(builder_.CreateNot(below));
      default:
        return replace(builder_.CreateNot(builder_.CreateOr(below, bit)));
    }
  }

  Value* pattern(Value* value) {
    Type* type = value->getType();
    if (!type->isIntegerTy()) value = builder_.CreateBitCast(value, builder_.getIntNTy(type->getScalarSizeInBits()));
    return builder_.CreateZExt(value, builder_.getInt64Ty());
  }
  Value* fromPattern(Value* value, Type* type) {
    Value* narrow = builder_.CreateTrunc(value, builder_.getIntNTy(type->getScalarSizeInBits()));
    return type->isIntegerTy() ? narrow : builder_.CreateBitCast(narrow, type);
  }
  Value* outside(const std::string& symbol, std::vector<Value*> operands, Type* type) {
    auto* i64 = builder_.getInt64Ty();
    FunctionCallee callee = module_.getOrInsertFunction(symbol, FunctionType::get(i64, {i64, i64, i64, i64}, false));
    auto* function = cast<Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    for (Value*& operand : operands) operand = pattern(operand);
    operands.resize(4, builder_.getInt64(0));
    return fromPattern(builder_.CreateCall(callee, operands), type);
  }

  // Functions that one LLVM operation computes exactly as libm does.
  Value* exact(Type* type) {
    constexpr std::pair<std::string_view, Intrinsic::ID> kSame[] = {
        {"fabs", Intrinsic::fabs},      {"sqrt", Intrinsic::sqrt},         {"floor", Intrinsic::floor},
        {"ceil", Intrinsic::ceil},      {"trunc", Intrinsic::trunc},       {"rint", Intrinsic::rint},
        {"nearbyint", Intrinsic::rint}, {"copysign", Intrinsic::copysign}, {"fma", Intrinsic::fma}};
    if (device_.rounding != 'n' || (!type->isFloatTy() && !type->isDoubleTy())) return nullptr;
    const auto operand = [&](unsigned k) { return call_.getArgOperand(k); };
    for (const auto& [name, id] : kSame) {
      if (device_.function != name) continue;
      return builder_.CreateIntrinsic(id, {type}, SmallVector<Value*>(call_.args()));
    }
    const std::string_view f = device_.function;
    if (f == "fmax" || f == "fmin") {
      Value *a = operand(0), *b = operand(1);
      Value* first = f == "fmax" ? builder_.CreateFCmpOGE(a, b) : builder_.CreateFCmpOLE(a, b);
      return builder_.CreateSelect(builder_.CreateOr(first, builder_.CreateFCmpUNO(b, b)), a, b);
    }
    if (f == "add") return builder_.CreateFAdd(operand(0), operand(1));
    if (f == "sub") return builder_.CreateFSub(operand(0), operand(1));
    if (f == "mul") return builder_.CreateFMul(operand(0), operand(1));
    if (f == "div" || f == "fdividef") return builder_.CreateFDiv(operand(0), operand(1));
    if (f == "rcp") return builder_.CreateFDiv(ConstantFP::get(type, 1.0), operand(0));
    if (f == "rsqrt") {  // in double, as the interpreter's
      Value* wide = type->isDoubleTy() ? operand(0) : builder_.CreateFPExt(operand(0), builder_.getDoubleTy());
      Value* root = builder_.CreateUnaryIntrinsic(Intrinsic::sqrt, wide);
      Value* out = builder_.CreateFDiv(ConstantFP::get(builder_.getDoubleTy(), 1.0), root);
      return type->isDoubleTy() ? out : builder_.CreateFPTrunc(out, type);
    }
    return nullptr;
  }

  Result<void> math() {
    Type* type = call_.getType();
    for (const Use& argument : call_.args())
      if (!floatType(type) && floatType(argument->getType())) type = argument->getType();
    const auto format = floatType(type);
    if (!format || call_.arg_size() > 4)
      return unsupported("this form of \"" + std::string(device_.function) + "\"", call_);
    if (Value* value = exact(type)) return replace(value);
    std::vector<Value*> operands(call_.args().begin(), call_.args().end());
    const std::string symbol = mathSymbol(device_.function, *format, device_.rounding);
    if (symbolAddress(symbol)) return replace(outside(symbol, operands, call_.getType()));
    const std::string through = mathSymbol(device_.function, FloatType::F32, device_.rounding);
    if ((*format != FloatType::F16 && *format != FloatType::BF16) || !symbolAddress(through))
      return unsupported("the function \"" + std::string(device_.function) + "\"", call_);
    for (Value*& operand : operands)
      if (floatType(operand->getType())) operand = builder_.CreateFPExt(operand, builder_.getFloatTy());
    const bool back = floatType(call_.getType()).has_value();
    Value* out = outside(through, operands, back ? builder_.getFloatTy() : call_.getType());
    return replace(back ? builder_.CreateFPTrunc(out, call_.getType()) : out);
  }

  Result<void> pointerMath() {
    const auto format = floatType(call_.getArgOperand(0)->getType());
    if (!format || *format > FloatType::F64)
      return unsupported("this form of \"" + std::string(device_.function) + "\"", call_);
    std::vector<Value*> operands;
    std::vector<Value*> targets;
    for (const Use& argument : call_.args())
      (argument->getType()->isPointerTy() ? targets : operands).push_back(argument);
    const bool returns = !call_.getType()->isVoidTy();
    if (targets.size() + returns != 2)
      return unsupported("this form of \"" + std::string(device_.function) + "\"", call_);
    Type* type = call_.getArgOperand(0)->getType();
    const bool integer = device_.function == "frexp" || device_.function == "remquo";
    Value* parts[2];
    for (int part = 0; part < 2; ++part) {
      const std::string symbol = pointerMathSymbol(device_.function, *format, part);
      if (!symbolAddress(symbol)) return unsupported("the function \"" + std::string(device_.function) + "\"", call_);
      parts[part] = outside(symbol, operands, part == 1 && integer ? builder_.getInt32Ty() : type);
    }
    for (size_t k = 0; k < targets.size(); ++k) builder_.CreateStore(parts[k + returns], targets[k]);
    if (returns) return replace(parts[0]);
    call_.eraseFromParent();
    return {};
  }

  Result<void> conversion() {
    Type *from = call_.getArgOperand(0)->getType(), *to = call_.getType();
    const std::string_view f = device_.function;
    if (device_.op == DeviceOp::ToInteger && floatType(from)) {
      const int width = f == "ll" || f == "ull" ? 64 : 32;
      return replace(outside(toIntegerSymbol(*floatType(from), width, f == "int" || f == "ll", device_.rounding),
                             {call_.getArgOperand(0)}, to));
    }
    if (device_.op == DeviceOp::FromInteger && floatType(to)) {
      const bool is_signed = f == "int" || f == "ll";
      Value* wide = builder_.CreateIntCast(call_.getArgOperand(0), builder_.getInt64Ty(), is_signed);
      return replace(outside(fromIntegerSymbol(*floatType(to), is_signed, device_.rounding), {wide}, to));
    }
    if (device_.op == DeviceOp::Narrow && floatType(from) && floatType(to))
      return replace(
          outside(convertSymbol(*floatType(from), *floatType(to), device_.rounding), {call_.getArgOperand(0)}, to));
    return unsupported("this conversion", call_);
  }

  Result<void> memory() {
    Value *to = call_.getArgOperand(0), *what = call_.getArgOperand(1), *size = call_.getArgOperand(2);
    if (device_.op == DeviceOp::MemSet) {
      builder_.CreateMemSet(to, builder_.CreateTrunc(what, builder_.getInt8Ty()), size, MaybeAlign(1));
    } else {
      builder_.CreateMemMove(to, MaybeAlign(1), what, MaybeAlign(1), size);
    }
    return replace(to);
  }

  CallInst& call_;
  const DeviceCall& device_;
  const Specialisation& launch_;
  IRBuilder<> builder_;
  Module& module_;
};

}  // namespace

std::optional<DeviceCall> deviceCallOf(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !call->getCalledFunction() || !call->getCalledFunction()->isDeclaration()) return std::nullopt;
  return classifyDeviceCall(call->getCalledFunction()->getName());
}

Result<void> lowerCalls(Function& function, const Specialisation& launch) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    // The number of a shared address is 32 bits of a window on the device; here there is no such window.
    if (isa<PtrToIntInst>(instruction) && instruction.getOperand(0)->getType()->getPointerAddressSpace() != 0)
      return unsupported("an address as a number", instruction);
    if (isa<IntToPtrInst>(instruction) && instruction.getType()->getPointerAddressSpace() != 0)
      return unsupported("a number as an address", instruction);
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call) continue;
    if (call->isInlineAsm()) return unsupported("inline PTX", *call);
    const Function* callee = call->getCalledFunction();
    if (!callee) return unsupported("a call through a pointer", *call);
    if (!callee->isDeclaration()) return unsupported("a call that cannot be inlined", *call);
    if (callee->getName().starts_with("np.") || callee->getIntrinsicID() == Intrinsic::fptosi_sat ||
        callee->getIntrinsicID() == Intrinsic::fptoui_sat)
      continue;
    const auto device = classifyDeviceCall(callee->getName());
    if (!device) return unsupported("the device function \"" + callee->getName().str() + "\"", *call);
    if (call->getType()->isVectorTy()) return unsupported("a call on vectors", *call);
    NP_TRY(Lowering(*call, *device, launch).lower());
  }
  return {};
}

}  // namespace np::kernel_port::fast

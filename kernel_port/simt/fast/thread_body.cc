// The fallback: each thread is a worker and runs the kernel as it is; a thread that must wait is a fiber. Slow, and
// right for every kernel that the fast engine takes at all.

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "kernel_port/simt/fast/code_llvm.h"
#include "kernel_port/simt/fast/runtime.h"

namespace np::kernel_port::fast {

using namespace llvm;

namespace {

class ThreadBody {
 public:
  ThreadBody(Function& body, const Specialisation& launch) : body_(body), launch_(launch) {}

  Result<bool> rewrite() {
    for (Instruction& instruction : make_early_inc_range(instructions(body_))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (!call) continue;
      if (call->getCalledFunction() && call->getCalledFunction()->getName() == "np.trap") {
        IRBuilder<> builder(call);
        leave(builder, Outcome::Trapped);
        call->eraseFromParent();
        continue;
      }
      const auto device = deviceCallOf(instruction);
      if (!device) continue;
      if (device->op >= DeviceOp::ThreadId && device->op <= DeviceOp::GridDim) {
        coordinate(*call, *device);
      } else if (device->op >= DeviceOp::Barrier && device->op <= DeviceOp::BarrierOr) {
        IRBuilder<> builder(call);
        Value* value = call->arg_size() ? call->getArgOperand(0) : builder.getInt32(0);
        replace(*call, wait(builder, device->op, builder.getInt32(0), value, builder.getInt32(0), builder.getInt32(0)));
      } else if (device->op >= DeviceOp::WarpSync && device->op <= DeviceOp::ReduceXor &&
                 device->op != DeviceOp::Fence) {
        warpOperation(*call, device->op);
      }
    }
    return waits_;
  }

 private:
  void coordinate(CallInst& call, const DeviceCall& device) {
    IRBuilder<> builder(&call);
    Value* out = nullptr;
    if (device.op == DeviceOp::BlockId) {
      out = extra(body_, static_cast<Extra>(static_cast<unsigned>(Extra::BlockX) + device.axis));
    } else if (device.op == DeviceOp::GridDim) {
      out = gridExtent(builder, body_, device.axis);
    } else {
      Value* worker = extra(body_, Extra::Worker);
      uint32_t below = 1;
      for (int axis = 0; axis < device.axis; ++axis) below *= launch_.block[axis];
      out = builder.CreateURem(builder.CreateUDiv(worker, builder.getInt32(below)),
                               builder.getInt32(launch_.block[device.axis]));
    }
    call.replaceAllUsesWith(out);
    call.eraseFromParent();
  }

  Value* wait(IRBuilder<>& builder, DeviceOp op, Value* mask, Value* value, Value* lane, Value* control) {
    waits_ = true;
    auto* i32 = builder.getInt32Ty();
    auto* i64 = builder.getInt64Ty();
    FunctionCallee callee = body_.getParent()->getOrInsertFunction(
        "np.wait", FunctionType::get(i64, {builder.getPtrTy(), i32, i32, i32, i64, i32, i32}, false));
    Type* type = value->getType();
    if (!type->isIntegerTy()) value = builder.CreateBitCast(value, builder.getIntNTy(type->getScalarSizeInBits()));
    return builder.CreateCall(
        callee, {extra(body_, Extra::State), builder.getInt32(static_cast<uint32_t>(op)), builder.getInt32(sites_++),
                 mask, builder.CreateZExt(value, i64), lane, control});
  }

  void replace(CallInst& call, Value* pattern) {
    IRBuilder<> builder(&call);
    if (!call.getType()->isVoidTy()) {
      auto* pair = dyn_cast<StructType>(call.getType());
      Type* type = pair ? pair->getElementType(0) : call.getType();
      Value* out = builder.CreateTrunc(pattern, builder.getIntNTy(type->getScalarSizeInBits()));
      if (!type->isIntegerTy()) out = builder.CreateBitCast(out, type);
      if (pair) {
        FunctionCallee callee =
            body_.getParent()->getOrInsertFunction("np.predicate", builder.getInt32Ty(), builder.getPtrTy());
        Value* flag =
            builder.CreateTrunc(builder.CreateCall(callee, {extra(body_, Extra::State)}), pair->getElementType(1));
        out = builder.CreateInsertValue(PoisonValue::get(pair), out, 0);
        out = builder.CreateInsertValue(out, flag, 1);
      }
      call.replaceAllUsesWith(out);
    }
    call.eraseFromParent();
  }

  void warpOperation(CallInst& call, DeviceOp op) {
    IRBuilder<> builder(&call);
    Value* zero = builder.getInt32(0);
    const auto operand = [&](unsigned k) { return k < call.arg_size() ? call.getArgOperand(k) : zero; };
    const bool reduce = op >= DeviceOp::ReduceAdd && op <= DeviceOp::ReduceXor;  // (value, mask)
    Value* mask = reduce ? operand(1) : operand(0);
    Value* value = reduce ? operand(0) : operand(1);
    const bool shuffle = op >= DeviceOp::ShuffleIdx && op <= DeviceOp::ShuffleXor;
    replace(call, wait(builder, op, mask, value, shuffle ? operand(2) : zero, shuffle ? operand(3) : zero));
  }

  void leave(IRBuilder<>& builder, Outcome outcome) {
    FunctionCallee callee = body_.getParent()->getOrInsertFunction("np.leave", builder.getVoidTy(), builder.getPtrTy(),
                                                                   builder.getInt32Ty());
    builder.CreateCall(callee, {extra(body_, Extra::State), builder.getInt32(static_cast<int>(outcome))});
  }

  Function& body_;
  const Specialisation& launch_;
  bool waits_ = false;
  uint32_t sites_ = 0;
};

}  // namespace

Result<Body> makeThreadBody(const Prepared& kernel, const Specialisation& launch) {
  Body out;
  out.function = createBody(kernel, "np.body");
  ValueToValueMapTy map;
  for (Argument& argument : kernel.function->args()) map[&argument] = out.function->getArg(argument.getArgNo());
  const AttributeList attributes = out.function->getAttributes();
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(out.function, kernel.function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  out.function->setAttributes(attributes);
  NP_ASSIGN(out.waits, ThreadBody(*out.function, launch).rewrite());
  out.workers = launch.threads();
  out.warp = 32;
  return out;
}

}  // namespace np::kernel_port::fast

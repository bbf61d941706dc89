// The loop over blocks and workers, in IR, so that the body is inlined into it and what does not change from block to
// block is computed once.

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "kernel_port/simt/fast/code_llvm.h"
#include "kernel_port/simt/fast/runtime.h"

namespace np::kernel_port::fast {

using namespace llvm;

Argument* extra(Function& body, Extra which) {
  return body.getArg(static_cast<unsigned>(body.arg_size()) - static_cast<unsigned>(Extra::Count) +
                     static_cast<unsigned>(which));
}

Function* createBody(const Prepared& kernel, StringRef name) {
  Function& source = *kernel.function;
  LLVMContext& context = source.getContext();
  std::vector<Type*> types;
  for (const Argument& argument : source.args()) types.push_back(argument.getType());  // ends with the arena
  types.push_back(PointerType::get(context, 0));
  for (int k = 0; k < 4; ++k) types.push_back(Type::getInt32Ty(context));
  Function* out = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                   GlobalValue::InternalLinkage, name, source.getParent());
  for (const Argument& argument : source.args())
    for (const auto kind : {Attribute::NoAlias, Attribute::NonNull})
      if (argument.hasAttribute(kind)) out->getArg(argument.getArgNo())->addAttr(kind);
  for (const char* name : {"target-cpu", "target-features", "min-legal-vector-width", "prefer-vector-width"})
    out->addFnAttr(source.getFnAttribute(name));
  out->setDoesNotThrow();
  out->addFnAttr(Attribute::AlwaysInline);
  return out;
}

Value* gridExtent(IRBuilderBase& builder, Function& body, int axis) {
  Value* place = builder.CreateConstGEP1_64(builder.getInt8Ty(), extra(body, Extra::State), kStateGrid + 4 * axis);
  auto* load = builder.CreateAlignedLoad(builder.getInt32Ty(), place, Align(4));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

void makeRunFunction(const Body& body, size_t parameters) {
  Function& inner = *body.function;
  Module& module = *inner.getParent();
  LLVMContext& context = module.getContext();
  auto* i32 = Type::getInt32Ty(context);
  auto* i64 = Type::getInt64Ty(context);
  auto* pointer = PointerType::get(context, 0);
  Function* run =
      Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer, pointer, i64, i64, i32}, false),
                       GlobalValue::ExternalLinkage, "np.run", module);
  for (const char* name : {"target-cpu", "target-features", "min-legal-vector-width", "prefer-vector-width"})
    run->addFnAttr(inner.getFnAttribute(name));
  run->setDoesNotThrow();
  Value *arguments = run->getArg(0), *state = run->getArg(1), *first = run->getArg(2), *end = run->getArg(3);
  auto* entry = BasicBlock::Create(context, "entry", run);
  auto* block = BasicBlock::Create(context, "block", run);
  auto* work = BasicBlock::Create(context, "worker", run);
  auto* next = BasicBlock::Create(context, "next", run);
  auto* done = BasicBlock::Create(context, "done", run);
  IRBuilder<> builder(entry);
  std::vector<Value*> operands;
  for (size_t k = 0; k < parameters; ++k) {
    Value* place = builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, arguments, k));
    Type* type = inner.getArg(k)->getType();
    // A struct by value is passed as the address of its bytes; see withArena.
    operands.push_back(inner.getArg(k)->hasAttribute(Attribute::NonNull) ? place : builder.CreateLoad(type, place));
  }
  Value* arena =
      builder.CreateAlignedLoad(pointer, builder.CreateConstGEP1_64(builder.getInt8Ty(), state, kStateArena), Align(8));
  Value* extents[2];
  for (int axis = 0; axis < 2; ++axis)
    extents[axis] = builder.CreateAlignedLoad(
        i32, builder.CreateConstGEP1_64(builder.getInt8Ty(), state, kStateGrid + 4 * axis), Align(4));
  builder.CreateCondBr(builder.CreateICmpSLT(first, end), block, done);

  builder.SetInsertPoint(block);
  PHINode* index = builder.CreatePHI(i64, 2);
  index->addIncoming(first, entry);
  Value* linear = builder.CreateTrunc(index, i32);
  Value* rest = builder.CreateUDiv(linear, extents[0]);
  Value* coordinates[3] = {builder.CreateURem(linear, extents[0]), builder.CreateURem(rest, extents[1]),
                           builder.CreateUDiv(rest, extents[1])};
  builder.CreateBr(work);

  builder.SetInsertPoint(work);
  PHINode* counter = nullptr;
  Value* worker = run->getArg(4);
  if (!body.waits) {
    counter = builder.CreatePHI(i32, 2);
    counter->addIncoming(builder.getInt32(0), block);
    worker = counter;
  }
  operands.insert(operands.end(), {arena, state, coordinates[0], coordinates[1], coordinates[2], worker});
  builder.CreateCall(&inner, operands);
  if (body.waits) {
    builder.CreateCall(module.getOrInsertFunction("np.block_end", builder.getVoidTy(), pointer), {state});
    builder.CreateBr(next);
  } else {
    Value* following = builder.CreateAdd(counter, builder.getInt32(1));
    counter->addIncoming(following, work);
    builder.CreateCondBr(builder.CreateICmpULT(following, builder.getInt32(body.workers)), work, next);
  }
  builder.SetInsertPoint(next);
  Value* following = builder.CreateAdd(index, builder.getInt64(1));
  index->addIncoming(following, next);
  builder.CreateCondBr(builder.CreateICmpSLT(following, end), block, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

}  // namespace np::kernel_port::fast

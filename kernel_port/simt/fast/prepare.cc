// From the front end's IR to IR for the host: one kernel with everything inlined, shared memory in an arena, device
// calls lowered, then the scalar clean-up of the vectoriser's pipeline. NVPTX address spaces stay as they are: x86
// takes all below 256 for the same flat memory.

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "kernel_port/simt/fast/prepare_llvm.h"

namespace np::kernel_port::fast {

using namespace llvm;

std::string placeOf(const Instruction& instruction) {
  if (const DebugLoc& at = instruction.getDebugLoc())
    return at->getFilename().str() + ":" + std::to_string(at.getLine()) + ":" + std::to_string(at.getCol());
  return instruction.getFunction() ? instruction.getFunction()->getName().str() : "";
}

Error unsupported(const std::string& what, const Instruction& at) {
  return makeError("unsupported", what + " is not supported by the fast engine; use the checked one", placeOf(at));
}

namespace {

constexpr unsigned kShared = 3;

// The kernel with one more parameter, the arena. Structs passed by value become copies of their own.
Function* withArena(Function& kernel) {
  LLVMContext& context = kernel.getContext();
  auto* pointer = PointerType::get(context, 0);
  std::vector<Type*> types;
  for (const Argument& argument : kernel.args()) types.push_back(argument.getType());
  types.push_back(pointer);
  Function* out = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                   GlobalValue::ExternalLinkage, "np.kernel", kernel.getParent());
  ValueToValueMapTy map;
  auto* entry = BasicBlock::Create(context, "entry", out);
  IRBuilder<> builder(entry);
  for (Argument& argument : kernel.args()) {
    Argument* own = out->getArg(argument.getArgNo());
    map[&argument] = own;
    if (argument.hasByValAttr()) {
      Type* type = argument.getParamByValType();
      auto* copy = builder.CreateAlloca(type);
      copy->setAlignment(std::max(Align(16), argument.getParamAlign().valueOrOne()));
      builder.CreateMemCpy(copy, copy->getAlign(), own, MaybeAlign(1), kernel.getDataLayout().getTypeAllocSize(type));
      map[&argument] = copy;
    }
  }
  SmallVector<ReturnInst*> returns;
  CloneFunctionInto(out, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  out->setAttributes(AttributeList());  // what the source promises about pointers is not taken on trust
  for (Argument& argument : kernel.args()) {
    Argument* own = out->getArg(argument.getArgNo());
    if (argument.hasByValAttr()) {
      own->addAttr(Attribute::NonNull);  // tells makeRunFunction
    }
  }
  // Nothing is `noalias`: LLVM would carry values in registers across barriers, where other threads write the same
  // memory.
  out->setDoesNotThrow();
  BasicBlock& old_entry = *cast<BasicBlock>(map[&kernel.getEntryBlock()]);
  for (Instruction& instruction : make_early_inc_range(old_entry))
    if (isa<AllocaInst>(instruction)) instruction.moveBefore(*entry, entry->begin());  // only there SROA sees them
  builder.SetInsertPoint(entry);
  builder.CreateBr(&old_entry);
  return out;
}

// Places shared variables in the arena.
Result<uint64_t> placeShared(Function& kernel) {
  Module& module = *kernel.getParent();
  const DataLayout& layout = module.getDataLayout();
  SmallVector<GlobalVariable*> shared;
  for (GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == kShared) {
      shared.push_back(&variable);
    } else if (!variable.use_empty() && !variable.isConstant() && variable.getAddressSpace() != 4) {
      for (User* user : variable.users())
        if (auto* at = dyn_cast<Instruction>(user); at && at->getFunction() == &kernel)
          return unsupported("the device variable \"" + variable.getName().str() + "\"", *at);
    }
  }
  SmallVector<Constant*> constants(shared.begin(), shared.end());
  convertUsersOfConstantsToInstructions(constants, &kernel);
  Argument* arena = kernel.getArg(static_cast<unsigned>(kernel.arg_size()) - 1);
  uint64_t size = 0;
  std::vector<std::pair<GlobalVariable*, uint64_t>> places;
  for (int dynamic = 0; dynamic < 2; ++dynamic) {
    for (GlobalVariable* variable : shared) {
      if (variable->isDeclaration() != (dynamic == 1)) continue;
      size = alignTo(size, 128);
      places.emplace_back(variable, size);
      if (!dynamic) size += layout.getTypeAllocSize(variable->getValueType());
    }
    size = alignTo(size, 128);
  }
  for (const auto& [variable, offset] : places) {
    for (Use& use : make_early_inc_range(variable->uses())) {
      auto* user = dyn_cast<Instruction>(use.getUser());
      if (!user || user->getFunction() != &kernel) continue;
      auto* phi = dyn_cast<PHINode>(user);
      IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
      Value* place = builder.CreateConstGEP1_64(builder.getInt8Ty(), arena, offset);
      if (auto* cast = dyn_cast<AddrSpaceCastInst>(user); cast && cast->getDestAddressSpace() == 0) {
        cast->replaceAllUsesWith(place);
      } else {
        use.set(builder.CreateAddrSpaceCast(place, variable->getType()));
      }
    }
  }
  return size;
}

void addRanges(Function& kernel, const Specialisation& launch) {
  MDBuilder builder(kernel.getContext());
  for (Instruction& instruction : instructions(kernel)) {
    const auto device = deviceCallOf(instruction);
    if (!device) continue;
    uint32_t end = 0;
    if (device->op == DeviceOp::ThreadId) end = launch.block[device->axis];
    if (device->op == DeviceOp::BlockId) end = 0x7fffffff;
    if (end) instruction.setMetadata(LLVMContext::MD_range, builder.createRange(APInt(32, 0), APInt(32, end)));
  }
}

}  // namespace

Result<Prepared> prepareKernel(Module& module, StringRef symbol, const Specialisation& launch,
                               const jit::HostCompiler& compiler) {
  Function* source = module.getFunction(symbol);
  if (!source || source->isDeclaration()) return makeError("no-kernel", "kernel \"" + symbol.str() + "\" has no body");
  module.setTargetTriple("");
  Prepared out;
  out.function = withArena(*source);
  for (GlobalVariable& variable : module.globals())
    if (variable.getName() == "llvm.used" || variable.getName() == "llvm.compiler.used")
      variable.setLinkage(GlobalValue::InternalLinkage);
  NP_ASSIGN(out.static_shared, placeShared(*out.function));
  defineArithmetic(*out.function);
  NP_TRY(lowerCalls(*out.function, launch));
  addRanges(*out.function, launch);
  StripDebugInfo(module);
  // Nothing else of the module is needed; bodies of other functions would only be compiled.
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable* used = module.getNamedGlobal(list)) used->eraseFromParent();
  if (NamedMDNode* notes = module.getNamedMetadata("nvvm.annotations")) notes->eraseFromParent();
  for (Function& function : module)
    if (&function != out.function && !function.isDeclaration()) function.deleteBody();
  compiler.retarget(module);
  compiler.optimise(
      module, "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>),globaldce");
  return out;
}

}  // namespace np::kernel_port::fast

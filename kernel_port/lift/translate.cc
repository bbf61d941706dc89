// Walks the prepared kernel once and emits one operation per instruction.
//
// Slots are numbered values; constants get slots that are filled before a thread starts. An instruction without a
// compact form becomes `Unsupported` with a message and only refuses the kernel when it is executed, so that a printf
// in a branch that is never taken shows up as missing coverage instead.
#include "kernel_port/lift/translate.h"

#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/lift/llvm_codes.h"
#include "kernel_port/lift/math_names.h"
#include "kernel_port/lift/prepare.h"
#include "kernel_port/lift/ragged_loops.h"
#include "kernel_port/spec/dtype.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

namespace np::kernel_port::lift {

namespace {

using Inst = llvm::Instruction;

int widthOf(const llvm::Type* type) {
  if (type->isIntegerTy()) return static_cast<int>(type->getIntegerBitWidth());
  return type->isPointerTy() ? 64 : 0;
}

Kind kindOf(const llvm::Type* type) {
  if (type->isIntegerTy()) return type->isIntegerTy(1) ? Kind::Bool : Kind::Int;
  if (type->isFloatingPointTy()) return Kind::Float;
  return type->isPointerTy() ? Kind::Pointer : Kind::None;
}

std::string textOf(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  value.print(out);
  return text.substr(text.find_first_not_of(' '));
}

class Translator {
 public:
  explicit Translator(llvm::Function& function) : function_(function), layout_(function.getParent()->getDataLayout()) {}

  CompactFunction run() {
    out_.name = function_.getName().str();
    out_.places.push_back({});
    int32_t next = 0;
    for (llvm::BasicBlock& block : function_) block_ids_[&block] = next++;
    for (llvm::Argument& argument : function_.args()) out_.arguments.push_back(newSlot(&argument));
    for (llvm::BasicBlock& block : function_)
      for (Inst& inst : block)
        if (!inst.getType()->isVoidTy()) newSlot(&inst);
    for (llvm::BasicBlock& block : function_) {
      Block b;
      b.first = static_cast<int32_t>(out_.operations.size());
      out_.blocks.push_back(b);
      for (Inst& inst : block) emit(inst);
      out_.blocks.back().place = out_.operations.empty() ? 0 : out_.operations[static_cast<size_t>(b.first)].place;
    }
    describeControl();
    return std::move(out_);
  }

 private:
  int32_t newSlot(const llvm::Value* value) {
    auto slot = static_cast<int32_t>(out_.slots.size());
    out_.slots.push_back(kindOf(value->getType()));
    slots_[value] = slot;
    return slot;
  }

  int32_t slot(const llvm::Value* value) {
    if (auto it = slots_.find(value); it != slots_.end()) return it->second;
    int32_t s = newSlot(value);
    Constant constant{s, kindOf(value->getType())};
    if (auto* i = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      constant.integer = i->getBitWidth() <= 64 ? i->getSExtValue() : 0;
    } else if (auto* f = llvm::dyn_cast<llvm::ConstantFP>(value)) {
      llvm::APFloat number = f->getValueAPF();
      bool inexact = false;
      number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      constant.real = number.convertToDouble();
    } else if (value->getType()->isPointerTy()) {
      pointerConstant(value, constant);
    } else if (!llvm::isa<llvm::UndefValue>(value)) {
      failed_ = "constant \"" + textOf(*value) + "\"";
    }
    out_.constants.push_back(constant);
    return s;
  }

  void pointerConstant(const llvm::Value* value, Constant& constant) {
    if (llvm::isa<llvm::ConstantPointerNull>(value) || llvm::isa<llvm::UndefValue>(value)) return;
    llvm::APInt offset(64, 0);
    const llvm::Value* base = value;
    for (;;) {  // through casts between address spaces
      llvm::APInt step(layout_.getIndexTypeSizeInBits(base->getType()), 0);
      const llvm::Value* stripped = base->stripAndAccumulateConstantOffsets(layout_, step, true);
      offset += step.sextOrTrunc(64);
      auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(stripped);
      base = cast != nullptr ? cast->getPointerOperand() : stripped;
      if (cast == nullptr) break;
    }
    auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
    if (global == nullptr || (global->getAddressSpace() != 3)) {
      failed_ =
          "address \"" + (global != nullptr ? global->getName().str() : textOf(*value)) + "\" is not in shared memory";
      return;
    }
    auto [it, inserted] = arrays_.emplace(global, static_cast<int32_t>(out_.arrays.size()));
    if (inserted) {
      bool dynamic = global->isDeclaration();
      auto bytes = dynamic ? 0 : static_cast<int64_t>(layout_.getTypeAllocSize(global->getValueType()).getFixedValue());
      out_.arrays.push_back({global->getName().str(), bytes});
    }
    constant.array = it->second;
    constant.integer = offset.getSExtValue();
  }

  // The innermost location that is in the user's files, not in our wrappers.
  int32_t placeOf(const Inst& inst) {
    const llvm::DILocation* location = inst.getDebugLoc();
    while (location != nullptr) {
      llvm::StringRef file = location->getFilename();
      bool ours = file.contains("np_shim") || file.contains("shims/cuda") || file.contains("vector_functions");
      if (!ours || location->getInlinedAt() == nullptr) break;
      location = location->getInlinedAt();
    }
    if (location == nullptr) return 0;
    auto [it, inserted] = places_.emplace(location, static_cast<int32_t>(out_.places.size()));
    if (inserted)
      out_.places.push_back({location->getFilename().str(), static_cast<int32_t>(location->getLine()),
                             static_cast<int32_t>(location->getColumn())});
    return it->second;
  }

  int32_t message(std::string text) {
    out_.messages.push_back(std::move(text));
    return static_cast<int32_t>(out_.messages.size()) - 1;
  }

  int32_t edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
    Edge e;
    e.target = block_ids_[to];
    for (const llvm::PHINode& phi : to->phis())
      e.copies.emplace_back(slots_[&phi], slot(phi.getIncomingValueForBlock(from)));
    out_.edges.push_back(std::move(e));
    return static_cast<int32_t>(out_.edges.size()) - 1;
  }

  void emit(Inst& inst) {
    if (llvm::isa<llvm::PHINode>(inst) || llvm::isa<llvm::DbgInfoIntrinsic>(inst)) return;
    Operation op;
    op.dst = inst.getType()->isVoidTy() ? -1 : slots_[&inst];
    op.width = static_cast<uint8_t>(widthOf(inst.getType()));
    op.place = placeOf(inst);
    failed_.clear();
    if (!fill(inst, op) && failed_.empty()) failed_ = "instruction \"" + textOf(inst) + "\"";
    if (!failed_.empty()) {
      op.code = Code::Unsupported;
      op.imm = message(failed_);
    }
    out_.operations.push_back(op);
  }

  bool fill(Inst& inst, Operation& op) {
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&inst)) return fillBinary(*binary, op);
    if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&inst)) return fillGep(*gep, op);
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&inst)) return fillCall(*call, op);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst)) {
      op.code = Code::Load;
      op.a = slot(load->getPointerOperand());
      return fillAccess(load->getType(), op);
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst)) {
      op.code = Code::Store;
      op.a = slot(store->getPointerOperand());
      op.b = slot(store->getValueOperand());
      return fillAccess(store->getValueOperand()->getType(), op);
    }
    if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst)) return fillAtomic(*atomic, op);
    if (inst.isTerminator()) return fillTerminator(inst, op);
    for (unsigned i = 0; i < inst.getNumOperands() && i < 3; ++i) {
      if (kindOf(inst.getOperand(i)->getType()) == Kind::None) return false;
      (i == 0 ? op.a : i == 1 ? op.b : op.c) = slot(inst.getOperand(i));
    }
    return fillSimple(inst, op);
  }

  bool fillSimple(Inst& inst, Operation& op) {
    const llvm::Type* from = inst.getNumOperands() > 0 ? inst.getOperand(0)->getType() : nullptr;
    auto from_width = static_cast<uint8_t>(from != nullptr ? widthOf(from) : 0);
    op.aux = from_width;
    switch (inst.getOpcode()) {
      case Inst::ICmp: {
        auto predicate = predicateOf(llvm::cast<llvm::ICmpInst>(inst).getPredicate());
        op.code = Code::ICmp;
        op.width = from_width;
        op.aux = static_cast<uint8_t>(*predicate);
        return from->isIntegerTy() || from->isPointerTy();
      }
      case Inst::FCmp:
        return fillFloatCompare(llvm::cast<llvm::FCmpInst>(inst), op);
      case Inst::FNeg:
        op.code = Code::FNeg;
        return true;
      case Inst::Select:
        op.code = Code::Select;
        return kindOf(inst.getType()) != Kind::None;
      case Inst::SExt:
        op.code = Code::SExt;
        return true;
      case Inst::ZExt:
        op.code = Code::ZExt;
        return true;
      case Inst::Trunc:
        op.code = Code::Trunc;
        return true;
      case Inst::SIToFP:
        op.code = Code::IntToFloat;
        op.imm = from_width;
        op.aux = 0;
        return true;
      case Inst::UIToFP:
        op.code = Code::IntToFloat;
        op.imm = from_width;
        return true;
      case Inst::FPToSI:
      case Inst::FPToUI:
        op.code = Code::FloatToInt;
        op.imm = inst.getOpcode() == Inst::FPToUI ? 1 : 0;
        return true;
      case Inst::FPExt:
      case Inst::Freeze:
      case Inst::AddrSpaceCast:
        op.code = Code::Move;
        return kindOf(inst.getType()) != Kind::None;
      case Inst::FPTrunc:
        return fillRound(inst.getType(), op);
      case Inst::BitCast:
        op.code = inst.getType()->isFloatingPointTy() ? Code::BitsToFloat : Code::FloatToBits;
        return kindOf(inst.getType()) != Kind::None && kindOf(from) != Kind::None &&
               kindOf(from) != kindOf(inst.getType());
      case Inst::Alloca:
        op.code = Code::Alloca;
        op.imm = out_.locals++;
        return true;
      case Inst::Fence:
        op.code = Code::Nop;
        return true;
      default:
        return false;
    }
  }

  static bool fillRound(const llvm::Type* type, Operation& op) {
    op.code = Code::FRound;
    if (type->isHalfTy())
      op.aux = static_cast<uint8_t>(spec::DType::F16);
    else if (type->isBFloatTy())
      op.aux = static_cast<uint8_t>(spec::DType::Bf16);
    else if (type->isFloatTy())
      op.aux = static_cast<uint8_t>(spec::DType::F32);
    else
      return false;
    return true;
  }

  bool fillBinary(llvm::BinaryOperator& inst, Operation& op) {
    auto code = binaryCode(inst.getOpcode());
    if (!code || kindOf(inst.getType()) == Kind::None) return false;
    op.code = *code;
    if (op.code == Code::Or)
      if (auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&inst);
          disjoint != nullptr && disjoint->isDisjoint())
        op.code = Code::OrDisjoint;
    // Signed overflow is undefined in C++: where the compiler was told so, wrapping is nobody's intention.
    if (auto* overflowing = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&inst);
        overflowing != nullptr && overflowing->hasNoSignedWrap())
      op.flags |= kNoWrap;
    op.a = slot(inst.getOperand(0));
    op.b = slot(inst.getOperand(1));
    return true;
  }

  bool fillFloatCompare(llvm::FCmpInst& inst, Operation& op) {
    llvm::FCmpInst::Predicate p = inst.getPredicate();
    bool unordered = llvm::FCmpInst::isUnordered(p) && p != llvm::FCmpInst::FCMP_UNO;
    if (unordered || p == llvm::FCmpInst::FCMP_TRUE) {  // a U< b is not (a >= b)
      op.flags |= kNegated;
      p = llvm::FCmpInst::getInversePredicate(p);
    }
    op.code = Code::FCmp;
    auto set = [&](Relation relation, bool swap) {
      op.aux = static_cast<uint8_t>(relation);
      if (swap) std::swap(op.a, op.b);
      return true;
    };
    switch (p) {
      case llvm::FCmpInst::FCMP_OLT:
        return set(Relation::Lt, false);
      case llvm::FCmpInst::FCMP_OGT:
        return set(Relation::Lt, true);
      case llvm::FCmpInst::FCMP_OLE:
        return set(Relation::Le, false);
      case llvm::FCmpInst::FCMP_OGE:
        return set(Relation::Le, true);
      case llvm::FCmpInst::FCMP_OEQ:
        return set(Relation::Eq, false);
      case llvm::FCmpInst::FCMP_FALSE:
        return set(Relation::False, false);
      case llvm::FCmpInst::FCMP_ORD:
        return set(Relation::True, false);
      case llvm::FCmpInst::FCMP_UNO:
        return set(Relation::False, false);
      case llvm::FCmpInst::FCMP_ONE:  // not equal and no NaN: inverse of equal under the recorded assumption
        op.flags ^= kNegated;
        return set(Relation::Eq, false);
      default:
        return false;
    }
  }

  bool fillGep(llvm::GetElementPtrInst& inst, Operation& op) {
    op.code = Code::Gep;
    op.a = slot(inst.getPointerOperand());
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    unsigned bits = layout_.getIndexTypeSizeInBits(inst.getType());
    llvm::APInt constant(bits, 0);
    if (!llvm::cast<llvm::GEPOperator>(inst).collectOffset(layout_, bits, variable, constant)) return false;
    op.imm = constant.getSExtValue();
    op.first = static_cast<int32_t>(out_.scales.size());
    for (auto& [value, scale] : variable) out_.scales.emplace_back(slot(value), scale.getSExtValue());
    op.count = static_cast<int32_t>(out_.scales.size()) - op.first;
    return true;
  }

  bool fillAccess(llvm::Type* type, Operation& op) {
    if (kindOf(type) != Kind::Int && kindOf(type) != Kind::Float) return false;
    op.aux = static_cast<uint8_t>(layout_.getTypeStoreSize(type).getFixedValue());
    op.width = static_cast<uint8_t>(widthOf(type));
    if (kindOf(type) == Kind::Float) op.flags |= kFloatValue;
    return true;
  }

  bool fillAtomic(llvm::AtomicRMWInst& inst, Operation& op) {
    switch (inst.getOperation()) {
      case llvm::AtomicRMWInst::Add:
      case llvm::AtomicRMWInst::FAdd:
        op.code = Code::AtomicAdd;
        break;
      case llvm::AtomicRMWInst::Max:
      case llvm::AtomicRMWInst::FMax:
        op.code = Code::AtomicMax;
        break;
      case llvm::AtomicRMWInst::Min:
      case llvm::AtomicRMWInst::FMin:
        op.code = Code::AtomicMin;
        break;
      default:
        failed_ = "atomic \"" + llvm::AtomicRMWInst::getOperationName(inst.getOperation()).str() + "\"";
        return false;
    }
    op.a = slot(inst.getPointerOperand());
    op.b = slot(inst.getValOperand());
    if (inst.use_empty()) op.dst = -1;
    return fillAccess(inst.getType(), op);
  }

  bool fillTerminator(Inst& inst, Operation& op) {
    const llvm::BasicBlock* block = inst.getParent();
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&inst)) {
      op.code = branch->isConditional() ? Code::Branch : Code::Jump;
      if (branch->isConditional()) op.a = slot(branch->getCondition());
      op.b = edge(block, branch->getSuccessor(0));
      if (branch->isConditional()) op.c = edge(block, branch->getSuccessor(1));
      return true;
    }
    if (llvm::isa<llvm::ReturnInst>(inst)) {
      op.code = Code::Return;
      return true;
    }
    if (llvm::isa<llvm::UnreachableInst>(inst)) failed_ = "a trap or an assertion that fails";
    return false;
  }

  bool fillCall(llvm::CallInst& call, Operation& op) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) {
      failed_ = call.isInlineAsm() ? "inline assembly" : "a call through a pointer";
      return false;
    }
    std::string name = callee->getName().str();
    if (name == kExtentFunction) {
      op.code = Code::Extent;
      op.a = slot(call.getArgOperand(0));
      op.b = slot(call.getArgOperand(1));
      return true;
    }
    std::optional<DeviceCall> known = classifyDeviceCall(name);
    if (!known) {
      failed_ = "a call of \"" + name + "\"";
      return false;
    }
    auto operand = [&](unsigned i) { return slot(call.getArgOperand(i)); };
    auto special = [&](SpecialRegister first) {
      op.code = Code::Special;
      op.aux = static_cast<uint8_t>(static_cast<int>(first) + known->axis);
      return true;
    };
    auto shuffle = [&](ShuffleMode mode) {
      op.code = Code::Shuffle;
      op.aux = static_cast<uint8_t>(mode);
      op.a = operand(1), op.b = operand(2), op.c = operand(3);
      return kindOf(call.getType()) != Kind::None;
    };
    switch (known->op) {
      case DeviceOp::LifetimeStart:
      case DeviceOp::LifetimeEnd:
      case DeviceOp::NoEffect:
      case DeviceOp::Fence:
      case DeviceOp::WarpSync:
        op.code = Code::Nop;
        return call.getType()->isVoidTy();
      case DeviceOp::Barrier:
        op.code = Code::Barrier;
        return true;
      case DeviceOp::ThreadId:
        return special(SpecialRegister::TidX);
      case DeviceOp::BlockId:
        return special(SpecialRegister::CtaidX);
      case DeviceOp::BlockDim:
        return special(SpecialRegister::NtidX);
      case DeviceOp::GridDim:
        return special(SpecialRegister::NctaidX);
      case DeviceOp::ShuffleIdx:
        return shuffle(ShuffleMode::Idx);
      case DeviceOp::ShuffleUp:
        return shuffle(ShuffleMode::Up);
      case DeviceOp::ShuffleDown:
        return shuffle(ShuffleMode::Down);
      case DeviceOp::ShuffleXor:
        return shuffle(ShuffleMode::Xor);
      case DeviceOp::MemCpy:
      case DeviceOp::MemMove:
      case DeviceOp::MemSet:
        return fillCopy(call, known->op == DeviceOp::MemSet, op);
      case DeviceOp::Identity:
        op.code = Code::Move;
        op.a = operand(0);
        return kindOf(call.getType()) != Kind::None;
      case DeviceOp::AssertFail:
        failed_ = "an assertion that fails";
        return false;
      case DeviceOp::Trap:
        failed_ = "a trap";
        return false;
      default:
        break;
    }
    std::optional<MathCall> math = mathCall(*known);
    if (!math) {
      failed_ = "a call of \"" + name + "\"";
      return false;
    }
    op.code = math->code;
    op.aux = math->aux;
    for (unsigned i = 0; i < call.arg_size() && i < 3; ++i) {
      if (kindOf(call.getArgOperand(i)->getType()) == Kind::None) return false;
      (i == 0 ? op.a : i == 1 ? op.b : op.c) = operand(i);
    }
    return true;
  }

  bool fillCopy(llvm::CallInst& call, bool fills, Operation& op) {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    if (length == nullptr) return false;
    if (fills) {
      auto* byte = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
      if (byte == nullptr || !byte->isZero()) return false;
    }
    op.code = fills ? Code::Fill : Code::Copy;
    op.a = slot(call.getArgOperand(0));
    if (!fills) op.b = slot(call.getArgOperand(1));
    op.imm = length->getSExtValue();
    return true;
  }

  // Post-dominators and loop facts of every block's branch.
  void describeControl() {
    llvm::PostDominatorTree post(function_);
    llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    for (llvm::BasicBlock& block : function_) {
      Block& b = out_.blocks[static_cast<size_t>(block_ids_[&block])];
      auto* node = post.getNode(&block);
      const llvm::BasicBlock* meet =
          node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
      if (meet != nullptr) b.post_dominator = block_ids_[meet];
      const llvm::Loop* own = loops.getLoopFor(&block);
      b.leaves_loop = own != nullptr && (meet == nullptr || !own->contains(meet));
      std::set<const llvm::BasicBlock*> seen;
      std::vector<const llvm::BasicBlock*> open(llvm::succ_begin(&block), llvm::succ_end(&block));
      while (!open.empty()) {
        const llvm::BasicBlock* next = open.back();
        open.pop_back();
        if (next == meet || !seen.insert(next).second) continue;
        const llvm::Loop* loop = loops.getLoopFor(next);
        if (loop != nullptr && loop != own && !loop->contains(&block)) b.guards_loop = true;
        open.insert(open.end(), llvm::succ_begin(next), llvm::succ_end(next));
      }
    }
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  CompactFunction out_;
  std::map<const llvm::Value*, int32_t> slots_;
  std::map<const llvm::BasicBlock*, int32_t> block_ids_;
  std::map<const llvm::GlobalVariable*, int32_t> arrays_;
  std::map<const llvm::DILocation*, int32_t> places_;
  std::string failed_;  // why the current instruction has no compact form
};

}  // namespace

Result<CompactFunction> translateKernel(const DeviceModule& module, const std::string& kernel,
                                        const FixedLaunch& fixed) {
  NP_ASSIGN(DeviceModule copy, module.clone());
  NP_ASSIGN(const analyzer::DeviceKernel* symbol, copy.get(kernel));
  if (copy.function(*symbol) == nullptr || copy.function(*symbol)->isDeclaration())
    return makeError("NPT2902", "the device IR has no body of kernel \"" + kernel + "\"");
  prepareKernel(copy, *symbol, fixed);
  CompactFunction function = Translator(*copy.function(*symbol)).run();
  function.name = kernel;
  return function;
}

}  // namespace np::kernel_port::lift

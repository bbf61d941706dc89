// PTX instructions on memory, and those that threads carry out together.

#include <algorithm>

#include "kernel_port/simt/matrix.h"
#include "kernel_port/simt/ptx_compiler_llvm.h"
#include "kernel_port/simt/ptx_functions.h"

namespace np::kernel_port::simt {
namespace {

constexpr uint32_t kAllLanes = 0xffffffff;

template <class Value>
std::optional<Value> lookUp(std::initializer_list<std::pair<std::string_view, Value>> table, std::string_view name) {
  for (const auto& row : table)
    if (row.first == name) return row.second;
  return std::nullopt;
}

bool isSharedSpace(const PtxStatement& statement) { return statement.has("shared") || statement.has("shared::cta"); }

}  // namespace

Result<bool> PtxCompiler::memory() {
  const std::string& name = statement_->opcode[0];
  const auto done = [](Result<void> result) -> Result<bool> {
    if (!result.ok()) return result.error();
    return true;
  };
  const auto nothing = [&] { return Result<bool>(true); };
  if (name == "ld" || name == "ldu") return done(loadOrStore(true));
  if (name == "st") return done(loadOrStore(false));
  if (name == "atom" || name == "red") return done(atomicOperation());
  if (name == "cp") return done(asyncCopy());
  if (name == "membar" || name == "fence") {
    if (!only({"cta", "gl", "sys", "gpu", "sc", "acq_rel"}, 0)) return false;
    f_.emit(Op::Fence, 0);
    return nothing();
  }
  if (name == "prefetch" || name == "prefetchu" || name == "nanosleep" || name == "griddepcontrol") return nothing();
  if (name == "createpolicy") {
    if (statement_->operands.empty()) return false;
    return done(write(at(0), constant(0), 64));  // a hint: it changes no value
  }
  if (name == "trap" || name == "brkpt") {
    f_.emit(Op::Trap, 0);
    return nothing();
  }
  if (name == "isspacep") {
    std::optional<uint32_t> space;
    if (statement_->opcode.size() == 2)
      space = lookUp<uint32_t>({{"global", 0}, {"shared", 1}, {"const", 2}, {"local", 3}}, statement_->opcode[1]);
    if (!space || !takes(2)) return false;
    NP_ASSIGN(uint32_t address, read(at(1), 64));
    const uint32_t reg = f_.newRegisters(1);
    f_.emit(Op::IsSpace, reg, address).x = *space;
    return done(write(at(0), reg, 1));
  }
  return false;
}

Result<uint32_t> PtxCompiler::address(const PtxOperand& operand, bool shared) {
  if (operand.kind != PtxOperand::Kind::Address || operand.parts.empty()) return unsupported();
  NP_ASSIGN(uint32_t reg, read(operand.parts[0], 64));
  if (operand.bits != 0) reg = emit(Op::Add, 64, reg, constant(operand.bits));
  if (operand.parts.size() > 1) {
    NP_ASSIGN(uint32_t offset, readExtended(operand.parts[1], 32));
    reg = emit(Op::Add, 64, reg, offset);
  }
  if (!shared) return reg;
  // A number that is no address of shared memory must not reach another object: it becomes the null pointer.
  const uint32_t generic = math(fromSharedWindow, reg, reg, reg), is_shared = f_.newRegisters(1);
  f_.emit(Op::IsSpace, is_shared, generic).x = 1;
  return emit(Op::Select, 64, is_shared, generic, constant(0));
}

// ld/st{.weak,.relaxed,...}{.space}{hints}{.v2,.v4}.type
Result<void> PtxCompiler::loadOrStore(bool is_load) {
  const auto type = ptxType(statement_->opcode.back());
  for (size_t k = 1; k + 1 < statement_->opcode.size(); ++k) {
    const std::string& part = statement_->opcode[k];
    static const std::string_view kKnown[] = {"weak",  "relaxed", "acquire", "release", "volatile",    "cta",
                                              "gpu",   "sys",     "global",  "shared",  "shared::cta", "local",
                                              "const", "ca",      "cg",      "cs",      "lu",          "cv",
                                              "wb",    "wt",      "nc",      "v2",      "v4"};
    const bool hint = part.starts_with("L1::") || part.starts_with("L2::");
    if (!hint && std::find(std::begin(kKnown), std::end(kKnown), part) == std::end(kKnown)) return unsupported();
  }
  const size_t most = statement_->has("L2::cache_hint") ? 3 : 2;
  if (!type || type->lanes != 1 || type->bits < 8 || statement_->operands.size() != most) return unsupported();
  const bool atomic = statement_->has("relaxed") || statement_->has("acquire") || statement_->has("release");
  const uint32_t lanes = statement_->has("v4") ? 4 : statement_->has("v2") ? 2 : 1, bytes = type->bits / 8;
  const PtxOperand &values = at(is_load ? 0 : 1), &where = at(is_load ? 1 : 0);
  const bool is_vector = values.kind == PtxOperand::Kind::Vector;
  if (is_vector ? values.parts.size() != lanes : lanes != 1) return unsupported();
  if (statement_->has("release")) f_.emit(Op::Fence, 0);
  NP_ASSIGN(const uint32_t base, address(where, isSharedSpace(*statement_)));
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const PtxOperand& value = is_vector ? values.parts[lane] : values;
    uint32_t place = base;
    if (lane != 0) {
      place = f_.newRegisters(1);
      f_.emit(Op::PtrAddImm, place, base).imm = lane * bytes;
    }
    const uint32_t align = lane == 0 ? lanes * bytes : bytes;
    if (is_load) {
      const uint32_t reg = f_.newRegisters(1);
      simt::Instruction& out = f_.emit(atomic ? Op::AtomicLoad : Op::Load, reg, place);
      out.width = static_cast<uint8_t>(bytes);
      out.x = align;
      NP_TRY(write(value, reg, type->bits, type->isSigned()));
      continue;
    }
    NP_ASSIGN(uint32_t reg, read(value, type->bits));
    simt::Instruction& out = f_.emit(atomic ? Op::AtomicRmw : Op::Store, atomic ? f_.newRegisters(1) : 0, place, reg);
    out.width = static_cast<uint8_t>(bytes);
    if (atomic) {
      out.flags = static_cast<uint8_t>(AtomicOp::Exchange);
    } else {
      out.x = align;
    }
  }
  return {};
}

// atom{.sem}{.scope}{.space}.op.type d, [a], b{, c}; red is the same without d.
Result<void> PtxCompiler::atomicOperation() {
  const bool returns = statement_->opcode[0] == "atom";
  const auto type = ptxType(statement_->opcode.back());
  std::string operation;
  for (size_t k = 1; k + 1 < statement_->opcode.size(); ++k) {
    const std::string& part = statement_->opcode[k];
    static const std::string_view kKnown[] = {"relaxed", "acquire", "release", "acq_rel",     "cta",  "gpu",
                                              "sys",     "global",  "shared",  "shared::cta", "noftz"};
    if (std::find(std::begin(kKnown), std::end(kKnown), part) != std::end(kKnown)) continue;
    if (!operation.empty()) return unsupported();
    operation = part;
  }
  const bool swaps = operation == "cas";
  const size_t wanted = (returns ? 1 : 0) + (swaps ? 3 : 2);
  if (!type || type->bits < 16 || !takes(wanted)) return unsupported();
  if (statement_->has("release") || statement_->has("acq_rel")) f_.emit(Op::Fence, 0);
  const size_t first = returns ? 1 : 0;
  NP_ASSIGN(uint32_t place, address(at(first), isSharedSpace(*statement_)));
  const uint32_t bits = type->bits * type->lanes;
  NP_ASSIGN(uint32_t value, read(at(first + 1), bits));
  if (swaps) {
    if (type->isFloat()) return unsupported();
    NP_ASSIGN(uint32_t replacement, read(at(first + 2), bits));
    const uint32_t old = f_.newRegisters(2);
    f_.emit(Op::CmpXchg, old, place, value, replacement).width = static_cast<uint8_t>(bits / 8);
    return returns ? write(at(0), old, bits) : Result<void>();
  }
  const bool is_signed = type->isSigned();
  std::optional<AtomicOp> op;
  if (type->isFloat()) {
    op = lookUp<AtomicOp>({{"add", AtomicOp::FAdd}}, operation);
  } else if (is_signed) {
    op = lookUp<AtomicOp>({{"add", AtomicOp::Add}, {"min", AtomicOp::SMin}, {"max", AtomicOp::SMax}}, operation);
  } else {
    op = lookUp<AtomicOp>({{"add", AtomicOp::Add},
                           {"min", AtomicOp::UMin},
                           {"max", AtomicOp::UMax},
                           {"and", AtomicOp::And},
                           {"or", AtomicOp::Or},
                           {"xor", AtomicOp::Xor},
                           {"exch", AtomicOp::Exchange},
                           {"inc", AtomicOp::UIncWrap},
                           {"dec", AtomicOp::UDecWrap}},
                          operation);
  }
  if (!op || bits < 32 - (type->isFloat() ? 16 : 0)) return unsupported();
  AtomicType kind = AtomicType::Integer;
  if (type->isFloat()) {
    const bool pair = type->lanes == 2;
    kind = type->format == FloatType::F32   ? AtomicType::F32
           : type->format == FloatType::F64 ? AtomicType::F64
           : type->format == FloatType::F16 ? (pair ? AtomicType::F16x2 : AtomicType::F16)
                                            : (pair ? AtomicType::BF16x2 : AtomicType::BF16);
  }
  const uint32_t old = f_.newRegisters(1);
  simt::Instruction& out = f_.emit(Op::AtomicRmw, old, place, value);
  out.width = static_cast<uint8_t>(bits / 8);
  out.flags = static_cast<uint8_t>(*op);
  out.x = static_cast<uint32_t>(kind);
  return returns ? write(at(0), old, bits, is_signed) : Result<void>();
}

// cp.async: the bytes arrive when the thread waits for their group, no sooner.
Result<void> PtxCompiler::asyncCopy() {
  const auto& parts = statement_->opcode;
  if (parts.size() < 3 || parts[1] != "async") return unsupported();
  if (parts.size() == 3 && parts[2] == "commit_group") {
    f_.emit(Op::AsyncCommit, 0);
    return {};
  }
  if (parts.size() == 3 && parts[2] == "wait_all") {
    f_.emit(Op::AsyncWait, 0).imm = ~uint64_t{0};
    return {};
  }
  if (parts.size() == 3 && parts[2] == "wait_group") {
    if (!takes(1)) return unsupported();
    NP_ASSIGN(uint32_t groups, read(at(0), 32));
    f_.emit(Op::AsyncWait, 0, groups).imm = 0;
    return {};
  }
  for (size_t k = 2; k < parts.size(); ++k) {
    static const std::string_view kKnown[] = {"ca", "cg", "shared", "shared::cta", "global"};
    if (std::find(std::begin(kKnown), std::end(kKnown), parts[k]) == std::end(kKnown) && !parts[k].starts_with("L2::"))
      return unsupported();
  }
  const size_t count = statement_->operands.size() - (statement_->has("L2::cache_hint") ? 1 : 0);
  if ((count != 3 && count != 4) || !isSharedSpace(*statement_)) return unsupported();
  NP_ASSIGN(uint32_t to, address(at(0), true));
  NP_ASSIGN(uint32_t from, address(at(1), false));
  NP_ASSIGN(uint32_t size, read(at(2), 32));
  uint32_t read_size = size;
  if (count == 4) {
    NP_ASSIGN(read_size, read(at(3), 32));
  }
  const uint32_t least = f_.newRegisters(1);
  f_.emit(Op::Select, least, emit(Op::ULt, 32, read_size, size), read_size, size);
  f_.emit(Op::AsyncCopy, size, to, from, least);
  return {};
}

Result<bool> PtxCompiler::warp() {
  const std::string& name = statement_->opcode[0];
  const auto done = [](Result<void> result) -> Result<bool> {
    if (!result.ok()) return result.error();
    return true;
  };
  if (name == "bar" || name == "barrier") return done(barrier());
  if (name == "shfl") return done(shuffle());
  if (name == "vote" || name == "match" || name == "redux" || name == "activemask") return done(voteOrMatch());
  if (name == "ldmatrix") return done(loadMatrix());
  if (name == "mma") return done(matrixMultiply());
  return false;
}

Result<void> PtxCompiler::barrier() {
  if (!only({"sync", "arrive", "warp", "aligned", "red", "popc", "and", "or", "u32", "pred", "cta"}, 0))
    return unsupported();
  if (statement_->has("warp")) {
    if (!takes(1)) return unsupported();
    NP_ASSIGN(uint32_t mask, read(at(0), 32));
    f_.emit(Op::WarpSync, 0, mask).flags = static_cast<uint8_t>(DeviceOp::WarpSync);
    return {};
  }
  if (statement_->has("red")) {
    const bool counts = statement_->has("popc"), both = statement_->has("and");
    if (!takes(3) || at(1).kind != PtxOperand::Kind::Immediate || at(1).bits != 0) return unsupported();
    NP_ASSIGN(uint32_t predicate, read(at(2), 1));
    const uint32_t reg = f_.newRegisters(1);
    f_.emit(Op::Barrier, reg, predicate).flags = static_cast<uint8_t>(counts ? DeviceOp::BarrierCount
                                                                      : both ? DeviceOp::BarrierAnd
                                                                             : DeviceOp::BarrierOr);
    return write(at(0), reg, counts ? 32 : 1);
  }
  const bool arrives = statement_->has("arrive");
  if (!arrives && !statement_->has("sync")) return unsupported();
  if (!takes(2) && !(takes(1) && !arrives)) return unsupported();
  NP_ASSIGN(uint32_t id, read(at(0), 32));
  uint32_t count = 0;
  if (takes(2)) {
    NP_ASSIGN(count, read(at(1), 32));
  }
  f_.emit(Op::Barrier, 0, id, id, count).flags = static_cast<uint8_t>(arrives    ? DeviceOp::BarrierArrive
                                                                      : takes(2) ? DeviceOp::BarrierIdCount
                                                                                 : DeviceOp::BarrierId);
  return {};
}

uint32_t PtxCompiler::warpOperation(DeviceOp op, uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp,
                                    uint32_t results, uint32_t detail) {
  const uint32_t dst = f_.newRegisters(results);
  simt::Instruction& out = f_.emit(Op::WarpOp, dst, mask, value, lane);
  out.flags = static_cast<uint8_t>(op);
  out.x = detail;
  out.imm = f_.out_.operands.size();
  f_.out_.operands.push_back(clamp);
  return dst;
}

// shfl.sync.mode.b32 d[|p], a, lane, clamp, mask
Result<void> PtxCompiler::shuffle() {
  const auto& parts = statement_->opcode;
  std::optional<DeviceOp> op = parts.size() != 4 ? std::nullopt
                                                 : lookUp<DeviceOp>({{"idx", DeviceOp::ShuffleIdx},
                                                                     {"up", DeviceOp::ShuffleUp},
                                                                     {"down", DeviceOp::ShuffleDown},
                                                                     {"bfly", DeviceOp::ShuffleXor}},
                                                                    parts[2]);
  if (!op || parts[1] != "sync" || parts[3] != "b32" || !takes(5)) return unsupported();
  NP_ASSIGN(uint32_t value, read(at(1), 32));
  NP_ASSIGN(uint32_t lane, read(at(2), 32));
  NP_ASSIGN(uint32_t clamp, read(at(3), 32));
  NP_ASSIGN(uint32_t mask, read(at(4), 32));
  const uint32_t dst = warpOperation(*op, mask, value, lane, clamp, 2, 1);
  NP_TRY(write(at(0), dst, 32));
  return at(0).has_predicate ? write(at(0).parts[0], dst + 1, 1) : Result<void>();
}

Result<void> PtxCompiler::voteOrMatch() {
  const auto& parts = statement_->opcode;
  const std::string& name = parts[0];
  if (name == "activemask") {
    if (!takes(1)) return unsupported();
    return write(at(0), warpOperation(DeviceOp::ActiveMask, constant(0), 0, 0, 0, 1, 0), 32);
  }
  const auto type = ptxType(parts.back());
  if (!takes(3) || parts.size() != 4 || !type) return unsupported();
  NP_ASSIGN(uint32_t mask, read(at(2), 32));
  NP_ASSIGN(uint32_t value, read(at(1), name == "vote" ? 1 : type->bits));
  if (name == "vote") {
    std::optional<DeviceOp> op = parts[1] != "sync" ? std::nullopt
                                                    : lookUp<DeviceOp>({{"all", DeviceOp::VoteAll},
                                                                        {"any", DeviceOp::VoteAny},
                                                                        {"uni", DeviceOp::VoteUni},
                                                                        {"ballot", DeviceOp::VoteBallot}},
                                                                       parts[2]);
    if (!op) return unsupported();
    return write(at(0), warpOperation(*op, mask, value, 0, 0, 1, 0), *op == DeviceOp::VoteBallot ? 32 : 1);
  }
  if (name == "match") {
    if (parts[2] != "sync" || (parts[1] != "any" && parts[1] != "all")) return unsupported();
    const bool all = parts[1] == "all";
    const uint32_t dst =
        warpOperation(all ? DeviceOp::MatchAll : DeviceOp::MatchAny, mask, value, 0, 0, 2, all ? 1 : 0);
    NP_TRY(write(at(0), dst, 32));
    return at(0).has_predicate && all ? write(at(0).parts[0], dst + 1, 1) : Result<void>();
  }
  if (parts[1] != "sync" || type->bits != 32) return unsupported();
  const bool is_signed = type->isSigned();
  std::optional<DeviceOp> op = lookUp<DeviceOp>({{"add", DeviceOp::ReduceAdd},
                                                 {"min", is_signed ? DeviceOp::ReduceMin : DeviceOp::ReduceUMin},
                                                 {"max", is_signed ? DeviceOp::ReduceMax : DeviceOp::ReduceUMax},
                                                 {"and", DeviceOp::ReduceAnd},
                                                 {"or", DeviceOp::ReduceOr},
                                                 {"xor", DeviceOp::ReduceXor}},
                                                parts[2]);
  if (!op || type->isFloat()) return unsupported();
  return write(at(0), warpOperation(*op, mask, value, 0, 0, 1, 0), 32);
}

// ldmatrix.sync.aligned.m8n8.x{1,2,4}{.trans}.shared.b16 {r...}, [a]
Result<void> PtxCompiler::loadMatrix() {
  if (!only({"sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta"}) || !takes(2) ||
      statement_->opcode.back() != "b16" || !isSharedSpace(*statement_))
    return unsupported();
  const uint32_t count = statement_->has("x4") ? 4 : statement_->has("x2") ? 2 : 1;
  const PtxOperand& to = at(0);
  const bool is_vector = to.kind == PtxOperand::Kind::Vector;
  if (is_vector ? to.parts.size() != count : count != 1) return unsupported();
  NP_ASSIGN(uint32_t from, address(at(1), true));
  const uint32_t detail = count | (statement_->has("trans") ? 0x100 : 0);
  const uint32_t dst = warpOperation(DeviceOp::LoadMatrix, constant(kAllLanes), from, 0, 0, count, detail);
  for (uint32_t k = 0; k < count; ++k) NP_TRY(write(is_vector ? to.parts[k] : to, dst + k, 32));
  return {};
}

// mma.sync.aligned.m16n8kK.row.col{.satfinite}.D.A.B.C d, a, b, c
Result<void> PtxCompiler::matrixMultiply() {
  const bool saturates = statement_->has("satfinite");
  std::vector<std::string> parts = statement_->opcode;
  std::erase(parts, "satfinite");  // before or after the types
  if (parts.size() != 10 || parts[1] != "sync" || parts[2] != "aligned" || parts[4] != "row" || parts[5] != "col" ||
      !takes(4))
    return unsupported();
  const size_t types = parts.size() - 4;
  const auto shape =
      matrixShape(parts[3], parts[types], parts[types + 1], parts[types + 2], parts[types + 3], saturates);
  if (!shape) return unsupported();
  const auto list = [&](const PtxOperand& operand, uint32_t count) -> Result<std::vector<PtxOperand>> {
    std::vector<PtxOperand> out =
        operand.kind == PtxOperand::Kind::Vector ? operand.parts : std::vector<PtxOperand>{operand};
    if (out.size() != count) return unsupported();
    return out;
  };
  std::vector<uint32_t> registers;
  const uint32_t counts[] = {shape->aRegisters(), shape->bRegisters(), shape->cRegisters()};
  for (size_t k = 0; k < 3; ++k) {
    NP_ASSIGN(auto operands, list(at(k + 1), counts[k]));
    for (const PtxOperand& operand : operands) {
      NP_ASSIGN(uint32_t reg, read(operand, 32));
      registers.push_back(reg);
    }
  }
  NP_ASSIGN(auto results, list(at(0), shape->cRegisters()));
  const uint32_t dst =
      warpOperation(DeviceOp::MatrixMultiply, constant(kAllLanes), 0, 0, 0, shape->cRegisters(), shape->packed());
  f_.out_.operands.pop_back();
  f_.out_.operands.insert(f_.out_.operands.end(), registers.begin(), registers.end());
  for (uint32_t k = 0; k < results.size(); ++k) NP_TRY(write(results[k], dst + k, 32));
  return {};
}

}  // namespace np::kernel_port::simt

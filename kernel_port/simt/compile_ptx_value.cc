// PTX instructions that compute: integers, floats (packed pairs lane by lane), predicates, conversions, moves.
// Approximate functions (ex2.approx and the like) run as the full ones, as everywhere; .ftz flushes operands and
// result.

#include <algorithm>

#include "kernel_port/simt/ptx_compiler_llvm.h"
#include "kernel_port/simt/ptx_functions.h"

namespace np::kernel_port::simt {
namespace {

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

bool PtxCompiler::only(std::initializer_list<std::string_view> allowed, size_t types) const {
  const auto& parts = statement_->opcode;
  for (size_t k = 1; k + types < parts.size(); ++k)
    if (!isOneOf(parts[k], allowed)) return false;
  return true;
}

char PtxCompiler::rounding() const {
  if (statement_->has("rz") || statement_->has("rzi")) return 'z';
  if (statement_->has("rm") || statement_->has("rmi")) return 'd';
  if (statement_->has("rp") || statement_->has("rpi")) return 'u';
  return 'n';
}

Result<bool> PtxCompiler::value() {
  const std::string& name = statement_->opcode[0];
  const auto done = [](Result<void> result) -> Result<bool> {
    if (!result.ok()) return result.error();
    return true;
  };
  if (name == "mov") return done(moveValue());
  if (name == "cvt") return done(convertType());
  if (name == "setp") return done(compareAndSet());
  if (name == "shf") return done(shiftFunnel());
  if (name == "cvta") {
    if (!takes(2) || !isOneOf(statement_->opcode.back(), {"u64"}) ||
        !only({"to", "shared", "global", "const", "local"}))
      return false;
    NP_ASSIGN(uint32_t from, read(at(1), 64));
    if (statement_->has("shared"))
      from = math(statement_->has("to") ? sharedWindow : fromSharedWindow, from, from, from);
    return done(write(at(0), from, 64));
  }
  const auto type = ptxType(statement_->opcode.back());
  if (!type || statement_->operands.empty()) return false;
  if (isOneOf(name, {"mul", "mad", "mul24", "mad24"}) && !type->isFloat()) return done(multiply(*type));
  if (type->isFloat() && isOneOf(name, {"add", "sub", "mul", "fma", "mad", "div", "min", "max", "abs", "neg", "sqrt",
                                        "rsqrt", "rcp", "ex2", "lg2", "sin", "cos", "tanh", "copysign"}))
    return done(floatArithmetic(*type));
  if (isOneOf(name,
              {"add", "sub", "div",  "rem", "abs",  "neg",   "min", "max", "and",  "or",   "xor",  "not",  "cnot",
               "shl", "shr", "popc", "clz", "brev", "bfind", "bfe", "bfi", "prmt", "lop3", "dp4a", "selp", "sad"}))
    return done(arithmetic(*type));
  return false;
}

Result<void> PtxCompiler::arithmetic(const PtxType& type) {
  const std::string& name = statement_->opcode[0];
  const std::string& suffix = statement_->opcode.back();
  const uint32_t bits = type.bits;
  const size_t count = statement_->operands.size();
  // Operands of their own widths.
  if (name == "selp") {
    if (!takes(4) || !only({}) || type.lanes > 1) return unsupported();
    NP_ASSIGN(uint32_t yes, read(at(1), bits));
    NP_ASSIGN(uint32_t no, read(at(2), bits));
    NP_ASSIGN(uint32_t predicate, read(at(3), 1));
    return write(at(0), emit(Op::Select, bits, predicate, yes, no), bits);
  }
  if (name == "bfi") {
    if (!takes(5) || !only({})) return unsupported();
    NP_ASSIGN(uint32_t from, read(at(1), bits));
    NP_ASSIGN(uint32_t into, read(at(2), bits));
    NP_ASSIGN(uint32_t position, read(at(3), 32));
    NP_ASSIGN(uint32_t length, read(at(4), 32));
    const MathFunction function = ptxFunction("bfi." + suffix);
    if (!function) return unsupported();
    return write(at(0), math4(function, from, into, position, length), bits);
  }
  if (name == "lop3") {
    if (!takes(5) || !only({}) || suffix != "b32") return unsupported();
    NP_ASSIGN(uint32_t a, read(at(1), 32));
    NP_ASSIGN(uint32_t b, read(at(2), 32));
    NP_ASSIGN(uint32_t c, read(at(3), 32));
    NP_ASSIGN(uint32_t table, read(at(4), 8));
    return write(at(0), math4(ptxFunction("lop3"), a, b, c, table), 32);
  }
  if (name == "dp4a") {
    const auto& parts = statement_->opcode;
    if (!takes(4) || parts.size() != 3) return unsupported();
    const std::string row = std::string("dp4a.") +
                            (parts[1] == "s32"   ? "s"
                             : parts[1] == "u32" ? "u"
                                                 : "?") +
                            (parts[2] == "s32"   ? "s"
                             : parts[2] == "u32" ? "u"
                                                 : "?");
    const MathFunction function = ptxFunction(row);
    if (!function) return unsupported();
    NP_ASSIGN(uint32_t a, read(at(1), 32));
    NP_ASSIGN(uint32_t b, read(at(2), 32));
    NP_ASSIGN(uint32_t c, read(at(3), 32));
    return write(at(0), math(function, a, b, c), 32);
  }
  NP_ASSIGN(uint32_t a, count > 1 ? read(at(1), bits) : Result<uint32_t>(constant(0)));
  if (name == "bfe") {
    const MathFunction function = ptxFunction("bfe." + suffix);
    if (!takes(4) || !only({}) || !function) return unsupported();
    NP_ASSIGN(uint32_t position, read(at(2), 32));
    NP_ASSIGN(uint32_t length, read(at(3), 32));
    return write(at(0), math(function, a, position, length), bits);
  }
  if (name == "shl" || name == "shr") {
    if (!takes(3) || !only({})) return unsupported();
    NP_ASSIGN(uint32_t by, read(at(2), 32));
    const Op op = name == "shl" ? Op::Shl : type.isSigned() ? Op::AShr : Op::LShr;
    return write(at(0), emit(op, bits, a, by), bits, type.isSigned());
  }
  const auto unary = [&](DeviceOp op) {
    const uint32_t reg = f_.newRegisters(1);
    simt::Instruction& out = f_.emit(Op::IntMath, reg, a, a, a);
    out.width = static_cast<uint8_t>(bits);
    out.imm = reinterpret_cast<uintptr_t>(intFunction(op));
    return reg;
  };
  if (takes(2) && only({})) {
    if (name == "not") return write(at(0), emit(Op::Xor, bits, a, constant(maskOf(bits))), bits);
    if (name == "cnot") return write(at(0), emit(Op::Eq, bits, a, constant(0)), bits);
    if (name == "neg") return write(at(0), emit(Op::Sub, bits, constant(0), a), bits, true);
    if (name == "abs") return write(at(0), unary(DeviceOp::Abs), bits, true);
    if (name == "popc") return write(at(0), unary(DeviceOp::PopCount), 32);
    if (name == "clz") return write(at(0), unary(DeviceOp::LeadingZeros), 32);
    if (name == "brev") return write(at(0), unary(DeviceOp::BitReverse), bits);
    if (name == "bfind") {
      const MathFunction function = ptxFunction("bfind." + suffix);
      if (!function) return unsupported();
      return write(at(0), math(function, a, a, a), 32);
    }
  }
  if (count < 3) return unsupported();
  NP_ASSIGN(uint32_t b, read(at(2), bits));
  if (name == "prmt") {
    if (!takes(4) || !only({})) return unsupported();
    NP_ASSIGN(uint32_t selector, read(at(3), 32));
    return write(at(0), math(ptxFunction("prmt"), a, b, selector), 32);
  }
  if (name == "sad") {
    if (!takes(4) || !only({})) return unsupported();
    NP_ASSIGN(uint32_t c, read(at(3), bits));
    const uint32_t less = emit(type.isSigned() ? Op::SLt : Op::ULt, bits, a, b);
    const uint32_t up = emit(Op::Sub, bits, b, a), down = emit(Op::Sub, bits, a, b);
    const uint32_t distance = emit(Op::Select, bits, less, up, down);
    return write(at(0), emit(Op::Add, bits, c, distance), bits);
  }
  if (!takes(3)) return unsupported();
  const auto binary = [&](DeviceOp op) {
    const uint32_t reg = f_.newRegisters(1);
    simt::Instruction& out = f_.emit(Op::IntMath, reg, a, b, b);
    out.width = static_cast<uint8_t>(bits);
    out.imm = reinterpret_cast<uintptr_t>(intFunction(op));
    return reg;
  };
  const bool is_signed = type.isSigned();
  if (name == "add" || name == "sub") {
    if (only({"sat"}) && statement_->has("sat")) {
      if (suffix != "s32") return unsupported();
      return write(at(0), binary(name == "add" ? DeviceOp::SAddSat : DeviceOp::SSubSat), bits, true);
    }
    if (!only({})) return unsupported();
    return write(at(0), emit(name == "add" ? Op::Add : Op::Sub, bits, a, b), bits, is_signed);
  }
  if (!only({})) return unsupported();
  if (name == "and") return write(at(0), emit(Op::And, bits, a, b), bits);
  if (name == "or") return write(at(0), emit(Op::Or, bits, a, b), bits);
  if (name == "xor") return write(at(0), emit(Op::Xor, bits, a, b), bits);
  if (name == "div") return write(at(0), emit(is_signed ? Op::SDiv : Op::UDiv, bits, a, b), bits, is_signed);
  if (name == "rem") return write(at(0), emit(is_signed ? Op::SRem : Op::URem, bits, a, b), bits, is_signed);
  if (name == "min") return write(at(0), binary(is_signed ? DeviceOp::SMin : DeviceOp::UMin), bits, is_signed);
  if (name == "max") return write(at(0), binary(is_signed ? DeviceOp::SMax : DeviceOp::UMax), bits, is_signed);
  return unsupported();
}

Result<void> PtxCompiler::multiply(const PtxType& type) {
  const std::string& name = statement_->opcode[0];
  const bool adds = name == "mad" || name == "mad24", short_factors = name.ends_with("24");
  if (!takes(adds ? 4 : 3) || !only({"lo", "hi", "wide"}) || statement_->opcode.size() != 3) return unsupported();
  const std::string& part = statement_->opcode[1];
  if (short_factors && (part != "lo" || type.bits != 32)) return unsupported();
  const uint32_t bits = type.bits, result_bits = part == "wide" ? 2 * bits : bits;
  uint32_t a = 0, b = 0;
  if (part == "wide" && type.isSigned()) {
    NP_ASSIGN(a, readExtended(at(1), bits));
    NP_ASSIGN(b, readExtended(at(2), bits));
  } else {
    NP_ASSIGN(a, read(at(1), bits));
    NP_ASSIGN(b, read(at(2), bits));
  }
  if (short_factors) {
    const auto cut = [&](uint32_t reg) {
      const uint32_t low = emit(Op::Trunc, 24, reg);
      if (!type.isSigned()) return low;
      const uint32_t wide = emit(Op::SExt, 32, low);
      f_.out_.code.back().width = 24;
      return wide;
    };
    a = cut(a), b = cut(b);
  }
  uint32_t product = 0;
  if (part == "hi") {
    const MathFunction function = ptxFunction("mulhi." + statement_->opcode.back());
    if (!function) return unsupported();
    product = math(function, a, b, b);
  } else {
    if (result_bits > 64) return unsupported();
    product = emit(Op::Mul, result_bits, a, b);
  }
  if (adds) {
    NP_ASSIGN(uint32_t c, read(at(3), result_bits));
    product = emit(Op::Add, result_bits, product, c);
  }
  return write(at(0), product, result_bits, type.isSigned());
}

Result<uint32_t> PtxCompiler::toFloat(uint32_t reg, FloatType from, FloatType to, char rounding) {
  if (from == to) return reg;
  const MathFunction function = convert(from, to, rounding);
  if (!function) return unsupported();
  return math(function, reg, reg, reg);
}

Result<uint32_t> PtxCompiler::saturated(uint32_t reg, FloatType type) {
  const MathFunction function = mathFunction("saturate", type, 'n');
  if (!function) return unsupported();
  return math(function, reg, reg, reg);
}

// One scalar operation of `type`; halves through float, which is exact for all but fma.
Result<uint32_t> PtxCompiler::floatOperation(FloatType type, uint32_t a, uint32_t b, uint32_t c) {
  static const std::pair<std::string_view, std::string_view> kFunctions[] = {
      {"add", "add"},     {"sub", "sub"},   {"mul", "mul"},          {"div", "div"},  {"fma", "fma"},
      {"mad", "fma"},     {"min", "fmin"},  {"max", "fmax"},         {"abs", "fabs"}, {"sqrt", "sqrt"},
      {"rsqrt", "rsqrt"}, {"rcp", "rcp"},   {"ex2", "exp2"},         {"lg2", "log2"}, {"sin", "sin"},
      {"cos", "cos"},     {"tanh", "tanh"}, {"copysign", "copysign"}};
  const std::string& name = statement_->opcode[0];
  const bool narrow = type == FloatType::F16 || type == FloatType::BF16;
  if (name == "neg" || name == "abs") {
    const uint32_t bits = narrow ? 16 : type == FloatType::F64 ? 64 : 32;
    const uint64_t sign = uint64_t{1} << (bits - 1);
    return name == "neg" ? emit(Op::Xor, bits, a, constant(sign)) : emit(Op::And, bits, a, constant(sign - 1));
  }
  std::string_view function;
  for (const auto& [known, ours] : kFunctions)
    if (known == name) function = ours;
  if (statement_->has("NaN") && (name == "min" || name == "max")) function = name == "min" ? "minimum" : "maximum";
  if (name == "copysign") std::swap(a, b);  // PTX: the sign of a on the magnitude of b
  MathFunction found = mathFunction(function, type, rounding());
  if (found) return math(found, a, b, c);
  if (!narrow || rounding() != 'n') return unsupported();
  found = mathFunction(function, FloatType::F32, 'n');
  if (!found) return unsupported();
  NP_ASSIGN(a, toFloat(a, type, FloatType::F32, 'n'));
  NP_ASSIGN(b, toFloat(b, type, FloatType::F32, 'n'));
  NP_ASSIGN(c, toFloat(c, type, FloatType::F32, 'n'));
  return toFloat(math(found, a, b, c), FloatType::F32, type, 'n');
}

Result<void> PtxCompiler::floatArithmetic(const PtxType& type) {
  const std::string& name = statement_->opcode[0];
  if (!only({"rn", "rz", "rm", "rp", "approx", "full", "ftz", "sat", "NaN", "noftz", "relu"})) return unsupported();
  const bool unary = isOneOf(name, {"abs", "neg", "sqrt", "rsqrt", "rcp", "ex2", "lg2", "sin", "cos", "tanh"});
  const size_t inputs = unary ? 1 : isOneOf(name, {"fma", "mad"}) ? 3 : 2;
  if (!takes(inputs + 1)) return unsupported();
  const bool flushes = statement_->has("ftz"), saturates = statement_->has("sat");
  if (flushes && type.format != FloatType::F32) return unsupported();
  if (saturates && type.format != FloatType::F32) return unsupported();
  const uint32_t bits = type.bits * type.lanes;
  uint32_t whole[3] = {constant(0), constant(0), constant(0)};
  for (size_t k = 0; k < inputs; ++k) {
    NP_ASSIGN(whole[k], read(at(k + 1), bits));
    if (flushes) whole[k] = math(ptxFunction("ftz"), whole[k], whole[k], whole[k]);
  }
  uint32_t result = constant(0);
  for (uint32_t lane = 0; lane < type.lanes; ++lane) {
    uint32_t in[3];
    for (int k = 0; k < 3; ++k) {
      in[k] = whole[k];
      if (type.lanes > 1) in[k] = lane ? emit(Op::LShr, 32, in[k], constant(16)) : emit(Op::Trunc, 16, in[k]);
    }
    NP_ASSIGN(uint32_t out, floatOperation(type.format, in[0], in[1], in[2]));
    if (statement_->has("relu")) {  // negative becomes zero, NaN stays
      if (name != "fma" || type.bits != 16) return unsupported();
      NP_ASSIGN(uint32_t wide, toFloat(out, type.format, FloatType::F32, 'n'));
      wide = math(mathFunction("maximum", FloatType::F32, 'n'), wide, constant(0), constant(0));
      NP_ASSIGN(out, toFloat(wide, FloatType::F32, type.format, 'n'));
    }
    result = type.lanes == 1 ? out : lane == 0 ? out : emit(Op::Or, 32, result, emit(Op::Shl, 32, out, constant(16)));
  }
  if (saturates) {
    NP_ASSIGN(result, saturated(result, type.format));
  }
  if (flushes) result = math(ptxFunction("ftz"), result, result, result);
  return write(at(0), result, bits);
}

Result<uint32_t> PtxCompiler::comparison(const std::string& how, const PtxType& type, uint32_t a, uint32_t b) {
  if (type.isFloat()) {
    // LLVM's predicates: equal 1, greater 2, less 4, unordered 8.
    static const std::pair<std::string_view, uint8_t> kOps[] = {
        {"eq", 1},  {"gt", 2},  {"ge", 3},   {"lt", 4},   {"le", 5},   {"ne", 6},   {"num", 7},
        {"nan", 8}, {"equ", 9}, {"gtu", 10}, {"geu", 11}, {"ltu", 12}, {"leu", 13}, {"neu", 14}};
    for (const auto& [name, flags] : kOps) {
      if (name != how) continue;
      const bool narrow = type.bits == 16;
      if (narrow) {
        NP_ASSIGN(a, toFloat(a, type.format, FloatType::F32, 'n'));
        NP_ASSIGN(b, toFloat(b, type.format, FloatType::F32, 'n'));
      }
      const uint32_t out = emit(type.bits == 64 ? Op::FCmp64 : Op::FCmp32, 1, a, b);
      f_.out_.code.back().flags = flags;
      return out;
    }
    return unsupported();
  }
  const bool is_signed = type.isSigned();
  const Op less = is_signed ? Op::SLt : Op::ULt, most = is_signed ? Op::SLe : Op::ULe;
  if (how == "eq") return emit(Op::Eq, type.bits, a, b);
  if (how == "ne") return emit(Op::Ne, type.bits, a, b);
  if (type.kind == PtxType::Kind::Bits) return unsupported();
  if (how == "lt" || (how == "lo" && !is_signed)) return emit(less, type.bits, a, b);
  if (how == "le" || (how == "ls" && !is_signed)) return emit(most, type.bits, a, b);
  if (how == "gt" || (how == "hi" && !is_signed)) return emit(less, type.bits, b, a);
  if (how == "ge" || (how == "hs" && !is_signed)) return emit(most, type.bits, b, a);
  return unsupported();
}

// setp.CmpOp[.BoolOp].type p[|q], a, b[, {!}c]
Result<void> PtxCompiler::compareAndSet() {
  const auto& parts = statement_->opcode;
  const auto type = ptxType(parts.back());
  const bool flushes = statement_->has("ftz");
  std::string combine;
  for (size_t k = 2; k + 1 < parts.size(); ++k) {
    if (parts[k] == "ftz") continue;
    if (!isOneOf(parts[k], {"and", "or", "xor"}) || !combine.empty()) return unsupported();
    combine = parts[k];
  }
  if (!type || type->lanes != 1 || parts.size() < 3 || !takes(combine.empty() ? 3 : 4)) return unsupported();
  NP_ASSIGN(uint32_t a, read(at(1), type->bits));
  NP_ASSIGN(uint32_t b, read(at(2), type->bits));
  if (flushes) {
    if (type->format != FloatType::F32 || !type->isFloat()) return unsupported();
    a = math(ptxFunction("ftz"), a, a, a);
    b = math(ptxFunction("ftz"), b, b, b);
  }
  NP_ASSIGN(uint32_t holds, comparison(parts[1], *type, a, b));
  uint32_t fails = emit(Op::Xor, 1, holds, constant(1));
  if (!combine.empty()) {
    NP_ASSIGN(uint32_t other, read(at(3), 1));
    const Op op = combine == "and" ? Op::And : combine == "or" ? Op::Or : Op::Xor;
    holds = emit(op, 1, holds, other);
    fails = emit(op, 1, fails, other);
  }
  NP_TRY(write(at(0), holds, 1));
  return at(0).has_predicate ? write(at(0).parts[0], fails, 1) : Result<void>();
}

Result<void> PtxCompiler::convertType() {
  const auto& parts = statement_->opcode;
  if (parts.size() < 3) return unsupported();
  if (parts[1] == "pack") {  // cvt.pack.sat.{s8,u8}.s32.b32 d, a, b, c
    const bool bytes = parts.size() == 6 && parts[2] == "sat" && isOneOf(parts[3], {"s8", "u8"}) && parts[4] == "s32" &&
                       parts[5] == "b32";
    if (!bytes || !takes(4)) return unsupported();
    NP_ASSIGN(uint32_t a, read(at(1), 32));
    NP_ASSIGN(uint32_t b, read(at(2), 32));
    NP_ASSIGN(uint32_t c, read(at(3), 32));
    return write(at(0), math(ptxFunction("pack." + parts[3]), a, b, c), 32);
  }
  if (!only({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "ftz", "sat", "rna", "satfinite"}, 2))
    return unsupported();
  const std::string &to_name = parts[parts.size() - 2], &from_name = parts.back();
  const bool to_bytes = isOneOf(to_name, {"e4m3x2", "e5m2x2"}), from_bytes = isOneOf(from_name, {"e4m3x2", "e5m2x2"});
  if (to_bytes && from_name == "f32") {
    if (!takes(3) || !statement_->has("satfinite") || !statement_->has("rn") || parts.size() != 5) return unsupported();
    NP_ASSIGN(uint32_t high, read(at(1), 32));
    NP_ASSIGN(uint32_t low, read(at(2), 32));
    return write(at(0), math(ptxFunction(to_name), high, low, low), 16);
  }
  if (from_bytes && to_name == "f16x2") {
    if (!takes(2) || parts.size() != 4) return unsupported();
    NP_ASSIGN(uint32_t pair, read(at(1), 16));
    return write(at(0), math(ptxFunction(from_name + ".half"), pair, pair, pair), 32);
  }
  const bool saturates = statement_->has("sat"), flushes = statement_->has("ftz");
  if (to_name == "tf32" && from_name == "f32") {
    if (!takes(2) || !statement_->has("rna")) return unsupported();
    NP_ASSIGN(uint32_t a, read(at(1), 32));
    return write(at(0), math(ptxFunction("tf32"), a, a, a), 32);
  }
  if (statement_->has("rna") || statement_->has("satfinite")) return unsupported();
  const auto to = ptxType(to_name), from = ptxType(from_name);
  if (!to || !from ||
      (flushes && !(from->isFloat() && from->format == FloatType::F32) &&
       !(to->isFloat() && to->format == FloatType::F32)))
    return unsupported();
  if (to->lanes == 2) {  // d = {a high, b low}
    if (!takes(3) || from_name != "f32" || flushes || saturates) return unsupported();
    NP_ASSIGN(uint32_t high, read(at(1), 32));
    NP_ASSIGN(uint32_t low, read(at(2), 32));
    NP_ASSIGN(high, toFloat(high, FloatType::F32, to->format, rounding()));
    NP_ASSIGN(low, toFloat(low, FloatType::F32, to->format, rounding()));
    return write(at(0), emit(Op::Or, 32, low, emit(Op::Shl, 32, high, constant(16))), 32);
  }
  if (!takes(2) || from->lanes != 1) return unsupported();
  const bool integral =
      statement_->has("rni") || statement_->has("rzi") || statement_->has("rmi") || statement_->has("rpi");
  if (!from->isFloat() && !to->isFloat()) {
    uint32_t a = 0;
    if (from->isSigned()) {
      NP_ASSIGN(a, readExtended(at(1), from->bits));
    } else {
      NP_ASSIGN(a, read(at(1), from->bits));
    }
    if (saturates) return unsupported();
    const uint32_t cut = to->bits < 64 ? emit(Op::Trunc, to->bits, a) : a;
    return write(at(0), cut, to->bits, to->isSigned());
  }
  if (!from->isFloat()) {
    uint32_t a = 0;
    if (from->isSigned()) {
      NP_ASSIGN(a, readExtended(at(1), from->bits));
    } else {
      NP_ASSIGN(a, read(at(1), from->bits));
    }
    const bool narrow = to->bits == 16;
    if (integral || saturates || (narrow && rounding() != 'n')) return unsupported();
    const MathFunction function = fromInteger(to->format, from->isSigned(), rounding());
    if (!function) return unsupported();
    return write(at(0), math(function, a, a, a), to->bits);
  }
  NP_ASSIGN(uint32_t a, read(at(1), from->bits));
  if (flushes && from->format == FloatType::F32) a = math(ptxFunction("ftz"), a, a, a);
  if (!to->isFloat()) {
    if (!integral) return unsupported();
    const MathFunction function = toInteger(from->format, static_cast<int>(to->bits), to->isSigned(), rounding());
    if (!function) return unsupported();
    return write(at(0), math(function, a, a, a), to->bits, to->isSigned());
  }
  uint32_t out = a;
  if (from->format == to->format) {
    if (integral) {
      const std::string_view how = statement_->has("rni")   ? "rint"
                                   : statement_->has("rzi") ? "trunc"
                                   : statement_->has("rmi") ? "floor"
                                                            : "ceil";
      const MathFunction function = mathFunction(how, from->format, 'n');
      if (!function) return unsupported();
      out = math(function, a, a, a);
    }
  } else {
    if (integral) return unsupported();
    const bool widens = to->bits > from->bits;
    NP_ASSIGN(out, toFloat(a, from->format, to->format, widens ? 'n' : rounding()));
  }
  if (saturates) {
    if (to->bits == 16) return unsupported();
    NP_ASSIGN(out, saturated(out, to->format));
  }
  if (flushes && to->format == FloatType::F32) out = math(ptxFunction("ftz"), out, out, out);
  return write(at(0), out, to->bits);
}

// mov, also between a register and the parts of it.
Result<void> PtxCompiler::moveValue() {
  const auto type = ptxType(statement_->opcode.back());
  if (!takes(2) || !type || type->lanes != 1 || !only({})) return unsupported();
  const PtxOperand &to = at(0), &from = at(1);
  const uint32_t bits = type->bits;
  if (from.kind == PtxOperand::Kind::Vector) {
    const auto parts = static_cast<uint32_t>(from.parts.size());
    if (parts < 2 || bits % parts != 0) return unsupported();
    uint32_t joined = constant(0);
    for (uint32_t k = 0; k < parts; ++k) {
      NP_ASSIGN(uint32_t part, read(from.parts[k], bits / parts));
      joined = k == 0 ? part : emit(Op::Or, bits, joined, emit(Op::Shl, bits, part, constant(k * (bits / parts))));
    }
    return write(to, joined, bits);
  }
  NP_ASSIGN(uint32_t value, read(from, bits));
  if (to.kind != PtxOperand::Kind::Vector) return write(to, value, bits);
  const auto parts = static_cast<uint32_t>(to.parts.size());
  if (parts < 2 || bits % parts != 0) return unsupported();
  for (uint32_t k = 0; k < parts; ++k) {
    const uint32_t shifted = emit(Op::LShr, bits, value, constant(k * (bits / parts)));
    NP_TRY(write(to.parts[k], emit(Op::Trunc, bits / parts, shifted), bits / parts));
  }
  return {};
}

// shf.{l,r}.{wrap,clamp}.b32 d, low, high, by
Result<void> PtxCompiler::shiftFunnel() {
  const auto& parts = statement_->opcode;
  if (!takes(4) || parts.size() != 4 || parts[3] != "b32" || !isOneOf(parts[1], {"l", "r"}) ||
      !isOneOf(parts[2], {"wrap", "clamp"}))
    return unsupported();
  NP_ASSIGN(uint32_t low, read(at(1), 32));
  NP_ASSIGN(uint32_t high, read(at(2), 32));
  NP_ASSIGN(uint32_t by, read(at(3), 32));
  if (parts[2] == "wrap") {
    by = emit(Op::And, 32, by, constant(31));
  } else {
    by = emit(Op::Select, 32, emit(Op::ULt, 32, by, constant(32)), by, constant(32));
  }
  const uint32_t both = emit(Op::Or, 64, emit(Op::Shl, 64, high, constant(32)), low);
  if (parts[1] == "r") return write(at(0), emit(Op::Trunc, 32, emit(Op::LShr, 64, both, by)), 32);
  const uint32_t shifted = emit(Op::Shl, 64, both, by);
  return write(at(0), emit(Op::Trunc, 32, emit(Op::LShr, 64, shifted, constant(32))), 32);
}

}  // namespace np::kernel_port::simt

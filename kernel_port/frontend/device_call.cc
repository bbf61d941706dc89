// Callees are looked up in tables by exact name; LLVM's overloaded intrinsics ("llvm.fma.f32") by the name with type
// suffixes taken off one by one; math functions by CUDA's naming rules ("expf", "__expf", "__fadd_rz",
// "__float2int_rd").

#include "kernel_port/frontend/device_call.h"

#include <algorithm>
#include <array>

namespace np::kernel_port {
namespace {

struct Named {
  std::string_view name;
  DeviceOp op;
};

constexpr Named kNvvm[] = {
    {"barrier0", DeviceOp::Barrier},
    {"barrier0.popc", DeviceOp::BarrierCount},
    {"barrier0.and", DeviceOp::BarrierAnd},
    {"barrier0.or", DeviceOp::BarrierOr},
    {"barrier.n", DeviceOp::BarrierId},
    {"barrier.sync", DeviceOp::BarrierId},
    {"bar.sync", DeviceOp::BarrierId},
    {"barrier", DeviceOp::BarrierIdCount},
    {"barrier.sync.cnt", DeviceOp::BarrierIdCount},
    {"bar.warp.sync", DeviceOp::WarpSync},
    {"membar.cta", DeviceOp::Fence},
    {"membar.gl", DeviceOp::Fence},
    {"membar.sys", DeviceOp::Fence},
    {"vote.all.sync", DeviceOp::VoteAll},
    {"vote.any.sync", DeviceOp::VoteAny},
    {"vote.uni.sync", DeviceOp::VoteUni},
    {"vote.ballot.sync", DeviceOp::VoteBallot},
    {"activemask", DeviceOp::ActiveMask},
    {"match.any.sync.i32", DeviceOp::MatchAny},
    {"match.any.sync.i64", DeviceOp::MatchAny},
    {"match.all.sync.i32p", DeviceOp::MatchAll},
    {"match.all.sync.i64p", DeviceOp::MatchAll},
    {"redux.sync.add", DeviceOp::ReduceAdd},
    {"redux.sync.min", DeviceOp::ReduceMin},
    {"redux.sync.max", DeviceOp::ReduceMax},
    {"redux.sync.umin", DeviceOp::ReduceUMin},
    {"redux.sync.umax", DeviceOp::ReduceUMax},
    {"redux.sync.and", DeviceOp::ReduceAnd},
    {"redux.sync.or", DeviceOp::ReduceOr},
    {"redux.sync.xor", DeviceOp::ReduceXor},
    {"atomic.load.inc.32", DeviceOp::AtomicInc},
    {"atomic.load.dec.32", DeviceOp::AtomicDec},
    {"read.ptx.sreg.warpsize", DeviceOp::WarpSize},
    {"read.ptx.sreg.laneid", DeviceOp::LaneId},
    {"read.ptx.sreg.warpid", DeviceOp::WarpId},
    {"read.ptx.sreg.lanemask.eq", DeviceOp::LaneMaskEq},
    {"read.ptx.sreg.lanemask.le", DeviceOp::LaneMaskLe},
    {"read.ptx.sreg.lanemask.lt", DeviceOp::LaneMaskLt},
    {"read.ptx.sreg.lanemask.ge", DeviceOp::LaneMaskGe},
    {"read.ptx.sreg.lanemask.gt", DeviceOp::LaneMaskGt},
    {"read.ptx.sreg.clock", DeviceOp::Clock},
    {"read.ptx.sreg.clock64", DeviceOp::Clock},
    {"read.ptx.sreg.globaltimer", DeviceOp::Clock},
};

constexpr Named kLlvm[] = {
    {"ctpop", DeviceOp::PopCount},
    {"ctlz", DeviceOp::LeadingZeros},
    {"cttz", DeviceOp::TrailingZeros},
    {"bitreverse", DeviceOp::BitReverse},
    {"bswap", DeviceOp::ByteSwap},
    {"abs", DeviceOp::Abs},
    {"smin", DeviceOp::SMin},
    {"smax", DeviceOp::SMax},
    {"umin", DeviceOp::UMin},
    {"umax", DeviceOp::UMax},
    {"fshl", DeviceOp::FunnelLeft},
    {"fshr", DeviceOp::FunnelRight},
    {"sadd.with.overflow", DeviceOp::SAddOverflow},
    {"uadd.with.overflow", DeviceOp::UAddOverflow},
    {"ssub.with.overflow", DeviceOp::SSubOverflow},
    {"usub.with.overflow", DeviceOp::USubOverflow},
    {"smul.with.overflow", DeviceOp::SMulOverflow},
    {"umul.with.overflow", DeviceOp::UMulOverflow},
    {"sadd.sat", DeviceOp::SAddSat},
    {"uadd.sat", DeviceOp::UAddSat},
    {"ssub.sat", DeviceOp::SSubSat},
    {"usub.sat", DeviceOp::USubSat},
    {"memcpy", DeviceOp::MemCpy},
    {"memcpy.inline", DeviceOp::MemCpy},
    {"memmove", DeviceOp::MemMove},
    {"memset", DeviceOp::MemSet},
    {"lifetime.start", DeviceOp::LifetimeStart},
    {"lifetime.end", DeviceOp::LifetimeEnd},
    {"expect", DeviceOp::Identity},
    {"launder.invariant.group", DeviceOp::Identity},
    {"strip.invariant.group", DeviceOp::Identity},
    {"assume", DeviceOp::NoEffect},
    {"prefetch", DeviceOp::NoEffect},
    {"donothing", DeviceOp::NoEffect},
    {"sideeffect", DeviceOp::NoEffect},
    {"experimental.noalias.scope.decl", DeviceOp::NoEffect},
    {"dbg.declare", DeviceOp::NoEffect},
    {"dbg.value", DeviceOp::NoEffect},
    {"dbg.label", DeviceOp::NoEffect},
    {"trap", DeviceOp::Trap},
    {"debugtrap", DeviceOp::Trap},
    {"ubsantrap", DeviceOp::Trap},
};

constexpr Named kFunctions[] = {
    {"vprintf", DeviceOp::Printf},
    {"printf", DeviceOp::Printf},
    {"__assert_fail", DeviceOp::AssertFail},
    {"__assertfail", DeviceOp::AssertFail},
    {"malloc", DeviceOp::Malloc},
    {"_Znwm", DeviceOp::Malloc},
    {"_Znam", DeviceOp::Malloc},
    {"free", DeviceOp::Free},
    {"_ZdlPv", DeviceOp::Free},
    {"_ZdlPvm", DeviceOp::Free},
    {"_ZdaPv", DeviceOp::Free},
    {"_ZdaPvm", DeviceOp::Free},
    {"__nanosleep", DeviceOp::NoEffect},
    {"np_grid_sync", DeviceOp::GridBarrier},
    {"memcpy", DeviceOp::MemCpy},
    {"memmove", DeviceOp::MemMove},
    {"memset", DeviceOp::MemSet},
};

// LLVM's float intrinsics and the math function each equals.
struct Alias {
  std::string_view name, function;
};
constexpr Alias kLlvmMath[] = {
    {"fabs", "fabs"},
    {"sqrt", "sqrt"},
    {"floor", "floor"},
    {"ceil", "ceil"},
    {"trunc", "trunc"},
    {"rint", "rint"},
    {"nearbyint", "nearbyint"},
    {"round", "round"},
    {"exp", "exp"},
    {"exp2", "exp2"},
    {"exp10", "exp10"},
    {"log", "log"},
    {"log2", "log2"},
    {"log10", "log10"},
    {"sin", "sin"},
    {"cos", "cos"},
    {"tan", "tan"},
    {"pow", "pow"},
    {"fma", "fma"},
    {"minnum", "fmin"},
    {"maxnum", "fmax"},
    {"copysign", "copysign"},
    {"ldexp", "ldexp"},
    {"roundeven", "rint"},
    {"minimum", "minimum"},
    {"maximum", "maximum"},
};

constexpr std::string_view kMath[] = {
    "acos",   "acosh",     "asin",          "asinh",         "atan",    "atanh", "cbrt",   "ceil",
    "cos",    "cosh",      "erf",           "erfc",          "exp",     "exp2",  "expm1",  "fabs",
    "floor",  "lgamma",    "log",           "log10",         "log1p",   "log2",  "logb",   "nearbyint",
    "rint",   "round",     "sin",           "sinh",          "sqrt",    "tan",   "tanh",   "tgamma",
    "trunc",  "cospi",     "cyl_bessel_i0", "cyl_bessel_i1", "erfcinv", "erfcx", "erfinv", "exp10",
    "j0",     "j1",        "normcdf",       "normcdfinv",    "rcbrt",   "rsqrt", "sinpi",  "tanpi",
    "y0",     "y1",        "atan2",         "copysign",      "fdim",    "fmax",  "fmin",   "fmod",
    "hypot",  "nextafter", "pow",           "remainder",     "rhypot",  "fma",   "norm3d", "rnorm3d",
    "norm4d", "rnorm4d",   "ldexp",         "scalbn",        "scalbln", "jn",    "yn",     "ilogb",
    "llrint", "llround",   "lrint",         "lround"};

// Functions that only exist behind an intrinsic's name, never as a plain callee: a program's own "add" is not one.
constexpr std::string_view kInternal[] = {"saturate", "fdividef", "add",     "sub",    "mul",
                                          "div",      "rcp",      "minimum", "maximum"};

constexpr std::string_view kPointerMath[] = {"frexp", "modf", "remquo", "sincos", "sincospi"};

template <class Table>
auto lookUp(const Table& table, std::string_view name) {
  return std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.name == name; });
}

template <size_t N>
std::string_view member(const std::string_view (&names)[N], std::string_view name) {
  auto found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? std::string_view() : *found;
}

std::optional<DeviceCall> nvvm(std::string_view name) {
  if (name.ends_with(".p0") || name.ends_with(".p1") || name.ends_with(".p3")) name.remove_suffix(3);
  if (auto row = lookUp(kNvvm, name); row != std::end(kNvvm)) return DeviceCall{row->op};
  constexpr std::pair<std::string_view, DeviceOp> kRegisters[] = {{"read.ptx.sreg.tid.", DeviceOp::ThreadId},
                                                                  {"read.ptx.sreg.ntid.", DeviceOp::BlockDim},
                                                                  {"read.ptx.sreg.ctaid.", DeviceOp::BlockId},
                                                                  {"read.ptx.sreg.nctaid.", DeviceOp::GridDim}};
  for (const auto& [prefix, op] : kRegisters) {
    if (!name.starts_with(prefix) || name.size() != prefix.size() + 1) continue;
    const int axis = name.back() - 'x';
    if (axis >= 0 && axis < 3) return DeviceCall{op, axis};
  }
  constexpr std::string_view kSpaces[] = {"isspacep.global", "isspacep.shared", "isspacep.const", "isspacep.local"};
  for (int space = 0; space < 4; ++space)
    if (name == kSpaces[space]) return DeviceCall{DeviceOp::IsSpace, space};
  constexpr std::pair<std::string_view, DeviceOp> kShuffles[] = {{"shfl.sync.idx.", DeviceOp::ShuffleIdx},
                                                                 {"shfl.sync.up.", DeviceOp::ShuffleUp},
                                                                 {"shfl.sync.down.", DeviceOp::ShuffleDown},
                                                                 {"shfl.sync.bfly.", DeviceOp::ShuffleXor}};
  for (const auto& [prefix, op] : kShuffles) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view type = name.substr(prefix.size());
    if (type == "i32" || type == "f32" || type == "i32p" || type == "f32p") return DeviceCall{op};
  }
  return std::nullopt;
}

std::optional<DeviceCall> llvmIntrinsic(std::string_view name) {
  while (!name.empty()) {
    if (auto row = lookUp(kLlvm, name); row != std::end(kLlvm)) return DeviceCall{row->op};
    if (auto row = lookUp(kLlvmMath, name); row != std::end(kLlvmMath))
      return DeviceCall{DeviceOp::Math, 0, row->function};
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) break;
    name = name.substr(0, dot);
  }
  return std::nullopt;
}

// "__float2int_rz", "__ull2double_ru", "__double2float_rd".
std::optional<DeviceCall> conversion(std::string_view name, char rounding) {
  const size_t two = name.find('2');
  if (two == std::string_view::npos) return std::nullopt;
  const std::string_view from = name.substr(0, two), to = name.substr(two + 1);
  constexpr std::string_view kIntegers[] = {"int", "uint", "ll", "ull"};
  const bool float_source = from == "float" || from == "double", float_result = to == "float" || to == "double";
  if (float_source && !member(kIntegers, to).empty())
    return DeviceCall{DeviceOp::ToInteger, 0, member(kIntegers, to), rounding};
  if (float_result && !member(kIntegers, from).empty())
    return DeviceCall{DeviceOp::FromInteger, 0, member(kIntegers, from), rounding};
  if (from == "double" && to == "float") return DeviceCall{DeviceOp::Narrow, 0, {}, rounding};
  return std::nullopt;
}

// Names that start with two underscores: fast forms, directed rounding, conversions.
std::optional<DeviceCall> intrinsicFunction(std::string_view name) {
  char rounding = 'n';
  if (name.size() > 3 && name[name.size() - 3] == '_' && name[name.size() - 2] == 'r') {
    rounding = name.back();
    if (rounding != 'n' && rounding != 'z' && rounding != 'u' && rounding != 'd') return std::nullopt;
    name.remove_suffix(3);
    if (auto found = conversion(name, rounding)) return found;
    if (name == "fma" || name == "fmaf") return DeviceCall{DeviceOp::Math, 0, "fma", rounding};
    if (name.empty() || (name[0] != 'f' && name[0] != 'd')) return std::nullopt;
    name.remove_prefix(1);  // the width
    constexpr std::string_view kDirected[] = {"add", "sub", "mul", "div", "rcp", "sqrt", "rsqrt"};
    const std::string_view function = member(kDirected, name);
    if (function.empty()) return std::nullopt;
    return DeviceCall{DeviceOp::Math, 0, function, rounding};
  }
  if (name == "fdividef") return DeviceCall{DeviceOp::Math, 0, "fdividef", 'n', true};
  if (name == "saturatef") return DeviceCall{DeviceOp::Math, 0, "saturate"};
  if (name == "sincosf") return DeviceCall{DeviceOp::MathPointer, 0, "sincos", 'n', true};
  constexpr std::string_view kFast[] = {"cos", "exp10", "exp", "log10", "log2", "log", "sin", "tan", "pow"};
  if (!name.empty() && name.back() == 'f') {
    const std::string_view function = member(kFast, name.substr(0, name.size() - 1));
    if (!function.empty()) return DeviceCall{DeviceOp::Math, 0, function, 'n', true};
  }
  return std::nullopt;
}

}  // namespace

bool isMathFunction(std::string_view function) {
  return !member(kMath, function).empty() || !member(kInternal, function).empty();
}

std::optional<DeviceCall> classifyDeviceCall(std::string_view callee) {
  if (callee.starts_with("llvm.nvvm.")) return nvvm(callee.substr(10));
  if (callee.starts_with("llvm.")) return llvmIntrinsic(callee.substr(5));
  if (auto row = lookUp(kFunctions, callee); row != std::end(kFunctions)) return DeviceCall{row->op};
  if (callee.starts_with("__")) return intrinsicFunction(callee.substr(2));
  if (callee.starts_with("np_float2half_r") || callee.starts_with("np_float2bf16_r")) {  // of our own headers
    const char rounding = callee.back();
    if (callee.size() != 16 || (rounding != 'z' && rounding != 'd' && rounding != 'u')) return std::nullopt;
    return DeviceCall{DeviceOp::Narrow, 0, {}, rounding};
  }
  for (const std::string_view name : {callee, callee.substr(0, callee.size() - (callee.ends_with('f') ? 1 : 0))}) {
    if (const std::string_view function = member(kPointerMath, name); !function.empty())
      return DeviceCall{DeviceOp::MathPointer, 0, function};
    if (const std::string_view function = member(kMath, name); !function.empty())
      return DeviceCall{DeviceOp::Math, 0, function};
  }
  return std::nullopt;
}

}  // namespace np::kernel_port

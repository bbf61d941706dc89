// Words and literals. A literal without a suffix is f32 if it has a point or an exponent, else i32; f32 literals are
// the shortest decimal that reads back as the same float.
#include "kernel_port/spec/names.h"

#include <charconv>
#include <cmath>

namespace np::kernel_port::spec {
namespace {

constexpr std::string_view kUn[] = {"neg",  "abs",   "square", "sqrt", "rsqrt", "exp",   "exp2", "expm1", "log",
                                    "log2", "log10", "log1p",  "sin",  "cos",   "tan",   "asin", "acos",  "atan",
                                    "sinh", "cosh",  "tanh",   "erf",  "erfc",  "floor", "ceil", "trunc", "round"};
constexpr std::string_view kBin[] = {"add",  "sub",  "mul",  "div",    "max",   "min",    "pow", "atan2",
                                     "fmod", "idiv", "imod", "bitand", "bitor", "bitxor", "shl", "shr"};
constexpr std::string_view kCmp[] = {"<", "<=", "==", "!="};
constexpr std::string_view kRed[] = {"sum", "max", "min"};
constexpr std::string_view kRole[] = {"in", "out", "inout"};
constexpr std::string_view kWords[] = {"sizes", "where", "buffer", "scalar", "for", "in",   "if",    "and", "or",
                                       "not",   "pad",   "rec",    "inf",    "nan", "true", "false", "out", "inout"};

template <class E, size_t N>
std::optional<E> find(const std::string_view (&table)[N], std::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (table[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view unName(UnOp op) { return kUn[static_cast<int>(op)]; }
std::optional<UnOp> unFromName(std::string_view name) { return find<UnOp>(kUn, name); }
std::string_view binName(BinOp op) { return kBin[static_cast<int>(op)]; }
std::optional<BinOp> binFromName(std::string_view name) { return find<BinOp>(kBin, name); }
std::string_view cmpSymbol(CmpOp op) { return kCmp[static_cast<int>(op)]; }
std::string_view redName(RedOp op) { return kRed[static_cast<int>(op)]; }
std::optional<RedOp> redFromName(std::string_view name) { return find<RedOp>(kRed, name); }
std::string_view roleName(Role role) { return kRole[static_cast<int>(role)]; }
std::optional<Role> roleFromName(std::string_view name) { return find<Role>(kRole, name); }

bool isReserved(std::string_view name) {
  for (std::string_view word : kWords) {
    if (word == name) return true;
  }
  return unFromName(name) || binFromName(name) || redFromName(name) || dtypeFromName(name);
}

std::string literalText(double value, DType type) {
  if (type == DType::Bool) return value != 0 ? "true" : "false";
  char buffer[64];
  std::string out;
  if (!isFloat(type)) {
    out = std::to_string(static_cast<int64_t>(value));
    return type == DType::I32 ? out : out + std::string(dtypeName(type));
  }
  if (std::isnan(value)) {
    out = "nan";
  } else if (std::isinf(value)) {
    out = value < 0 ? "-inf" : "inf";
  } else {
    const auto end = type == DType::F64 ? std::to_chars(buffer, buffer + sizeof buffer, value)
                                        : std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value));
    out.assign(buffer, end.ptr);
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
  }
  if (type == DType::F32) return out;
  // "inff16" would be a name: a cast keeps it readable.
  return std::isfinite(value) ? out + std::string(dtypeName(type)) : std::string(dtypeName(type)) + "(" + out + ")";
}

}  // namespace np::kernel_port::spec

// Names of the closed vocabularies, each in one table that serves both directions.
#include "runtime/tile/names.h"

#include <array>
#include <cstddef>

namespace np::tile {
namespace {

// Enumerators index these tables.
struct DtypeRow {
  const char *name, *nki;
  int bytes;
  bool is_float;
};
constexpr std::array<DtypeRow, 9> kDtypes = {{{"f32", "float32", 4, true},
                                              {"f16", "float16", 2, true},
                                              {"bf16", "bfloat16", 2, true},
                                              {"i32", "int32", 4, false},
                                              {"u32", "uint32", 4, false},
                                              {"i16", "int16", 2, false},
                                              {"u16", "uint16", 2, false},
                                              {"i8", "int8", 1, false},
                                              {"u8", "uint8", 1, false}}};
constexpr std::array<const char*, 3> kMemories = {"hbm", "sbuf", "psum"};
constexpr std::array<const char*, 7> kEngines = {"unknown", "tensor", "vector", "scalar", "gpsimd", "dma", "sync"};
constexpr std::array<const char*, 5> kReduceCommands = {"idle", "reset", "reduce", "reset_reduce", "load_reduce"};
constexpr std::array<const char*, 2> kOobModes = {"error", "skip"};

// What an nl function may be used for: A ALU operation, C comparison, B bitwise, U unary; a in activation, r in
// reduction.
struct FunctionRow {
  const char *name, *uses;
};
constexpr std::array<FunctionRow, 48> kFunctions = {{
    {"add", "Ar+"},
    {"subtract", "Ar"},
    {"multiply", "Ar+"},
    {"maximum", "Ar+"},
    {"minimum", "Ar+"},
    {"abs_max", "A+"},
    {"abs_min", "A+"},
    {"power", "A"},
    {"equal", "AC+"},
    {"not_equal", "AC+"},
    {"greater", "AC"},
    {"greater_equal", "AC"},
    {"less", "AC"},
    {"less_equal", "AC"},
    {"logical_and", "Ar+"},
    {"logical_or", "Ar+"},
    {"logical_xor", "Ar+"},
    {"bitwise_and", "Br+"},
    {"bitwise_or", "Br+"},
    {"bitwise_xor", "Br+"},
    {"left_shift", "B"},
    {"right_shift", "B"},
    {"invert", "B"},
    {"abs", "Ua"},
    {"square", "Ua"},
    {"relu", "Ua"},
    {"rsqrt", "Ua"},
    {"reciprocal", "Ua"},
    {"copy", "a"},
    {"sigmoid", "a"},
    {"gelu", "a"},
    {"gelu_dx", "a"},
    {"gelu_apprx_tanh", "a"},
    {"gelu_apprx_sigmoid", "a"},
    {"gelu_apprx_sigmoid_dx", "a"},
    {"silu", "a"},
    {"silu_dx", "a"},
    {"tanh", "a"},
    {"softplus", "a"},
    {"mish", "a"},
    {"erf", "a"},
    {"erf_dx", "a"},
    {"exp", "a"},
    {"sign", "a"},
    {"log", "a"},
    {"sin", "a"},
    {"arctan", "a"},
    {"sqrt", "a"},
}};

template <class Enum, size_t N>
std::optional<Enum> find(const std::array<const char*, N>& table, std::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (name == table[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

std::string_view uses(Function function) { return kFunctions[static_cast<size_t>(function)].uses; }
bool has(Function function, char use) { return uses(function).find(use) != std::string_view::npos; }

}  // namespace

const char* dtypeName(Dtype dtype) { return kDtypes[static_cast<size_t>(dtype)].name; }
const char* dtypeNkiName(Dtype dtype) { return kDtypes[static_cast<size_t>(dtype)].nki; }
int64_t dtypeBytes(Dtype dtype) { return kDtypes[static_cast<size_t>(dtype)].bytes; }
bool isFloat(Dtype dtype) { return kDtypes[static_cast<size_t>(dtype)].is_float; }

std::optional<Dtype> dtypeFromName(std::string_view name) {
  for (size_t i = 0; i < kDtypes.size(); ++i) {
    if (name == kDtypes[i].name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

const char* memoryName(Memory memory) { return kMemories[static_cast<size_t>(memory)]; }
std::optional<Memory> memoryFromName(std::string_view name) { return find<Memory>(kMemories, name); }
const char* engineName(Engine engine) { return kEngines[static_cast<size_t>(engine)]; }
std::optional<Engine> engineFromName(std::string_view name) { return find<Engine>(kEngines, name); }
const char* reduceCommandName(ReduceCommand command) { return kReduceCommands[static_cast<size_t>(command)]; }
std::optional<ReduceCommand> reduceCommandFromName(std::string_view name) {
  return find<ReduceCommand>(kReduceCommands, name);
}
const char* oobModeName(OobMode mode) { return kOobModes[static_cast<size_t>(mode)]; }
std::optional<OobMode> oobModeFromName(std::string_view name) { return find<OobMode>(kOobModes, name); }

const char* functionName(Function function) { return kFunctions[static_cast<size_t>(function)].name; }
std::optional<Function> functionFromName(std::string_view name) {
  for (size_t i = 0; i < kFunctions.size(); ++i) {
    if (name == kFunctions[i].name) return static_cast<Function>(i);
  }
  return std::nullopt;
}

FunctionClass functionClass(Function function) {
  if (has(function, 'A')) return FunctionClass::kArithmetic;
  if (has(function, 'B')) return FunctionClass::kBitwise;
  return has(function, 'U') ? FunctionClass::kUnary : FunctionClass::kActivationOnly;
}
bool isActivation(Function function) { return has(function, 'a'); }
bool isReduction(Function function) { return has(function, 'r'); }
bool isComparison(Function function) { return has(function, 'C'); }
bool isCommutative(Function function) { return has(function, '+'); }

}  // namespace np::tile

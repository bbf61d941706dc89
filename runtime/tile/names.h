// The closed vocabularies of Tile IR: element types, memories, engines, functions. Names are those of NKI (nl.*,
// nisa.*).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace np::tile {

// f64 and i64 are no NKI types and therefore no Tile IR types.
enum class Dtype { kF32, kF16, kBf16, kI32, kU32, kI16, kU16, kI8, kU8 };
const char* dtypeName(Dtype dtype);     // "f32"
const char* dtypeNkiName(Dtype dtype);  // "float32"
std::optional<Dtype> dtypeFromName(std::string_view name);
int64_t dtypeBytes(Dtype dtype);
bool isFloat(Dtype dtype);

enum class Memory { kHbm, kSbuf, kPsum };
const char* memoryName(Memory memory);
std::optional<Memory> memoryFromName(std::string_view name);

enum class Engine { kUnknown, kTensor, kVector, kScalar, kGpsimd, kDma, kSync };
const char* engineName(Engine engine);
std::optional<Engine> engineFromName(std::string_view name);

enum class ReduceCommand { kIdle, kReset, kReduce, kResetReduce, kLoadReduce };
const char* reduceCommandName(ReduceCommand command);
std::optional<ReduceCommand> reduceCommandFromName(std::string_view name);

enum class OobMode { kError, kSkip };
const char* oobModeName(OobMode mode);
std::optional<OobMode> oobModeFromName(std::string_view name);

// Every nl function that an instruction can name: ALU operations and activation functions (some are both).
enum class Function {
  kAdd,
  kSubtract,
  kMultiply,
  kMaximum,
  kMinimum,
  kAbsMax,
  kAbsMin,
  kPower,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kLess,
  kLessEqual,
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor,
  kLeftShift,
  kRightShift,
  kInvert,
  kAbs,
  kSquare,
  kRelu,
  kRsqrt,
  kReciprocal,
  kCopy,
  kSigmoid,
  kGelu,
  kGeluDx,
  kGeluApprxTanh,
  kGeluApprxSigmoid,
  kGeluApprxSigmoidDx,
  kSilu,
  kSiluDx,
  kTanh,
  kSoftplus,
  kMish,
  kErf,
  kErfDx,
  kExp,
  kSign,
  kLog,
  kSin,
  kArctan,
  kSqrt,
};
const char* functionName(Function function);  // "add"
std::optional<Function> functionFromName(std::string_view name);

enum class FunctionClass { kArithmetic, kBitwise, kUnary, kActivationOnly };
FunctionClass functionClass(Function function);
bool isActivation(Function function);  // may stand in nisa.activation(op=)
bool isReduction(Function function);   // may stand in nisa.tensor_reduce(op=)
bool isComparison(Function function);  // equal .. less_equal
bool isCommutative(Function function);

}  // namespace np::tile

// The instruction table: for each opcode its arguments in nisa order, with nisa's keyword names.
//
// Printer, parser, instantiation, the NKI emitter and the tracer all follow this one table. Arguments that are required
// come first and are printed by position; optional ones are printed as `name=value` where they differ from the default.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/tile/program.h"

namespace np::tile {

enum class ArgumentKind {
  kView,      // View
  kScalar,    // Number (fp32) or View of a (P,1) tile
  kNumber,    // Number
  kFlag,      // bool; absent = false
  kTriState,  // bool or absent
  kInteger,   // Expr
  kFunction,  // Function
  kAxes,      // vector<int>
  kPattern,   // vector<ApDim>
  kEngine,    // Engine
  kReduceCommand,
  kOobMode,
};

enum class Access { kNone, kRead, kWrite, kReadWrite };

struct ArgumentSchema {
  std::string_view name;
  ArgumentKind kind;
  bool required = true;
  Access access = Access::kNone;  // of a View
};

struct InstructionSchema {
  Opcode opcode;
  std::string_view name;  // "tensor_scalar", the nisa function of the same name
  std::span<const ArgumentSchema> arguments;
};

const InstructionSchema& schemaOf(Opcode opcode);
std::span<const InstructionSchema> allSchemas();
std::optional<Opcode> opcodeFromName(std::string_view name);
// Position of an argument in Instruction::arguments; -1 if the opcode has none of that name.
int argumentIndex(Opcode opcode, std::string_view name);
// An instruction of this opcode with every argument absent.
Instruction emptyInstruction(Opcode opcode);

}  // namespace np::tile

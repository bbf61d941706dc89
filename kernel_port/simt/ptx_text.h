// Inline PTX as statements: what asm("...") holds, taken apart. Knows the grammar, not the instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::kernel_port::simt {

struct PtxOperand {
  enum class Kind {
    Assembly,   // number `index` of the asm statement
    Register,   // declared in the text: `name`
    Special,    // %laneid and the like: `name` without the percent sign
    Immediate,  // `bits`; of 0f... and 0d... the pattern; of "1.5" that of a double, and `decimal`
    Address,    // [base + bits], `parts` holds the base
    Vector,     // {a, b, ...} in `parts`
    Sink,       // _
  };
  Kind kind = Kind::Sink;
  std::string name;
  uint32_t index = 0;
  uint64_t bits = 0;
  bool decimal = false;
  bool negated = false;           // !p
  std::vector<PtxOperand> parts;  // see Kind; of "a|p" the predicate p
  bool has_predicate = false;     // "a|p": the last of `parts`
};

struct PtxStatement {
  std::string guard;  // the predicate of @p, empty when there is none
  uint32_t guard_index = 0;
  bool guard_is_assembly = false, guard_negated = false;
  std::string text;                 // as written, for messages
  std::vector<std::string> opcode;  // "ld", "global", "nc", "f32"
  std::vector<PtxOperand> operands;

  bool has(std::string_view modifier) const;
};

struct PtxRegister {
  std::string name, type;  // "b32", "pred", ...
};

struct PtxText {
  std::vector<PtxRegister> registers;
  std::vector<PtxStatement> statements;
};

// Takes LLVM's form of an asm string apart ($0 for an operand, $$ for a dollar). Error "unsupported" for labels and
// for whatever does not read as PTX.
Result<PtxText> readPtx(std::string_view text);

}  // namespace np::kernel_port::simt

// Hardware rules. What passes here is legal NKI as far as it is documented; figures come from hardware.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tile/flat.h"
#include "runtime/tile/hardware.h"

namespace np::tile {

struct Violation {
  int64_t instruction = -1;  // position in FlatProgram::instructions; -1: of the program as a whole
  std::string rule;          // one of ruleNames()
  std::string message;       // "instruction 3 (nc_matmul): rule matmul-shape: …"
};

// All rules, on every instruction; stops after `limit` violations. Empty: legal.
std::vector<Violation> verify(const FlatProgram& program, const Hardware& hardware, size_t limit = 20);

// Names of the rules, each with one sentence, for documentation and tests.
struct RuleText {
  std::string_view name, text;
};
std::span<const RuleText> verifierRules();

}  // namespace np::tile

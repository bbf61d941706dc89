// Uses of macros that carry meaning of their own (TORCH_LIBRARY, AT_DISPATCH_*, PYBIND11_MODULE …), kept while
// preprocessing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace np::analyzer::worker {

struct MacroUse {
  std::string name;
  std::vector<std::string> args;  // token texts joined by single spaces where the source has any
  bool from_project = false;      // the project's own macro of such a name
};

// Keyed by the raw encoding of the place where the macro is used in the file (Places::useOf).
using MacroUses = std::multimap<std::uint32_t, MacroUse>;

}  // namespace np::analyzer::worker

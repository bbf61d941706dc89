// Fixes in projects that compile functions with TorchScript, which knows no torch.accelerator.
#pragma once

#include <string_view>

#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

// Whether the text compiles anything with TorchScript: `torch.jit.script`, `script_method`, ScriptModule.
bool mentionsScript(std::string_view bytes);

// Makes safe fixes inside functions unsafe, with a note. What is compiled reaches functions of other files by calls,
// and a class by its instances, so no single file tells which function stays Python; code outside functions always
// does.
void lowerFixesInFunctions(const RuleInput& input, FileFindings& out);

}  // namespace np::analyzer

// Specs as text. README.md has the grammar; printing what was parsed gives canonical text, and canonical text comes
// back unchanged.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {

// Reads and validates a Spec; an error's location is "file:line:column".
Result<Spec> parseSpec(std::string_view text, std::string_view file = "spec");

// Canonical text, declarations first, one line each.
std::string printSpec(const Spec& spec);

// The macro and statement lines of printSpec() alone.
std::string printFormulas(const Spec& spec);

// One expression, without macros; for messages.
std::string printExpr(const Spec& spec, Expr e);

// Checks names, types and dimensions; the error names the statement.
Result<void> validateSpec(const Spec& spec);

}  // namespace np::kernel_port::spec

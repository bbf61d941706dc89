// What a string literal says, as far as it is written out.
#pragma once

#include <optional>
#include <string>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

// The text of a plain string literal (escapes kept as written); none for f-strings with holes and byte strings.
std::optional<std::string> literalText(const Module& module, NodeId id);

// The text before the first hole of an f-string ("cuda:" of f"cuda:{rank}"), or the whole text.
std::string leadingText(const Module& module, NodeId id);
bool hasHoles(const Module& module, NodeId id);

// A string that documents: the only expression of its statement.
bool isDocstring(const Module& module, NodeId id);

}  // namespace np::analyzer::python

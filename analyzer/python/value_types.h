// What an expression is, as far as the file itself says: enough to know that `.cuda()` is torch's.
#pragma once

#include "analyzer/python/module.h"

namespace np::analyzer::python {

enum class ValueType { Unknown, Tensor, NnModule };

// Judges constructors, factories, methods that return a tensor, annotations, and names bound once to one of these.
ValueType valueType(const Module& module, NodeId expression);

// A function of torch that takes `device=` and allocates: torch.zeros, torch.tensor, torch.nn.Linear …
bool takesDevice(std::string_view qualified_name);

}  // namespace np::analyzer::python

// Uses of named APIs and the arguments of calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

// A place that names an imported API: the longest attribute chain, with the dotted name that it stands for.
struct ApiUse {
  NodeId node = kNoNode;  // the chain or identifier
  std::string name;       // "torch.cuda.synchronize"
  NodeId call = kNoNode;  // the call of it, kNoNode when it is not called here
};

// Every use of a name behind an import, in source order; import statements themselves are not uses.
std::vector<ApiUse> findApiUses(const Module& module);

struct Argument {
  std::string_view name;  // empty when positional
  NodeId node = kNoNode;  // the keyword argument or the value
  NodeId value = kNoNode;
};

// Arguments of a call in order; a splat has the name "*" or "**".
std::vector<Argument> argumentsOf(const Module& module, NodeId call);
// True when `value` is the first thing in the call's parentheses.
bool isFirstArgument(const Module& module, NodeId call, NodeId value);
NodeId keywordValue(const Module& module, NodeId call, std::string_view name);

// The name of the method when the callee is an attribute (`to` of `x.to(…)`), else empty; and the receiver.
std::string_view methodName(const Module& module, NodeId call);
NodeId receiverOf(const Module& module, NodeId call);

}  // namespace np::analyzer::python

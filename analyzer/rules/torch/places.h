// Small questions about a place that several rules ask.
#pragma once

#include <string>

#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

// The source of a node, its first 2000 bytes at most.
std::string textOf(const RuleInput& input, python::NodeId node);

// True for code that runs when the file is imported: module and class level, default values, decorators. Asking for a
// device there may touch the driver before a fork, so no fix there is `safe`.
bool runsAtImport(const RuleInput& input, python::NodeId node);

// True inside the body of a `try`: what raises today may be caught there on purpose.
bool insideTry(const RuleInput& input, python::NodeId node);

// `text`, an `or` expression, in parentheses when the expression it replaces stands where operators bind more tightly.
std::string parenthesizedFor(const RuleInput& input, python::NodeId replaced, std::string text);

// True inside code that tells several backends apart (`elif is_xpu_available(): …`): its CUDA branch is CUDA's on
// purpose, and Neuron gets a branch of its own rather than CUDA's.
bool inBackendDispatch(const RuleInput& input, python::NodeId node);

// True for a file that knows backends besides CUDA, MPS and the CPU by name: what it does for CUDA it does for CUDA
// alone, and only changes that keep today's behaviour everywhere are offered in it.
bool tellsBackendsApart(const RuleInput& input);

// True when the expression is assigned to a name whose `.index` the file reads: then the index may not go away.
bool indexIsRead(const RuleInput& input, python::NodeId expression);

// Whether a value such as a dtype is chosen here (an argument, an assignment), rather than compared or listed.
bool isChosen(const RuleInput& input, python::NodeId node);

// True in a class whose name says CUDA: "CudaTimer", "CUDA_Accelerator".
bool insideCudaClass(const RuleInput& input, python::NodeId node);

// True in the body of a `with` that expects an exception: assertRaises, pytest.raises.
bool expectsException(const RuleInput& input, python::NodeId node);

// Whether `written` (of `import written`, relative or not) is one of these modules, which have absolute names.
bool namesModule(const RuleInput& input, std::string_view written, const std::set<std::string>& modules);

// True inside a function that torch.jit.script compiles, by decorator or by a call in the file: TorchScript knows no
// torch.accelerator, so nothing in it may be rewritten to that.
bool insideScript(const RuleInput& input, python::NodeId node);

// True when the file makes the device of this number its current one: `torch.cuda.set_device(local_rank)`.
bool becomesCurrentDevice(const RuleInput& input, std::string_view number);

// Name of the group in which all fixes of one named device value go together; empty when the name has several meanings.
std::string flowOf(const RuleInput& input, python::NodeId identifier);

}  // namespace np::analyzer

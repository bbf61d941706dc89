// NPT5004 build-without-neuron
//
// One call builds the extension as CppExtension or as CUDAExtension, whichever the machine allows. Without CUDA the
// host code is compiled for the CPU alone; the fix defines WITH_NEURON there, which is what bridges to ported ops are
// compiled under. The CUDA build stays as it is.

#include "analyzer/python/calls.h"
#include "analyzer/rules/cuda/build_rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::Module;
using python::NodeId;

constexpr const char* kDefine = "[] if CUDA_HOME is not None else [(\"WITH_NEURON\", None)]";

// True when the callee is a name that stands for both classes.
bool buildsEither(const Module& module, NodeId call) {
  const NodeId callee = module.tree().child(call, Field::Function);
  if (!module.tree().is(callee, Kind::Identifier)) return false;
  const python::Symbol* symbol = module.symbolOf(callee);
  if (!symbol) return false;
  bool cpp = false, cuda = false;
  for (const python::Binding& binding : symbol->bindings) {
    if (binding.value == kNoNode) continue;
    const std::string_view text = module.slice(binding.value);
    cpp = cpp || text.find("CppExtension") != std::string_view::npos;
    cuda = cuda || text.find("CUDAExtension") != std::string_view::npos;
  }
  return cpp && cuda;
}

bool needsParentheses(const Module& module, NodeId value) {
  const python::SyntaxTree& tree = module.tree();
  for (Kind kind : {Kind::Identifier, Kind::Attribute, Kind::Call, Kind::Subscript, Kind::List})
    if (tree.is(value, kind)) return false;
  return true;
}

Fix makeFix(const Module& module, NodeId call) {
  Fix fix;
  fix.safety = FixSafety::Unsafe;
  fix.title = "define WITH_NEURON where there is no CUDA";
  fix.group = "neuron-build";
  const python::Symbol* known = module.lookup("CUDA_HOME", 0);
  if (!known || known->bindings.empty()) fix.imports = {"from torch.utils.cpp_extension import CUDA_HOME"};
  const std::string& path = module.text().path();
  const NodeId value = python::keywordValue(module, call, "define_macros");
  if (value != kNoNode) {
    const Range range = module.tree()[value].range;
    const bool wrapped = needsParentheses(module, value);
    if (wrapped) fix.edits.push_back({path, {range.start, range.start}, "("});
    fix.edits.push_back({path, {range.end, range.end}, std::string(wrapped ? ")" : "") + " + (" + kDefine + ")"});
    return fix;
  }
  const std::vector<python::Argument> arguments = python::argumentsOf(module, call);
  if (arguments.empty()) return {};
  const Offset end = module.tree()[arguments.back().node].range.end;
  fix.edits.push_back({path, {end, end}, std::string(", define_macros=") + kDefine});
  return fix;
}

}  // namespace

void buildWithoutNeuron(const Module& module, BuildFindings& out) {
  const python::SyntaxTree& tree = module.tree();
  for (NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (!tree.is(id, Kind::Call) || !buildsEither(module, id)) continue;
    if (module.slice(id).find("WITH_NEURON") != std::string_view::npos) continue;
    Finding& finding =
        out.add("NPT5004", tree.child(id, Field::Function), std::string(module.slice(tree.child(id, Field::Function))),
                "without CUDA the extension is built for the CPU alone; \"WITH_NEURON\" is not defined");
    const python::Symbol* home = module.lookup("CUDA_HOME", 0);
    const bool foreign =
        home && !home->bindings.empty() && home->bindings[0].path != "torch.utils.cpp_extension.CUDA_HOME";
    if (tree[tree.statementOf(id)].has_error || foreign) continue;
    Fix fix = makeFix(module, id);
    if (!fix.edits.empty()) finding.fixes.push_back(std::move(fix));
  }
}

}  // namespace np::analyzer

// NPT5005 nvcc-flag, NPT5006 cuda-required-build, NPT5007 nvcc-call, NPT5008 cuda-arch-list, NPT5009
// cuda-version-in-build
//
// What a build file does with the CUDA toolkit besides declaring extensions: flags of nvcc, a refusal to build without
// CUDA, calls of nvcc to learn its version, lists of GPU architectures, names that hold CUDA's version.

#include <algorithm>
#include <array>

#include "analyzer/python/calls.h"
#include "analyzer/python/strings.h"
#include "analyzer/rules/cuda/build_rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::Module;
using python::NodeId;

constexpr std::array<std::string_view, 9> kFlags = {
    "-gencode",        "--gencode",       "-arch=",    "--expt-",        "-Xptxas",
    "--ptxas-options", "--use_fast_math", "-lineinfo", "--generate-code"};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool asksForCuda(std::string_view condition) {
  const bool negative = contains(condition, "is None") || contains(condition, "not ") || contains(condition, "== \"\"");
  return negative && (contains(condition, "CUDA_HOME") || contains(condition, "cuda.is_available()"));
}

// A raise or an exit among the statements of the branch.
bool givesUp(const Module& module, NodeId branch) {
  const python::SyntaxTree& tree = module.tree();
  const Range range = tree[branch].range;
  for (NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (!range.contains(tree[id].range)) continue;
    if (tree.is(id, Kind::RaiseStatement)) return true;
    if (tree.is(id, Kind::Call) && (module.calleeName(id) == "sys.exit" || module.slice(id).starts_with("exit(")))
      return true;
  }
  return false;
}

template <typename Visit>
void eachOf(const Module& module, Kind kind, const Visit& visit) {
  for (NodeId id = 0; id < module.tree().nodes().size(); ++id)
    if (module.tree().is(id, kind)) visit(id);
}

}  // namespace

void nvccFlag(const Module& module, BuildFindings& out) {
  eachOf(module, Kind::String, [&](NodeId id) {
    const auto text = python::literalText(module, id);
    if (!text || *text == "--use_fast_math") return;  // NPT5003
    for (std::string_view flag : kFlags)
      if (text->starts_with(flag)) {
        out.add("NPT5005", id, *text, "\"" + *text + "\" is a flag of nvcc; a build without CUDA must not pass it on");
        return;
      }
  });
}

void cudaRequiredBuild(const Module& module, BuildFindings& out) {
  eachOf(module, Kind::IfStatement, [&](NodeId id) {
    const NodeId condition = module.tree().child(id, Field::Condition);
    const NodeId branch = module.tree().child(id, Field::Consequence);
    if (condition == kNoNode || branch == kNoNode || !asksForCuda(module.slice(condition)) || !givesUp(module, branch))
      return;
    out.add("NPT5006", condition, std::string(module.slice(condition)),
            "the build gives up where there is no CUDA; build the host code for the CPU and Neuron instead");
  });
  eachOf(module, Kind::AssertStatement, [&](NodeId id) {
    const std::string_view text = module.slice(id);
    if (contains(text, "CUDA_HOME") || contains(text, "cuda.is_available()"))
      out.add("NPT5006", id, "assert",
              "the build gives up where there is no CUDA; build the host code for the CPU and Neuron instead");
  });
}

void nvccCall(const Module& module, BuildFindings& out) {
  eachOf(module, Kind::Call, [&](NodeId id) {
    const std::string callee = module.calleeName(id);
    const bool runs = callee.starts_with("subprocess.") || callee == "os.system" || callee == "os.popen";
    if (!runs) return;
    const NodeId arguments = module.tree().child(id, Field::Arguments);
    if (arguments == kNoNode || !contains(module.slice(arguments), "nvcc")) return;
    out.add("NPT5007", module.tree().child(id, Field::Function), callee,
            "the build runs nvcc, which is not there on a Neuron machine");
  });
}

void cudaArchList(const Module& module, BuildFindings& out) {
  eachOf(module, Kind::String, [&](NodeId id) {
    const auto text = python::literalText(module, id);
    if (text && (*text == "TORCH_CUDA_ARCH_LIST" || *text == "CUDA_ARCH_LIST" || *text == "NVCC_APPEND_FLAGS"))
      out.add("NPT5008", id, *text,
              "\"" + *text + "\" chooses GPU architectures; it means nothing to a build for Neuron");
  });
}

void cudaVersionInBuild(const Module& module, BuildFindings& out) {
  for (const python::ApiUse& use : python::findApiUses(module))
    if (use.name == "torch.version.cuda" || use.name.starts_with("torch.version.cuda."))
      out.add("NPT5009", use.node, "torch.version.cuda",
              "\"torch.version.cuda\" is None in a build of torch without CUDA; test for that before taking it apart");
}

}  // namespace np::analyzer

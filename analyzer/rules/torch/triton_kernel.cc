// NPT3202 triton-kernel
//
// Functions compiled for a GPU by Triton, Numba and their like: no code generator for Neuron exists, so each one is an
// NKI kernel to be written.

#include "analyzer/python/gpu_code.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

std::string languageOf(std::string_view name) {
  if (name.starts_with("numba.")) return "Numba";
  if (name.starts_with("cup")) return "CuPy";
  if (name.starts_with("tilelang.")) return "TileLang";
  if (name.starts_with("cutlass.")) return "CuTe";
  return name.starts_with("warp.") ? "Warp" : "Triton";
}

// CUDA C++ in a string, for load_inline, cupy.RawKernel, pycuda.
void sourceTexts(const RuleInput& input, FileFindings& out) {
  for (python::NodeId id : input.strings) {
    const std::string_view text = input.module.slice(id);
    const auto at = text.find("__global__");
    if (at == std::string_view::npos || text.find('(', at) == std::string_view::npos) continue;
    out.add("NPT3202", id, textOf(input, id), "CUDA kernel in a string; neuron needs it written with NKI").severity =
        Severity::Warning;
  }
}

}  // namespace

void tritonKernel(const RuleInput& input, FileFindings& out) {
  sourceTexts(input, out);
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::ApiUse& use : input.uses) {
    if (use.name == "triton.autotune" || use.name == "triton.heuristics")
      out.add("NPT3202", use.node, textOf(input, use.node), "tunes a Triton kernel; leave it out with the kernel")
          .severity = Severity::Hint;
    const bool tunes = use.name.ends_with("autotune") || use.name.ends_with("heuristics");
    if (tunes || !python::compilesForGpu(use.name)) continue;
    const python::NodeId decorator = tree.ancestor(use.node, python::Kind::Decorator);
    if (decorator == python::kNoNode) continue;
    const python::NodeId definition = tree.child(tree[decorator].parent, python::Field::Definition);
    const python::NodeId name = tree.child(definition, python::Field::Name);
    out.add("NPT3202", use.node, textOf(input, name),
            languageOf(use.name) + " kernel; neuron needs it written with NKI");
  }
}

}  // namespace np::analyzer

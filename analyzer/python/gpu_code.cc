// A decorator of the project's own may wrap Triton's; the type `tl.constexpr` of a parameter gives such kernels away.
// Functions that are compiled by a call (`triton.jit(f)`) are found by who sees the call.

#include "analyzer/python/gpu_code.h"

#include <algorithm>

namespace np::analyzer::python {
namespace {

// "pkg.compat.triton.jit", where a file without a view of the project sees `from pkg.compat import triton`.
std::string outsideName(std::string name) {
  const auto at = name.find(".triton.");
  return at == std::string::npos ? name : name.substr(at + 1);
}

}  // namespace

bool compilesForGpu(std::string_view name) {
  if (name.starts_with("triton.")) {
    if (name.starts_with("triton.testing.") || name.starts_with("triton.tools.")) return false;
    return name.ends_with(".jit") || name == "triton.autotune" || name == "triton.heuristics" ||
           name == "triton.runtime.autotuner.autotune" || name == "triton.runtime.autotuner.heuristics";
  }
  for (std::string_view known :
       {"numba.cuda.jit", "cupyx.jit.rawkernel", "cupy.fuse", "tilelang.language.prim_func", "tilelang.language.macro",
        "cutlass.cute.jit", "cutlass.cute.kernel", "warp.kernel", "warp.func"})
    if (name == known) return true;
  return false;
}

bool isGpuFunction(const Module& module, NodeId function) {
  const SyntaxTree& tree = module.tree();
  const NodeId outer = tree[function].parent;
  if (tree.is(outer, Kind::DecoratedDefinition))
    for (NodeId child : tree.children(outer)) {
      if (!tree.is(child, Kind::Decorator)) continue;
      NodeId name = tree.firstChild(child);
      if (tree.is(name, Kind::Call)) name = tree.child(name, Field::Function);
      if (compilesForGpu(outsideName(module.qualifiedName(name)))) return true;
    }
  const NodeId parameters = tree.child(function, Field::Parameters);
  if (parameters == kNoNode) return false;
  const std::vector<NodeId> all = tree.children(parameters);
  return std::any_of(all.begin(), all.end(), [&](NodeId parameter) {
    const NodeId type = tree.child(parameter, Field::Type);
    const std::string name = type == kNoNode ? "" : module.qualifiedName(tree.firstChild(type));
    return name.ends_with(".language.constexpr") || name.ends_with(".tl.constexpr");
  });
}

}  // namespace np::analyzer::python

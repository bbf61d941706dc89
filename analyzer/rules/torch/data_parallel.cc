// NPT4002 data-parallel
//
// torch.nn.DataParallel drives several devices from one process. On Neuron a process owns one logical core, so the
// model needs DistributedDataParallel and torchrun: a change of the program's start, not of one line. Asking whether a
// model is wrapped (`isinstance(model, nn.DataParallel)`) needs no change.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

// In a test of types, a comparison or an annotation.
bool onlyAsks(const RuleInput& input, python::NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId at = tree[node].parent; at != python::kNoNode && !tree.isStatement(at); at = tree[at].parent) {
    if (tree.is(at, python::Kind::ComparisonOperator) || tree.is(at, python::Kind::TypeNode)) return true;
    if (!tree.is(at, python::Kind::Call)) continue;
    const std::string callee = textOf(input, tree.child(at, python::Field::Function));
    return callee == "isinstance" || callee == "issubclass";
  }
  return false;
}

}  // namespace

void dataParallel(const RuleInput& input, FileFindings& out) {
  for (const python::ApiUse& use : input.uses) {
    const bool found = use.name == "torch.nn.DataParallel" || use.name == "torch.nn.parallel.DataParallel" ||
                       use.name == "torch.nn.parallel.data_parallel" || use.name == "torch.nn.parallel.replicate" ||
                       use.name == "torch.nn.parallel.parallel_apply" || use.name == "torch.nn.parallel.scatter" ||
                       use.name == "torch.nn.parallel.gather" ||
                       use.name == "torch.nn.parallel.data_parallel.DataParallel";
    if (found && (use.call != python::kNoNode || !onlyAsks(input, use.node)))
      out.add("NPT4002", use.node, use.name,
              "one process drives several GPUs; on neuron use DistributedDataParallel with torchrun");
  }
}

}  // namespace np::analyzer

// NPT4001 nccl-backend
//
// "nccl" as the backend of a process group. torch.distributed knows the default backend of a device, which is NCCL on
// CUDA, so asking for the accelerator's keeps CUDA as it is; without an accelerator the group uses gloo where it
// raised.

#include <algorithm>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::NodeId;

// The call that takes this string as its backend; kNoNode when it is something else.
NodeId groupCall(const RuleInput& input, NodeId literal) {
  const python::SyntaxTree& tree = input.module.tree();
  NodeId list = tree[literal].parent;
  const bool is_keyword = tree.is(list, Kind::KeywordArgument);
  if (is_keyword) {
    if (textOf(input, tree.child(list, python::Field::Name)) != "backend") return python::kNoNode;
    list = tree[list].parent;
  }
  if (!tree.is(list, Kind::ArgumentList)) return python::kNoNode;
  const NodeId call = tree[list].parent;
  const std::string name = input.module.calleeName(call);
  const bool init = name == "torch.distributed.init_process_group";
  const bool group = name == "torch.distributed.new_group" && is_keyword;
  return init || group ? call : python::kNoNode;
}

bool isBackendName(std::string_view name) { return name.ends_with("backend") || name.ends_with("BACKEND"); }

// `backend = "nccl"` where every reader hands it to a process group, and the default of an option `--dist-backend`.
bool flowsToGroup(const RuleInput& input, NodeId literal) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId parent = tree[literal].parent;
  if (tree.is(parent, Kind::Assignment)) {
    const NodeId name = tree.child(parent, python::Field::Left);
    const python::Symbol* symbol = tree.is(name, Kind::Identifier) ? input.module.symbolOf(name) : nullptr;
    if (!symbol || symbol->bindings.size() != 1 || symbol->references.empty()) return false;
    return std::all_of(symbol->references.begin(), symbol->references.end(),
                       [&](NodeId reference) { return groupCall(input, reference) != python::kNoNode; });
  }
  if (!tree.is(parent, Kind::KeywordArgument) || textOf(input, tree.child(parent, python::Field::Name)) != "default")
    return false;
  const NodeId call = tree[tree[parent].parent].parent;
  const auto arguments = python::argumentsOf(input.module, call);
  return python::methodName(input.module, call) == "add_argument" && !arguments.empty() &&
         isBackendName(python::literalText(input.module, arguments[0].value).value_or("")) &&
         python::keywordValue(input.module, call, "choices") == python::kNoNode;
}

}  // namespace

void ncclBackend(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId id = 0; id < tree.nodes().size() && !out.full(); ++id) {
    if (!tree.is(id, Kind::String) || python::isDocstring(input.module, id)) continue;
    const std::optional<std::string> text = python::literalText(input.module, id);
    const bool mixed = text && (text->find("cuda:nccl") != std::string::npos);
    if (text != "nccl" && !mixed) continue;
    const NodeId call = groupCall(input, id);
    Finding& finding =
        out.add("NPT4001", id, textOf(input, id),
                call != python::kNoNode ? "NCCL connects NVIDIA GPUs only; take the accelerator's backend"
                                        : "names NCCL; on neuron the backend is \"neuron\"");
    if (mixed || (call == python::kNoNode && !flowsToGroup(input, id))) continue;
    FixBuilder fix(input, FixSafety::Unsafe, "take the accelerator's backend");
    if (input.target == Target::Neuron) {
      fix.replace(id, "\"neuron\"");
    } else {
      const std::string torch = fix.torchAt(id);
      fix.replace(id, torch + ".distributed.get_default_backend_for_device(" + fix.deviceArgument(id) + " or \"cpu\")");
    }
    std::move(fix).addTo(finding);
  }
  for (const python::ApiUse& use : input.uses) {
    if (use.name.ends_with(".Backend.NCCL") && use.name.starts_with("torch.distributed."))
      out.add("NPT4001", use.node, use.name, "names NCCL; on neuron the backend is \"neuron\"");
    if (use.name == "torch.distributed.is_nccl_available")
      out.add("NPT4001", use.node, use.name, "False on neuron; ask torch.distributed.is_backend_available(\"neuron\")");
  }
}

}  // namespace np::analyzer

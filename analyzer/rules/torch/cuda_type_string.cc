// NPT3016 cuda-type-string
//
// "torch.cuda.FloatTensor" as text: what `x.type()` gives on CUDA, compared with or handed to
// torch.set_default_tensor_type. Neuron has no such types.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void cudaTypeString(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id : input.strings) {
    const std::optional<std::string> text = python::literalText(input.module, id);
    if (!text || !text->starts_with("torch.cuda.") || text->find(' ') != std::string::npos) continue;
    const bool is_type = text->ends_with("Tensor");
    const bool compared = tree.is(tree[id].parent, python::Kind::ComparisonOperator);
    Finding& finding = out.add("NPT3016", id, *text,
                               is_type && compared ? "never true on neuron; compare dtype and device.type instead"
                               : is_type           ? "neuron has no tensor types of its own; give a dtype and a device"
                                                   : "names torch.cuda in a string; see who reads it");
    if (!is_type) finding.severity = Severity::Hint;
  }
}

}  // namespace np::analyzer

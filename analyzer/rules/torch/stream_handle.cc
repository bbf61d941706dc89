// NPT3114 stream-handle
//
// Methods and attributes of CUDA streams that the table of functions does not see: `x.record_stream(s)`, the raw
// handles `stream.cuda_stream` and `event.cuda_event`. The methods work on any stream of torch; the handles are CUDA
// pointers.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void streamHandle(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id : input.attributes) {
    const python::NodeId name = tree.child(id, python::Field::Attribute);
    if (name == python::kNoNode) continue;
    const std::string_view text = input.module.slice(name);
    if (text == "cuda_stream" || text == "cuda_event") {
      if (textOf(input, tree.child(id, python::Field::Object)) == "self") continue;
      out.add("NPT3114", name, textOf(input, id), "a raw CUDA handle; neuron has none");
    } else if ((text == "record_stream" || text == "wait_stream" || text == "wait_event" || text == "record_event") &&
               tree.is(tree[id].parent, python::Kind::Call)) {
      Finding& finding = out.add("NPT3114", name, textOf(input, id),
                                 "works with any stream of torch; see where the stream comes from");
      finding.severity = Severity::Hint;
    }
  }
}

}  // namespace np::analyzer

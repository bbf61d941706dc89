// NPT3018 cuda-profiler-key
//
// Columns of profiles by CUDA's name: `table(sort_by="cuda_time_total")`, `event.cuda_time_total`. Torch gives other
// devices the columns "device_time_total" and so on.

#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

bool isKey(std::string_view text) {
  constexpr std::array<std::string_view, 7> kKeys = {"cuda_time_total",   "self_cuda_time_total",   "cuda_time",
                                                     "cuda_memory_usage", "self_cuda_memory_usage", "self_cuda_time",
                                                     "cuda_time_str"};
  for (std::string_view key : kKeys)
    if (text == key) return true;
  return false;
}

void report(const RuleInput& input, NodeId at, const std::string& key, FileFindings& out) {
  const std::string device = std::string(key).replace(key.find("cuda"), 4, "device");
  out.add("NPT3018", at, textOf(input, at),
          "empty on neuron; the column is called \"" + device + "\" for every device");
}

}  // namespace

void cudaProfilerKey(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  for (NodeId id : input.strings) {
    const std::optional<std::string> text = python::literalText(input.module, id);
    if (text && isKey(*text)) report(input, id, *text, out);
  }
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId id : input.attributes) {
    const NodeId name = tree.child(id, Field::Attribute);
    if (name == kNoNode || !isKey(input.module.slice(name))) continue;
    const bool own = textOf(input, tree.child(id, Field::Object)) == "self";
    if (!own) report(input, name, std::string(input.module.slice(name)), out);
  }
}

}  // namespace np::analyzer

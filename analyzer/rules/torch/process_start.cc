// NPT4010 process-start
//
// Worker processes that are forked. The Neuron runtime refuses to be started again in a forked child, so workers that
// touch the device must be spawned.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void processStart(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  for (python::NodeId call : input.calls) {
    const std::string_view method = python::methodName(input.module, call);
    const bool starts = method == "set_start_method" || method == "get_context";
    for (const python::Argument& argument : python::argumentsOf(input.module, call)) {
      const std::optional<std::string> text = python::literalText(input.module, argument.value);
      if (!text || (*text != "fork" && *text != "forkserver")) continue;
      if ((starts && (argument.name.empty() || argument.name == "method")) || argument.name == "start_method" ||
          argument.name == "multiprocessing_context")
        out.add("NPT4010", argument.node, textOf(input, argument.node),
                "a forked child cannot start the neuron runtime again; spawn workers that touch the device");
    }
  }
}

}  // namespace np::analyzer

// NPT3021 cuda-command-line
//
// Switches that let the user pick CUDA: `parser.add_argument("--no-cuda")`, `--gpu`, `--gpu_ids`. What reads them
// decides; the finding marks where the choice enters the program. One hint a file: a name needs no change.

#include <algorithm>
#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::NodeId;

bool isSwitch(std::string name) {
  if (!name.starts_with("-")) return false;
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 25> kNames = {
      "cuda",          "no_cuda",     "use_cuda", "disable_cuda", "enable_cuda",
      "nocuda",        "cuda_device", "cuda_id",  "gpu",          "gpus",
      "use_gpu",       "no_gpu",      "gpu_id",   "gpu_ids",      "gpu_idx",
      "n_gpu",         "n_gpus",      "num_gpu",  "num_gpus",     "num_gpus_per_node",
      "gpus_per_node", "ngpu",        "ngpus",    "gpu_num",      "cudnn_benchmark"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

void cudaCommandLine(const RuleInput& input, FileFindings& out) {
  for (NodeId call : input.calls) {
    const std::string_view method = python::methodName(input.module, call);
    if (method != "add_argument" && method != "option" && method != "add_flag") continue;
    for (const python::Argument& argument : python::argumentsOf(input.module, call)) {
      const std::optional<std::string> text = python::literalText(input.module, argument.value);
      if (!argument.name.empty() || !text || !isSwitch(*text)) continue;
      out.add("NPT3021", argument.value, *text, "lets the user pick CUDA; let it pick the accelerator");
      break;
    }
  }
}

}  // namespace np::analyzer

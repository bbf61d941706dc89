// Every use of a name that has a row in shims/tables/cuda_host_api.json; the row's category is the rule.
//
// Types and constants are reported only where a row names them: `cudaStream_t` and `cudaSuccess` go when the call that
// needs them goes. A row of device code holds only there: `malloc` on the host is not CUDA's.

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {
namespace {

bool isKernelRule(const std::string& rule) { return rule.starts_with("NPT2"); }

bool isAlsoHostName(const std::string& name) {
  return name == "printf" || name == "malloc" || name == "free" || name == "clock";
}

}  // namespace

void cudaApiTable(const CudaRuleInput& input, CudaFindings& out) {
  for (const ApiUse& use : input.analysis.uses) {
    const HostApiRow* row = input.table.find(use.name);
    if (!row) continue;
    const bool name_only = use.kind == "type" || use.kind == "constant";
    if (name_only && row->is_prefix) continue;
    if (isAlsoHostName(use.name) && !use.in_device_code) continue;
    const char* reason = isKernelRule(row->rule) ? "has to be translated" : "runs on CUDA only";
    out.add(row->rule.c_str(), use.where, use.name, "\"" + use.name + "\" " + reason + "; " + row->instead);
  }
}

}  // namespace np::analyzer

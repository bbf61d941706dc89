// Runs the rules in a fixed order and sorts what they found.

#include <algorithm>

#include "analyzer/rules/cuda/cuda_rules.h"
#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {

Result<std::vector<Finding>> checkCuda(const CudaAnalysis& analysis, const RuleRegistry& registry) {
  NP_ASSIGN(const HostApiTable table, HostApiTable::load());
  const CudaRuleInput input{analysis, registry, table};
  CudaFindings findings(registry);
  for (const CudaRule rule :
       {cudaApiTable, kernelLaunch, cudaDispatchKey, cudaHeader, deviceTraits, doublePrecisionKernel, unlaunchedKernel})
    rule(input, findings);
  std::stable_sort(findings.all().begin(), findings.all().end(), before);
  return std::move(findings.all());
}

}  // namespace np::analyzer

// Runs the rules in a fixed order and sorts what they found.

#include <algorithm>

#include "analyzer/rules/host/host_rules.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer {

std::vector<Finding> checkHost(const std::vector<const SourceText*>& texts, const std::vector<BuildFile>& build_files,
                               const RuleRegistry& registry) {
  const host::HostProject project(texts, build_files);
  const host::NeuronPlan plan = host::planNeuronBuild(project);
  const host::HostRuleInput input{project, plan};
  host::HostFindings findings(registry);
  for (const host::HostRule rule :
       {host::deviceFunctionDeclaration, host::deviceWorkInOp, host::cudaCodeInHostFile, host::cudaDeviceGuard,
        host::closedDeviceBranch, host::removedTorchName, host::cudaTensorCheck, host::unreachedBarrier,
        host::deviceHazards, host::hostHazards})
    rule(input, findings);
  std::stable_sort(findings.all().begin(), findings.all().end(), before);
  return std::move(findings.all());
}

}  // namespace np::analyzer

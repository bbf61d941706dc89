// Joins the rooms' pages.

#include "analyzer/api/rules.h"

#include "analyzer/rules/cuda/cuda_rules.h"
#include "analyzer/rules/environment/analyze_environment.h"
#include "analyzer/rules/host/host_rules.h"
#include "analyzer/rules/tool/pages.h"
#include "analyzer/rules/torch/pages.h"

namespace np::analyzer {

Result<RuleRegistry> builtinRules() {
  RuleRegistry out;
  NP_TRY(out.addPages(toolRulePages()));
  NP_TRY(out.addPages(torchRulePages()));
  NP_TRY(out.addPages(environmentRulePages()));
  NP_TRY(out.addPages(cudaRulePages()));
  NP_TRY(out.addPages(hostRulePages()));
  return out;
}

}  // namespace np::analyzer

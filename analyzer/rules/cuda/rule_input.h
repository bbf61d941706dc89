// What every rule over CUDA C++ sees, and where it puts what it found.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/index/cuda_analysis.h"
#include "analyzer/rules/cuda/host_api_table.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

struct CudaRuleInput {
  const CudaAnalysis& analysis;
  const RuleRegistry& registry;
  const HostApiTable& table;
};

class CudaFindings {
 public:
  explicit CudaFindings(const RuleRegistry& registry) : registry_(registry) {}

  // A finding at a place; the reference is good until the next add.
  Finding& add(const char* rule, const SourceRange& where, std::string subject, std::string message) {
    Finding finding = registry_.make(rule);
    finding.subject = std::move(subject);
    finding.path = where.path;
    finding.range = where.range;
    finding.start = where.start;
    finding.end = where.end;
    finding.message = std::move(message);
    findings_.push_back(std::move(finding));
    return findings_.back();
  }

  std::vector<Finding>& all() { return findings_; }

 private:
  const RuleRegistry& registry_;
  std::vector<Finding> findings_;
};

using CudaRule = void (*)(const CudaRuleInput& input, CudaFindings& out);

void cudaApiTable(const CudaRuleInput& input, CudaFindings& out);
void kernelLaunch(const CudaRuleInput& input, CudaFindings& out);
void cudaDispatchKey(const CudaRuleInput& input, CudaFindings& out);
void cudaHeader(const CudaRuleInput& input, CudaFindings& out);
void deviceTraits(const CudaRuleInput& input, CudaFindings& out);
void doublePrecisionKernel(const CudaRuleInput& input, CudaFindings& out);
void unlaunchedKernel(const CudaRuleInput& input, CudaFindings& out);

}  // namespace np::analyzer

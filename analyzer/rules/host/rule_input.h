// What every rule of this room sees, and where it puts what it found.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/rules/host/host_project.h"
#include "analyzer/rules/host/neuron_plan.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer::host {

// Edits that give a project a build for Neuron are made together or not at all: half of them would not link.
inline constexpr const char* kNeuronBuild = "neuron-build";

struct HostRuleInput {
  const HostProject& project;
  const NeuronPlan& plan;
};

class HostFindings {
 public:
  explicit HostFindings(const RuleRegistry& registry) : registry_(registry) {}

  // A finding at a place; the reference is good until the next add.
  Finding& add(const char* rule, const CppFile& file, Range range, std::string subject, std::string message) {
    Finding finding = registry_.make(rule);
    finding.subject = std::move(subject);
    finding.path = file.path();
    finding.range = range;
    finding.message = std::move(message);
    finding.locate(*file.text);
    findings_.push_back(std::move(finding));
    return findings_.back();
  }

  std::vector<Finding>& all() { return findings_; }

 private:
  const RuleRegistry& registry_;
  std::vector<Finding> findings_;
};

// "\r\n" where the file uses it.
inline std::string lineEnd(const CppFile& file) {
  return file.text->bytes().find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
}

// Lines of '\n' as the file ends its lines.
inline std::string inStyleOf(const CppFile& file, const std::string& text) {
  if (lineEnd(file) == "\n") return text;
  std::string out;
  for (char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

using HostRule = void (*)(const HostRuleInput& input, HostFindings& out);

void deviceFunctionDeclaration(const HostRuleInput& input, HostFindings& out);
void deviceWorkInOp(const HostRuleInput& input, HostFindings& out);
void cudaCodeInHostFile(const HostRuleInput& input, HostFindings& out);
void cudaDeviceGuard(const HostRuleInput& input, HostFindings& out);
void closedDeviceBranch(const HostRuleInput& input, HostFindings& out);
void removedTorchName(const HostRuleInput& input, HostFindings& out);
void unreachedBarrier(const HostRuleInput& input, HostFindings& out);
void deviceHazards(const HostRuleInput& input, HostFindings& out);
void hostHazards(const HostRuleInput& input, HostFindings& out);
void cudaTensorCheck(const HostRuleInput& input, HostFindings& out);

}  // namespace np::analyzer::host

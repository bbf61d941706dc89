// What every rule over a Python build file sees, and where it puts what it found.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/build/extensions.h"
#include "analyzer/python/module.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

class BuildFindings {
 public:
  BuildFindings(const RuleRegistry& registry, const python::Module& module, std::vector<Finding>& out)
      : registry_(registry), module_(module), out_(out) {}

  Finding& add(const char* rule, Range range, std::string subject, std::string message) {
    Finding finding = registry_.make(rule);
    finding.subject = std::move(subject);
    finding.path = module_.text().path();
    finding.range = range;
    finding.message = std::move(message);
    finding.locate(module_.text());
    out_.push_back(std::move(finding));
    return out_.back();
  }
  Finding& add(const char* rule, python::NodeId node, std::string subject, std::string message) {
    return add(rule, module_.tree()[node].range, std::move(subject), std::move(message));
  }

 private:
  const RuleRegistry& registry_;
  const python::Module& module_;
  std::vector<Finding>& out_;
};

void buildWithoutNeuron(const python::Module& module, BuildFindings& out);
void nvccFlag(const python::Module& module, BuildFindings& out);
void cudaRequiredBuild(const python::Module& module, BuildFindings& out);
void nvccCall(const python::Module& module, BuildFindings& out);
void cudaArchList(const python::Module& module, BuildFindings& out);
void cudaVersionInBuild(const python::Module& module, BuildFindings& out);

}  // namespace np::analyzer

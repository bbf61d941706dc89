// From an expression to the terms of its device value, within one file; values of other files stay names.
#pragma once

#include <set>
#include <string>

#include "analyzer/python/device_index.h"
#include "analyzer/python/device_terms.h"

namespace np::analyzer::python {

class DeviceEvaluator {
 public:
  DeviceEvaluator(const Module& module, const DeviceIndex& index)
      : module_(module), tree_(module.tree()), index_(index) {}

  DeviceTerms of(NodeId expression);
  // What a binding gives to its name.
  DeviceTerms ofBinding(const Symbol& symbol, const Binding& binding);
  DeviceTerms ofSymbol(const Symbol& symbol);
  DeviceTerms ofResults(NodeId function);
  DeviceTerms ofAttribute(NodeId cls, const std::string& name);
  // What an expression that names a value is called elsewhere: a term of that name.
  DeviceTerms named(std::string name, NodeId at) const;

 private:
  // Steps that one question may take.
  static constexpr int kMaxSteps = 400;

  DeviceTerms unknown() const { return {DeviceTerm{}}; }
  DeviceTerms single(Device device, NodeId at, const char* message) const;
  Related step(NodeId at, std::string message) const;
  void addStep(DeviceTerms& terms, NodeId at, const std::string& message) const;

  DeviceTerms ofLiteral(NodeId id) const;
  DeviceTerms ofName(NodeId id);
  DeviceTerms ofAttributeNode(NodeId id);
  DeviceTerms ofCall(NodeId id);
  DeviceTerms ofTorchDevice(NodeId call);
  DeviceTerms ofSubscript(NodeId id);
  DeviceTerms ofConfig(NodeId at, NodeId fallback);
  DeviceTerms ofOption(NodeId at, std::string_view dest);
  DeviceTerms ofParameter(const Symbol& symbol, const Binding& binding);
  bool isOptions(NodeId object) const;

  const Module& module_;
  const SyntaxTree& tree_;
  const DeviceIndex& index_;
  std::set<std::pair<const void*, std::string>> open_;  // slots being evaluated: a cycle adds nothing
  int budget_ = kMaxSteps;
};

}  // namespace np::analyzer::python

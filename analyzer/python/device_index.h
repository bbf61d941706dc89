// Where one file keeps values that are no plain names: attributes of classes, results of functions, options of the
// command line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

struct AttributeBinding {
  NodeId node = kNoNode;   // the target: `self.device`, or the name in the class body
  NodeId value = kNoNode;  // kNoNode: not written out
};

struct Option {
  NodeId call = kNoNode;   // add_argument(…), click.option(…), DEFINE_string(…)
  NodeId value = kNoNode;  // its default, kNoNode without one
};

// What an object is, as far as the file says.
struct InstanceOf {
  NodeId cls = kNoNode;  // a class of this file
  std::string imported;  // else the dotted name of an imported class
};

class DeviceIndex {
 public:
  explicit DeviceIndex(const Module& module);

  // The class of `self`, of a variable bound once to a constructor call, of an annotated parameter.
  InstanceOf instanceOf(NodeId object) const;
  // The class or function that a name means when it is defined in this file and nowhere else; kNoNode otherwise.
  NodeId definitionOf(NodeId identifier) const;

  // Assignments to an attribute of a class, in its body and through self in any of its methods.
  const std::vector<AttributeBinding>* attribute(NodeId cls, std::string_view name) const;
  std::set<std::string> attributesOf(NodeId cls) const;
  // Reads of it through self.
  const std::vector<NodeId>* attributeReads(NodeId cls, std::string_view name) const;
  // A method or property of a class; kNoNode when there is none, or several.
  NodeId method(NodeId cls, std::string_view name) const;
  bool isProperty(NodeId function) const;
  std::vector<NodeId> bases(NodeId cls) const;

  const std::vector<NodeId>& returnsOf(NodeId function) const;
  // Calls of a function (or constructor calls of a class) in this file, by its name.
  const std::vector<NodeId>& callsOf(NodeId definition) const;
  // What a call gives to a parameter; kNoNode when it does not (or by a splat).
  NodeId argumentFor(NodeId call, NodeId function, NodeId parameter_name) const;
  // The function and its parameter's place that a bound parameter name belongs to; kNoNode for others.
  NodeId functionOfParameter(NodeId parameter_name) const;

  const std::vector<Option>* option(std::string_view dest) const;
  const std::vector<NodeId>& classes() const { return classes_; }
  const std::vector<NodeId>& functions() const { return functions_; }

 private:
  using Key = std::pair<NodeId, std::string>;
  void bindAttribute(NodeId target, NodeId value);
  void addOption(NodeId call);
  void addReturn(NodeId statement);

  const Module& module_;
  const SyntaxTree& tree_;
  std::map<Key, std::vector<AttributeBinding>> attributes_;
  std::map<Key, std::vector<NodeId>> reads_;
  std::map<NodeId, std::vector<NodeId>> returns_, calls_;
  std::map<std::string, std::vector<Option>, std::less<>> options_;
  std::vector<NodeId> classes_, functions_;
};

// The definition that is the nearest around a node; kNoNode at module level.
NodeId functionAround(const SyntaxTree& tree, NodeId id);

}  // namespace np::analyzer::python

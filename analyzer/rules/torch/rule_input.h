// What every Python rule sees, and where it puts what it found.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/config/torch_pin.h"
#include "analyzer/python/calls.h"
#include "analyzer/python/device_strings.h"
#include "analyzer/python/device_values.h"
#include "analyzer/python/guards.h"
#include "analyzer/python/module.h"
#include "analyzer/rules/registry.h"
#include "analyzer/rules/torch/api_table.h"

namespace np::analyzer {

// What rewritten code asks for: any accelerator that torch knows, or Neuron by name.
enum class Target { Accelerator, Neuron };

struct RuleInput {
  const python::Module& module;
  const RuleRegistry& registry;
  const ApiTable& table;
  Target target = Target::Accelerator;
  const TorchPin& pin;
  // Python modules whose code needs CUDA: compiled CUDA extensions, found by the analysis of the C++ side.
  const std::set<std::string>& cuda_modules;
  // Top-level modules of the project itself: a package named like a table entry may be the project's own.
  const std::set<std::string>& own_modules;

  python::DeviceValues devices;
  const python::ProjectNames* project = nullptr;  // null: imports lead nowhere

  std::vector<python::ApiUse> uses;
  std::vector<python::DeviceString> device_strings;
  std::vector<python::AvailabilityTest> availability_tests;

  // Nodes by kind, in source order, so that thirty rules need not walk the whole tree each. Strings that document are
  // left out.
  std::vector<python::NodeId> calls, keywords, strings, attributes;
  bool imports_torch = false;

  // Answers of inBackendDispatch by if statement, kept because many places share one.
  mutable std::map<python::NodeId, bool> dispatches;
  mutable std::optional<bool> several_backends;  // of tellsBackendsApart
};

// The findings of one file. Rules run in a fixed order and may look at what earlier ones found.
class FileFindings {
 public:
  explicit FileFindings(const RuleInput& input) : input_(input) {}

  // A finding at a node; the reference is good until the next add.
  Finding& add(std::string_view rule, python::NodeId at, std::string subject, std::string message);

  // API uses that a context rule has dealt with are not for the table rules.
  void claim(python::NodeId use) { claimed_.insert(use); }
  bool isClaimed(python::NodeId use) const { return claimed_.contains(use); }

  // A device flow that something reads in a way no fix covers: none of its places is changed.
  void blockFlow(const std::string& flow, std::string reason) {
    if (!flow.empty()) blocked_.emplace(flow, std::move(reason));
  }
  // Takes the fixes of blocked flows away, and those that hold one of their edits.
  void dropBlockedFixes();

  // Past this many findings a file is not looked at further: it is generated, and the first ones tell the story.
  static constexpr std::size_t kMost = 2000;
  bool full() const { return findings_.size() >= kMost; }

  // Takes steps off the file's budget for questions about whole branches; false when it is used up.
  bool spend(std::int64_t steps) {
    budget_ -= steps;
    return budget_ > 0;
  }

  // Advice about a whole file (hazards, limits of collectives) is given once a rule: the first place stays, the others
  // become a note on it.
  void foldAdvice();

  std::vector<Finding>& all() { return findings_; }
  const std::vector<Finding>& all() const { return findings_; }

 private:
  const RuleInput& input_;
  std::vector<Finding> findings_;
  std::set<python::NodeId> claimed_;
  std::map<std::string, std::string> blocked_;  // flow → why
  std::int64_t budget_ = 20'000'000;
};

// A rule looks at one file and adds its findings.
using Rule = void (*)(const RuleInput& input, FileFindings& out);

}  // namespace np::analyzer

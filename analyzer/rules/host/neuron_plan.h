// What becomes of every item of the host files in a build for Neuron, decided for the whole project before any rule
// speaks, because the rules have to agree: a branch may only be opened when what it calls has a bridge.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/rules/host/host_project.h"

namespace np::analyzer::host {

enum class Fate {
  Keep,               // compiles without CUDA
  BridgeBody,         // Python calls it and its body is CUDA's: the body becomes the bridge
  BridgeDeclaration,  // nvcc compiles its definition: the declaration becomes an inline bridge
  Switch,             // CUDA's alone: not compiled
};

struct Planned {
  const Item* item = nullptr;
  Fate fate = Fate::Keep;
  std::string bridge;   // the statements
  std::string problem;  // why it has no bridge although it needs one
  bool done = false;    // an earlier run has made the edit
};

struct FilePlan {
  std::vector<Planned> items;  // one for each item of the file
  std::string problem;         // why the file cannot be split
};

struct NeuronPlan {
  std::map<std::string, FilePlan> files;  // host files only
  std::set<std::string> bridged;          // functions that a build for Neuron has a bridge for
  std::string problem;                    // why the project gets no build for Neuron; names the file
};

// True for code that a build for Neuron does not compile, or will not once the plan's edits are made.
bool isCudaOnly(const CppFile& file, const NeuronPlan& plan, Offset at);

NeuronPlan planNeuronBuild(const HostProject& project);

}  // namespace np::analyzer::host

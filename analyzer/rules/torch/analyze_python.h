// The Python analysis of one file: the entry point for analyzer/api.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/result.h"
#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

namespace python {
class ProjectNames;
class WordSearch;
}  // namespace python

// The words that make a file worth parsing; made with the first file, from what the context says by then.
struct TriggerWords {
  std::once_flag made;
  std::shared_ptr<const python::WordSearch> search;
};

// What does not change from file to file. Everything referred to must outlive the calls; calls may run in parallel.
struct PythonContext {
  const RuleRegistry& registry;
  const ApiTable& table;
  Target target = Target::Accelerator;
  TorchPin pin;
  std::set<std::string> cuda_modules;             // compiled CUDA extensions by their Python names
  std::set<std::string> own_modules;              // top-level modules of the project
  const python::ProjectNames* project = nullptr;  // what imported names of the project stand for; null: unknown
  bool compiles_script = false;                   // some file of the project uses TorchScript
  std::shared_ptr<TriggerWords> words = std::make_shared<TriggerWords>();
};

struct PythonResult {
  std::vector<Finding> findings;  // ordered, before suppression; paths and positions filled, fingerprints not
  std::string partial;            // why the file is only partly understood; empty when it is whole
  std::string skipped;            // why nothing was looked at; empty when it was
  std::uint32_t unknown_calls = 0;
};

// Never fails on any input: what cannot be looked at is named in `partial` or `skipped`.
PythonResult analyzePython(const SourceText& text, const PythonContext& context);

// The same for a notebook; ranges and edits are of its JSON. Fixes that would need an import, or reach beyond their
// cell, are left out.
PythonResult analyzeNotebook(const SourceText& json, const PythonContext& context);

}  // namespace np::analyzer

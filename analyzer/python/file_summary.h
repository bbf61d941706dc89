// What one file offers to those who import it: names, re-exports, device values. Small, so that it can be kept for
// every file of a project.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/python/device_terms.h"

namespace np::analyzer::python {

struct FileSummary {
  std::map<std::string, std::string, std::less<>> imports;  // name at module level → dotted name as written
  std::vector<std::string> stars;                           // modules of `from m import *`
  std::set<std::string, std::less<>> names;                 // everything bound at module level
  std::set<std::string, std::less<>> all;                   // of __all__, when it is a plain list
  bool has_all = false;
  std::set<std::string, std::less<>> gpu_functions;  // compiled for GPUs: `@triton.jit def add(…)`
  // Device values: "DEVICE", "Config.device", "get_device()"; only those that say something.
  std::map<std::string, DeviceTerms, std::less<>> values;
};

FileSummary summarize(const Module& module);

}  // namespace np::analyzer::python

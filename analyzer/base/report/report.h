// Report: everything one run found, as plain data. Front ends see nothing else; JSON is its text form (report_json.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/finding.h"

namespace np {

struct SkippedFile {
  std::string path;
  std::string reason;
};

// Invariant: files == analysed + partial + skipped.size().
struct Coverage {
  std::uint32_t files = 0;
  std::uint32_t analysed = 0;
  std::uint32_t partial = 0;
  std::vector<SkippedFile> skipped;
  std::vector<SkippedFile> partial_files;  // path and why it is only partly understood
  std::uint32_t unknown_calls = 0;
  std::uint32_t suppressed = 0;
};

struct SourceRange {
  std::string path;
  Range range;
  Position start, end;
};

// One kernel launch: expressions as written, over the enclosing function's names.
struct Launch {
  SourceRange where;
  std::string kernel;    // as written, with template arguments
  std::string function;  // enclosing host function
  std::string grid, block, shared, stream;
  std::vector<std::string> args;
  std::string via;  // "<<<>>>", "cudaLaunchKernel", name of a wrapper or dispatch macro
};

// How Python reaches host code: pybind11, TORCH_LIBRARY, load_inline, ctypes.
struct Binding {
  SourceRange where;
  std::string kind;      // "pybind11", "torch-library"
  std::string name;      // Python-visible name: "module.f" or "ns::op"
  std::string function;  // host function
  std::string schema;    // TORCH_LIBRARY schema text when given
};

struct Gate {
  std::string name;
  bool passed = false;
  std::string detail;
};

struct PortReason {
  std::string code;
  std::string message;
  std::optional<SourceRange> where;
  std::string advice;
};

struct CostEstimate {
  std::string target;
  double low_us = 0, estimate_us = 0, high_us = 0;
  std::string bound;
};

enum class PortStatus { NotTried, Translated, Refused, Unsupported, Failed };
const char* toString(PortStatus status);

// What became of one kernel (or of one launch file).
struct Port {
  PortStatus status = PortStatus::NotTried;
  std::string proof;  // "all-sizes" or "sampled", empty when not translated
  std::string kernel_class;
  std::optional<PortReason> reason;
  std::string spec;
  std::string same_as;
  std::vector<std::string> files;
  std::vector<std::string> assumptions;
  std::vector<Gate> gates;
  std::vector<std::string> gates_missing;
  std::vector<std::vector<std::int64_t>> sizes;
  std::optional<CostEstimate> cost;
};

struct KernelParam {
  std::string name;
  std::string type;
};

struct Kernel {
  std::string name;  // as users write it, without template arguments
  SourceRange where;
  std::vector<std::string> template_params;
  std::vector<KernelParam> params;
  std::vector<std::string> instantiations;
  std::vector<Launch> launches;
  std::vector<Binding> bindings;
  Port port;
};

// Outcome of running the ported project's own tests on the bundled device.
struct Validation {
  std::string command;
  std::uint32_t passed = 0, failed = 0, skipped = 0;
  std::string log;
};

struct Report {
  std::string tool_version;
  std::string target;
  Coverage coverage;
  std::vector<Finding> findings;
  std::vector<Kernel> kernels;
  std::optional<Validation> validation;
  std::vector<std::string> changed_files;
};

// Counts for the summary: findings by severity, by best fix, by rule; kernels by status.
struct Summary {
  std::uint32_t errors = 0, warnings = 0, hints = 0;
  std::uint32_t safe = 0, unsafe = 0, by_hand = 0;
  std::map<std::string, std::uint32_t> by_rule;
  std::map<std::string, std::uint32_t> kernels_by_status;
};
Summary summarize(const Report& report);

}  // namespace np

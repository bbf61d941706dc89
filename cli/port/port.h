// port: a project in, a ported project out. Orchestration only; nothing is printed and the project itself is never
// touched.
//
//   OUT/                      the project with every fix applied
//   OUT/pkg/_C.py             stands in for the compiled extension pkg._C where that is not built: registers its ops
//   OUT/pkg/_C_neuron/        the translated kernels, their launch files
//   OUT/neuron-port-report.json, .html
//
// A compiled _C wins over _C.py when Python imports pkg._C, so the ported tree still runs on CUDA.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/api/analyze.h"
#include "cli/port/kernel_client.h"
#include "rewriter/merge/plan.h"

namespace np::cli {

struct PortRequest {
  analyzer::AnalyzeRequest analyze;  // of the project
  std::string source_dir, out_dir;
};

// One op of the extension and what became of it.
struct PortedOp {
  std::string op;        // "fused_block::bias_gelu_forward"
  std::string function;  // host function
  Port port;
  std::string launch_file;  // relative to OUT; empty when none could be derived
};

struct PortResult {
  std::string out_dir;
  analyzer::Analysis analysis;  // of the ported tree; kernels carry their ports
  std::vector<rewriter::FileChange> changes;
  std::vector<rewriter::AppliedFix> applied;
  std::vector<rewriter::LeftOver> left;
  std::string min_torch;
  std::vector<PortedOp> ops;
  std::vector<std::string> generated;  // files relative to OUT that did not exist before
};

using ProgressFunction = std::function<void(const std::string&)>;

// Errors: "not-found", "out-dir" (exists and is not empty, lies inside DIR or around it, cannot be written). On any
// error OUT does not exist.
Result<PortResult> portProject(const PortRequest& request, const analyzer::RuleRegistry& rules,
                               const KernelClient& kernels, const ProgressFunction& progress);

}  // namespace np::cli

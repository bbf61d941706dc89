// shims/tables/torch_cuda_api.json: CUDA-only names of PyTorch and what they become. Embedded at build time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/base/finding.h"
#include "analyzer/base/result.h"

namespace np::analyzer {

// How a row's call is replaced: the callee only, when the call has exactly this many positional arguments.
struct ApiFix {
  FixSafety safety = FixSafety::Unsafe;
  int arguments = 0;
  // Value on a machine without CUDA, where the accelerator form raises; empty when both raise.
  std::string absent;
};

struct ApiRow {
  std::string name;      // "torch.cuda.synchronize"
  std::string category;  // picks the rule
  std::string kind;      // "drop-in", "behaviour-change", "rewrite", "remove", "no-equivalent"
  std::string accelerator, neuron, note, min_torch;
  Evidence evidence = Evidence::Inferred;
  Severity severity = Severity::Warning;
  std::optional<ApiFix> fix;
};

// A Python package that needs CUDA, and what does its work on Neuron.
struct CudaPackage {
  std::string module;  // "flash_attn", "numba.cuda"
  std::string instead;
  Evidence evidence = Evidence::Inferred;
  Severity severity = Severity::Error;
};

class ApiTable {
 public:
  // Reads the embedded table. The error names the row; it can only be a mistake in the table.
  static Result<ApiTable> load();
  static Result<ApiTable> parse(std::string_view json);

  // The row of this name or of the longest module prefix of it that has one ("torch.cuda.nvtx" for
  // "torch.cuda.nvtx.x").
  const ApiRow* find(std::string_view name) const;
  // The package that a module belongs to.
  const CudaPackage* package(std::string_view module) const;
  const std::map<std::string, CudaPackage, std::less<>>& packages() const { return packages_; }
  const std::map<std::string, ApiRow, std::less<>>& rows() const { return rows_; }

 private:
  std::map<std::string, ApiRow, std::less<>> rows_;
  std::map<std::string, CudaPackage, std::less<>> packages_;
};

}  // namespace np::analyzer

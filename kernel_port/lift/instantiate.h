// A Spec at one size, as nodes of a run's ExprDag: what the symbolic gate compares with the run.
#pragma once

#include <unordered_map>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/lift/size_run.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

class Instantiator {
 public:
  Instantiator(const launch::LaunchFile& file, SizeRun& run);

  // The raw node of a statement's value at the point `at` of its domain; 0 (and error()) where an index leaves a buffer
  // or an operation has no counterpart.
  NodeId at(const spec::Stmt& stmt, const std::vector<int64_t>& point);
  const std::string& error() const { return error_; }

 private:
  struct KeyHash {
    size_t operator()(const std::vector<int64_t>& key) const;
  };
  NodeId node(spec::Expr e);
  NodeId compute(spec::Expr e);
  NodeId load(spec::Expr e);
  NodeId reduce(spec::Expr e);
  NodeId recur(spec::Expr e);
  NodeId integer(spec::Expr e);
  NodeId binary(spec::Expr e);
  int64_t value(const spec::Aff& aff) const;
  NodeId fail(std::string message);

  const launch::LaunchFile& file_;
  SizeRun& run_;
  ExprDag& dag_;
  spec::SizeValues sizes_;
  std::vector<int64_t> axes_ = std::vector<int64_t>(spec::kAxisEnd, 0);
  std::unordered_map<std::vector<int64_t>, NodeId, KeyHash> memo_;  // reductions, by their free axes
  std::string error_;
};

}  // namespace np::kernel_port::lift

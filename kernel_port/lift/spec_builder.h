// Template and fitted integers to a Spec expression.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/launch_file.h"
#include "kernel_port/lift/template.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

class SpecBuilder {
 public:
  // `training`: the size values that decide whether an index can leave its buffer.
  SpecBuilder(const launch::LaunchFile& file, const TemplateTable& table, std::vector<spec::SizeValues> training,
              spec::Arena& arena);

  // What Param kStateParam stands for.
  void setState(spec::Expr state) { state_ = state; }
  // The value of an output element. `entries` are affine in axes 0 .. domain.size()-1.
  Result<spec::Expr> build(TemplateId id, const std::vector<spec::Aff>& entries,
                           const std::vector<spec::SizeExpr>& domain, spec::DType result);

 private:
  using Entries = std::span<const spec::Aff>;
  spec::Expr expr(TemplateId id, Entries entries);
  spec::Expr load(const Template& t, Entries entries);
  spec::Expr gather(const Template& t, Entries entries);
  spec::Expr sum(const Template& t, Entries entries);
  spec::Expr extremum(const Template& t, Entries entries);
  spec::Expr product(const Template& t, Entries entries);
  spec::Expr reduction(const Template& t, Entries entries);
  spec::Expr linear(const Template& t, Entries entries);
  spec::Expr intCompare(const Template& t, Entries entries);
  // The two sides of a Linear: terms with positive factors, and the others negated.
  std::pair<spec::Expr, spec::Expr> sides(const Template& t, Entries entries);
  spec::Expr integerOf(spec::Aff value);
  spec::Expr asInteger(spec::Expr e);
  std::vector<spec::Expr> kids(const Template& t, Entries entries);
  bool leaves(const std::string& buffer, const std::vector<spec::Dim>& dims);
  spec::Expr readAs32(spec::Expr e);
  spec::Expr fail(std::string message);
  // The largest value over the ranges of its axes.
  spec::SizeExpr largest(const spec::Aff& aff) const;

  const launch::LaunchFile& file_;
  const TemplateTable& table_;
  std::vector<spec::SizeValues> training_;
  spec::Arena& arena_;
  std::vector<std::pair<spec::Axis, spec::SizeExpr>> ranges_;  // axes in scope
  spec::Axis next_axis_ = spec::kTemporaryAxis;
  double outside_ = 0;  // what a padded load reads where it leaves the buffer
  spec::Expr state_ = nullptr;
  std::string failure_;
};

}  // namespace np::kernel_port::lift

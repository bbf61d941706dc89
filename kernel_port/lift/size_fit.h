// Fits a number seen at several sizes as an expression over the size names: 7, 11, 13 at N = 7, 11, 13 is N.
#pragma once

#include <optional>
#include <vector>

#include "kernel_port/launch/launch_file.h"
#include "kernel_port/spec/size_expr.h"

namespace np::kernel_port::lift {

// The launch file's expression in the Spec's form, or nothing where it has none (a divisor of unknown sign).
std::optional<spec::SizeExpr> toSizeExpr(const launch::Expr& expr);

class SizeFit {
 public:
  // `sizes`: the values of the size names at each training run.
  SizeFit(const launch::LaunchFile& file, std::vector<spec::SizeValues> sizes);

  // The simplest expression a*m + b with these values, m a size, an extent, a product, a quotient; nothing if none
  // fits.
  std::optional<spec::SizeExpr> fit(const std::vector<int64_t>& values) const;

 private:
  struct Candidate {
    spec::SizeExpr expr;
    std::vector<int64_t> values;
    int cost = 0;
  };
  void add(const spec::SizeExpr& expr, int cost);

  std::vector<spec::SizeValues> sizes_;
  std::vector<Candidate> candidates_;
};

}  // namespace np::kernel_port::lift

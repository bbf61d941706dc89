// Facts about sizes: the only way the scheduler may branch on a size.
//
// Scheduling knows no concrete size. Where a choice depends on one it asks decide(left, bound); what follows from sizes
// being at least 1 or from earlier answers is answered at once, anything else is a new fact. A run answers new facts by
// a forced list first and by "yes" after it; schedule() runs once for every answer and turns the facts into conditions
// of the program, so the variants cover all sizes by construction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel_port/spec/size_expr.h"
#include "runtime/tile/expr.h"

namespace np::kernel_port::schedule {

// An integer over sizes and loop variables; it converts to neither int nor bool.
using SymInt = tile::Expr;

// The same value as a tile expression.
SymInt toSymInt(const spec::SizeExpr& size);

// The greatest (least) value over all sizes >= 1, where the expression bounds it; loop variables have no bounds.
std::optional<int64_t> upperBound(const SymInt& value);
std::optional<int64_t> lowerBound(const SymInt& value);

struct Fact {
  SymInt left;
  int64_t bound = 0;
  bool holds = true;  // left <= bound, or its opposite
};

class Facts {
 public:
  Facts(std::vector<std::string> sizes, std::vector<bool> forced)
      : sizes_(std::move(sizes)), forced_(std::move(forced)) {}

  // Whether left <= bound; recorded unless it follows from what is known.
  bool decide(const SymInt& left, int64_t bound);
  // The greatest value, by itself or by an earlier answer.
  std::optional<int64_t> most(const SymInt& value) const;
  const std::vector<Fact>& recorded() const { return recorded_; }
  // False once something other than a size was asked about: such an answer holds nowhere, the run must be thrown away.
  bool sound() const { return sound_; }

 private:
  bool namesOnlySizes(const SymInt& value) const;
  std::vector<std::string> sizes_;
  std::vector<bool> forced_;
  std::vector<Fact> recorded_;
  bool sound_ = true;
};

}  // namespace np::kernel_port::schedule

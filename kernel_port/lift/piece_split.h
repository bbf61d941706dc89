// Cuts an output into boxes of elements that one formula each explains: concatenations, borders with a rule of their
// own, halves that are computed differently, every other element.
#pragma once

#include <optional>
#include <vector>

#include "kernel_port/lift/size_fit.h"
#include "kernel_port/lift/template.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

// The elements start, start + step, .. (`length` of them) along one dimension; the numbers at each run.
struct PieceDim {
  int64_t step = 1;
  spec::SizeExpr start, length;
  std::vector<int64_t> starts, lengths;
};
using Piece = std::vector<PieceDim>;

// What an output's elements are at one size, row-major.
struct ElementGrid {
  std::vector<int64_t> extents;
  std::vector<const Instance*> at;
};

// Two or more pieces that together are the output, or nothing where there are none. The order of their borders at other
// sizes is for spec::partitionConditions.
std::optional<std::vector<Piece>> splitPieces(const std::vector<ElementGrid>& runs,
                                              const std::vector<spec::SizeExpr>& extents, const SizeFit& fit);

}  // namespace np::kernel_port::lift

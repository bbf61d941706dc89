// Fits the integer vectors of one template over an output's elements and over the training sizes: each entry becomes an
// affine function of the output's axes plus an expression of the sizes.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/lift/size_fit.h"
#include "kernel_port/lift/template.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

// One output element at one size.
struct Point {
  IntVector index;  // in the output's dimensions
  const Instance* instance = nullptr;
};

// vector = base + sum over dimensions of index * stride, at one size.
struct AffineMap {
  IntVector base;
  std::vector<IntVector> stride;  // by dimension
  IntVector anchor;               // an index that the map goes through
  std::vector<bool> known;        // by dimension: two neighbouring points gave the stride
  size_t explained = 0;           // points that it fits
};

// The map that fits most of `points` (all of one template); where no two points are neighbours in a dimension, its
// stride is 0 and not known.
AffineMap fitAffine(const std::vector<Point>& points, const std::vector<int64_t>& extents);

// One Aff per entry, from the maps at all training sizes. Axis d is dimension d. The error says which entry does not
// fit.
Result<std::vector<spec::Aff>> fitOverSizes(const std::vector<AffineMap>& maps, const SizeFit& sizes);

}  // namespace np::kernel_port::lift

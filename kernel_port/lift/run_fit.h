// Finds the box behind a sorted list of integer vectors: base + sum of axis * stride, counts per axis.
//
//   (0,0) (0,1) (0,2) (1,0) (1,1) (1,2)   ->   base (0,0), levels [(0,1) x 3, (1,0) x 2], inner first
#pragma once

#include <cstdint>
#include <vector>

namespace np::kernel_port::lift {

using IntVector = std::vector<int64_t>;

struct BoxLevel {
  IntVector stride;
  int64_t count = 0;
};

struct Box {
  IntVector base;
  std::vector<BoxLevel> levels;  // inner first
};

// True and `box` filled if the points, in some lexicographic order of their entries, are exactly one box. Sorts
// `points`.
bool fitBox(std::vector<IntVector>& points, Box& box);

}  // namespace np::kernel_port::lift

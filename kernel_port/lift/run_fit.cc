// Nested runs: the longest arithmetic run from the start gives the inner axis; if the whole list is made of such runs,
// their heads are fitted in the same way. Linear in the number of points.
//
// Sorting by the first entry first is right for most kernels; where another entry is the outer axis, the sort key is
// rotated. Points that form no box (a triangle, a box with a hole) are the caller's problem.
#include "kernel_port/lift/run_fit.h"

#include <algorithm>

namespace np::kernel_port::lift {

namespace {

bool isStep(const IntVector& from, const IntVector& to, const IntVector& stride) {
  for (size_t i = 0; i < stride.size(); ++i)
    if (to[i] - from[i] != stride[i]) return false;
  return true;
}

bool fitSorted(std::vector<IntVector> points, Box& box) {
  box.levels.clear();
  box.base = points[0];
  while (points.size() > 1) {
    IntVector stride(points[0].size());
    for (size_t i = 0; i < stride.size(); ++i) stride[i] = points[1][i] - points[0][i];
    size_t run = 2;
    while (run < points.size() && isStep(points[run - 1], points[run], stride)) ++run;
    if (points.size() % run != 0) return false;
    std::vector<IntVector> heads;
    for (size_t start = 0; start < points.size(); start += run) {
      for (size_t k = 1; k < run; ++k)
        if (!isStep(points[start + k - 1], points[start + k], stride)) return false;
      heads.push_back(std::move(points[start]));
    }
    box.levels.push_back({std::move(stride), static_cast<int64_t>(run)});
    points = std::move(heads);
  }
  return true;
}

}  // namespace

bool fitBox(std::vector<IntVector>& points, Box& box) {
  constexpr size_t kRotations = 12;
  if (points.empty()) return false;
  std::sort(points.begin(), points.end());
  if (fitSorted(points, box)) return true;
  size_t width = points[0].size();
  for (size_t shift = 1; shift < std::min(width, kRotations); ++shift) {
    std::sort(points.begin(), points.end(), [&](const IntVector& a, const IntVector& b) {
      for (size_t i = 0; i < width; ++i) {
        size_t k = (i + shift) % width;
        if (a[k] != b[k]) return a[k] < b[k];
      }
      return false;
    });
    if (fitSorted(points, box)) return true;
  }
  std::sort(points.begin(), points.end());
  return false;
}

}  // namespace np::kernel_port::lift

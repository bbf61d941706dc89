// Steps are tried first (1, then 2, 3, 4 along the dimensions whose extent they divide). Within the elements of one
// remainder, a place where neighbours have different templates cuts the whole grid; equal cells are then joined as long
// as one affine map explains them. Nothing is said about sizes that were not run: borders are fitted like any number.
#include "kernel_port/lift/piece_split.h"

#include <algorithm>

#include "kernel_port/lift/affine_fit.h"

namespace np::kernel_port::lift {

namespace {

constexpr size_t kMostCuts = 4;
constexpr int64_t kMostClasses = 16;

// A box of grid cells: first and one past the last cell along each dimension.
struct CellBox {
  std::vector<size_t> low, high;
};

// The elements of one remainder class, cut into cells.
class ClassCut {
 public:
  ClassCut(const std::vector<ElementGrid>& runs, const std::vector<int64_t>& steps, const std::vector<int64_t>& rest)
      : runs_(runs), steps_(steps), rest_(rest) {}

  bool cut() {
    for (const ElementGrid& run : runs_) {
      std::vector<std::vector<int64_t>> borders;
      for (size_t d = 0; d < steps_.size(); ++d) {
        borders.push_back({0});
        for (int64_t p = 1; p < length(run, d); ++p)
          if (changes(run, d, p)) borders[d].push_back(p);
        borders[d].push_back(length(run, d));
        if (borders[d].size() > kMostCuts + 2 || (steps_[d] > 1 && borders[d].size() > 2)) return false;
        if (!borders_.empty() && borders_[0][d].size() != borders[d].size()) return false;
      }
      borders_.push_back(std::move(borders));
    }
    std::vector<size_t> cell(steps_.size(), 0);
    do {
      CellBox box{cell, cell};
      for (size_t& h : box.high) ++h;
      boxes_.push_back(std::move(box));
    } while (advance(cell));
    return true;
  }

  // Joins cells; false where a box is left that no affine map explains in every run.
  bool join() {
    for (size_t d = steps_.size(); d-- > 0;) {
      for (size_t i = 0; i < boxes_.size(); ++i) {
        for (size_t j = 0; j < boxes_.size();) {
          CellBox both;
          if (j != i && neighbours(boxes_[i], boxes_[j], d, both) && explained(both)) {
            boxes_[i] = std::move(both);
            boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(j));
            if (j < i) --i;
            j = 0;
          } else {
            ++j;
          }
        }
      }
    }
    return std::all_of(boxes_.begin(), boxes_.end(), [this](const CellBox& box) { return explained(box); });
  }

  bool pieces(const std::vector<spec::SizeExpr>& extents, const SizeFit& fit, std::vector<Piece>& out) const {
    for (const CellBox& box : boxes_) {
      Piece piece;
      for (size_t d = 0; d < steps_.size(); ++d) {
        PieceDim dim;
        dim.step = steps_[d];
        std::vector<int64_t> ends;
        for (const auto& borders : borders_) {
          const int64_t low = borders[d][box.low[d]], high = borders[d][box.high[d]];
          dim.starts.push_back(low * dim.step + rest_[d]);
          dim.lengths.push_back(high - low);
          ends.push_back(high);
        }
        if (dim.step > 1) {
          dim.start = spec::SizeExpr(rest_[d]);
          dim.length = extents[d].floorDiv(dim.step);
        } else {
          const bool to_end = box.high[d] + 1 == borders_[0][d].size();
          auto start = fit.fit(dim.starts);
          auto end = to_end ? std::optional(extents[d]) : fit.fit(ends);
          if (!start || !end) return false;
          dim.start = *start;
          dim.length = *end - *start;
        }
        piece.push_back(std::move(dim));
      }
      out.push_back(std::move(piece));
    }
    return true;
  }

 private:
  int64_t length(const ElementGrid& run, size_t d) const { return run.extents[d] / steps_[d]; }

  const Instance* at(const ElementGrid& run, const std::vector<int64_t>& local) const {
    int64_t element = 0;
    for (size_t d = 0; d < steps_.size(); ++d) element = element * run.extents[d] + local[d] * steps_[d] + rest_[d];
    return run.at[static_cast<size_t>(element)];
  }

  // Does any element at position p of dimension d differ in kind from the one before it?
  bool changes(const ElementGrid& run, size_t d, int64_t p) const {
    std::vector<int64_t> local(steps_.size(), 0);
    while (true) {
      local[d] = p;
      const Instance* here = at(run, local);
      local[d] = p - 1;
      if (at(run, local)->id != here->id) return true;
      size_t k = steps_.size();
      while (k-- > 0) {
        if (k == d) continue;
        if (++local[k] < length(run, k)) break;
        local[k] = 0;
      }
      if (k == static_cast<size_t>(-1)) return false;
    }
  }

  bool advance(std::vector<size_t>& cell) const {
    for (size_t d = cell.size(); d-- > 0;) {
      if (++cell[d] + 1 < borders_[0][d].size()) return true;
      cell[d] = 0;
    }
    return false;
  }

  static bool neighbours(const CellBox& a, const CellBox& b, size_t d, CellBox& both) {
    for (size_t k = 0; k < a.low.size(); ++k)
      if (k != d && (a.low[k] != b.low[k] || a.high[k] != b.high[k])) return false;
    if (a.high[d] != b.low[d]) return false;
    both = a;
    both.high[d] = b.high[d];
    return true;
  }

  // One template in all runs, and one affine map a run for all elements.
  bool explained(const CellBox& box) const {
    TemplateId id = -1;
    for (size_t r = 0; r < runs_.size(); ++r) {
      std::vector<Point> points;
      std::vector<int64_t> extents, local;
      for (size_t d = 0; d < steps_.size(); ++d) {
        local.push_back(borders_[r][d][box.low[d]]);
        extents.push_back(borders_[r][d][box.high[d]] - local[d]);
      }
      const std::vector<int64_t> origin = local;
      while (true) {
        const Instance* here = at(runs_[r], local);
        if (id < 0) id = here->id;
        if (here->id != id) return false;
        IntVector index;
        for (size_t d = 0; d < local.size(); ++d) index.push_back(local[d] - origin[d]);
        points.push_back({std::move(index), here});
        size_t k = local.size();
        while (k-- > 0) {
          if (++local[k] < origin[k] + extents[k]) break;
          local[k] = origin[k];
        }
        if (k == static_cast<size_t>(-1)) break;
      }
      if (fitAffine(points, extents).explained != points.size()) return false;
    }
    return true;
  }

  const std::vector<ElementGrid>& runs_;
  const std::vector<int64_t>& steps_;
  const std::vector<int64_t>& rest_;
  std::vector<std::vector<std::vector<int64_t>>> borders_;  // by run, by dimension
  std::vector<CellBox> boxes_;
};

std::optional<std::vector<Piece>> splitBySteps(const std::vector<ElementGrid>& runs,
                                               const std::vector<spec::SizeExpr>& extents, const SizeFit& fit,
                                               const std::vector<int64_t>& steps) {
  std::vector<Piece> pieces;
  std::vector<int64_t> rest(steps.size(), 0);
  while (true) {
    ClassCut part(runs, steps, rest);
    if (!part.cut() || !part.join() || !part.pieces(extents, fit, pieces)) return std::nullopt;
    size_t d = steps.size();
    while (d-- > 0) {
      if (++rest[d] < steps[d]) break;
      rest[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) break;
  }
  if (pieces.size() < 2) return std::nullopt;
  return pieces;
}

// The step vectors worth trying, fewest classes first.
std::vector<std::vector<int64_t>> stepVectors(const std::vector<spec::SizeExpr>& extents) {
  std::vector<std::vector<int64_t>> all{{}};
  for (const spec::SizeExpr& extent : extents) {
    std::vector<std::vector<int64_t>> longer;
    for (const auto& steps : all) {
      for (int64_t step : {1, 2, 3, 4}) {
        if (extent.constant() || extent.floorDiv(step) * spec::SizeExpr(step) != extent) continue;
        longer.push_back(steps);
        longer.back().push_back(step);
      }
      if (extent.constant()) {
        longer.push_back(steps);
        longer.back().push_back(1);
      }
    }
    all = std::move(longer);
  }
  auto classes = [](const std::vector<int64_t>& steps) {
    int64_t n = 1;
    for (int64_t s : steps) n *= s;
    return n;
  };
  std::erase_if(all, [&](const auto& steps) { return classes(steps) > kMostClasses; });
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return classes(a) < classes(b); });
  return all;
}

}  // namespace

std::optional<std::vector<Piece>> splitPieces(const std::vector<ElementGrid>& runs,
                                              const std::vector<spec::SizeExpr>& extents, const SizeFit& fit) {
  for (const ElementGrid& run : runs)
    for (int64_t extent : run.extents)
      if (extent < 1) return std::nullopt;
  for (const std::vector<int64_t>& steps : stepVectors(extents))
    if (auto pieces = splitBySteps(runs, extents, fit, steps)) return pieces;
  return std::nullopt;
}

}  // namespace np::kernel_port::lift

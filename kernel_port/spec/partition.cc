// The borders of all boxes cut each dimension into intervals; the boxes then cover cells of that grid, which are
// counted. What is not known is the order of the borders: it is taken from one large example, and each neighbouring
// pair that is not provably in that order becomes a condition. Under the conditions the count is exact.
#include "kernel_port/spec/partition.h"

#include <algorithm>

namespace np::kernel_port::spec {

namespace {

struct Interval {
  int64_t step = 1;
  SizeExpr start, length;
};
using Box = std::vector<Interval>;

Error notShown(const std::string& buffer, const std::string& why) {
  return makeError("NPT2908", "the statements of \"" + buffer + "\" " + why);
}

// The box a statement writes, by dimension.
Result<Box> boxOf(const Stmt& stmt) {
  Box box;
  AxisSet seen = 0;
  for (const Aff& index : stmt.index) {
    if (index.terms.size() != 1 || index.terms[0].second < 1 || (seen & axisBit(index.terms[0].first)) != 0)
      return notShown(stmt.out, "write more than boxes along its dimensions");
    const auto [axis, step] = index.terms[0];
    seen |= axisBit(axis);
    box.push_back({step, index.offset, stmt.domain[static_cast<size_t>(axis)]});
  }
  if (box.size() != stmt.domain.size()) return notShown(stmt.out, "write an element more than once");
  return box;
}

// Sizes at which borders are compared to guess their order: allowed ones, if some are found, with nothing empty.
SizeValues example(const Spec& spec, const Buffer& buffer) {
  constexpr int kDraws = 200;
  uint64_t state = 12345;
  SizeValues sizes;
  for (int draw = 0; draw < kDraws; ++draw) {
    for (const std::string& name : spec.sizes) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      const int64_t most = int64_t{16} << (draw % 10);
      sizes[name] = 1 + static_cast<int64_t>(state >> 33) % most;
    }
    bool fits = std::all_of(spec.where.begin(), spec.where.end(), [&](const auto& c) { return c.holds(sizes); });
    for (const SizeExpr& extent : buffer.extents) fits = fits && extent.evaluate(sizes) > 0;
    if (fits) break;
  }
  return sizes;
}

// Half-open ranges of cells along one dimension, one per box; `cells` is their number.
struct Cut {
  std::vector<std::pair<size_t, size_t>> ranges;
  size_t cells = 0;
};

class Grid {
 public:
  Grid(const Spec& spec, const Buffer& buffer) : buffer_(buffer), example_(example(spec, buffer)) {}

  Result<Cut> cut(const std::vector<Box>& boxes, size_t d) {
    const int64_t step = boxes[0][d].step;
    for (const Box& box : boxes)
      if (box[d].step != step) return notShown(buffer_.name, "write with different steps");
    return step == 1 ? borders(boxes, d) : residues(boxes, d, step);
  }

  std::vector<SizeCondition> conditions;

 private:
  Result<Cut> residues(const std::vector<Box>& boxes, size_t d, int64_t step) {
    Cut out;
    out.cells = static_cast<size_t>(step);
    for (const Box& box : boxes) {
      const auto rest = box[d].start.constant();
      if (!rest || *rest < 0 || *rest >= step || box[d].length * SizeExpr(step) != buffer_.extents[d])
        return notShown(buffer_.name, "write every " + std::to_string(step) + "th element of something else");
      out.ranges.emplace_back(static_cast<size_t>(*rest), static_cast<size_t>(*rest) + 1);
    }
    return out;
  }

  Result<Cut> borders(const std::vector<Box>& boxes, size_t d) {
    std::vector<SizeExpr> at;
    for (const Box& box : boxes) at.push_back(box[d].start), at.push_back(box[d].start + box[d].length);
    std::sort(at.begin(), at.end(), [&](const SizeExpr& a, const SizeExpr& b) {
      const int64_t x = a.evaluate(example_), y = b.evaluate(example_);
      return x != y ? x < y : a < b;
    });
    at.erase(std::unique(at.begin(), at.end()), at.end());
    if (at.front() != SizeExpr(0) || at.back() != buffer_.extents[d])
      return notShown(buffer_.name, "do not reach from its first to its last element");
    for (size_t k = 0; k + 1 < at.size(); ++k) {  // one interval alone may be empty
      const SizeExpr width = at[k + 1] - at[k];
      if (at.size() > 2 && !width.positive()) conditions.push_back({SizeExpr(1), CmpOp::Le, width});
    }
    const auto place = [&](const SizeExpr& border) {
      return static_cast<size_t>(std::find(at.begin(), at.end(), border) - at.begin());
    };
    Cut out;
    out.cells = at.size() - 1;
    for (const Box& box : boxes) out.ranges.emplace_back(place(box[d].start), place(box[d].start + box[d].length));
    return out;
  }

  const Buffer& buffer_;
  SizeValues example_;
};

}  // namespace

Result<std::vector<SizeCondition>> partitionConditions(const Spec& spec, const std::string& name) {
  constexpr size_t kMostCells = 4096;
  const Buffer* buffer = spec.buffer(name);
  std::vector<Box> boxes;
  for (const Stmt& stmt : spec.stmts) {
    if (stmt.out != name) continue;
    NP_ASSIGN(Box box, boxOf(stmt));
    boxes.push_back(std::move(box));
  }
  if (boxes.empty()) return notShown(name, "are missing");
  Grid grid(spec, *buffer);
  std::vector<Cut> cuts;
  size_t cells = 1;
  for (size_t d = 0; d < buffer->extents.size(); ++d) {
    NP_ASSIGN(Cut cut, grid.cut(boxes, d));
    cells *= cut.cells;
    if (cells > kMostCells) return notShown(name, "cut it into too many parts");
    cuts.push_back(std::move(cut));
  }
  for (size_t cell = 0; cell < cells; ++cell) {
    int writers = 0;
    for (size_t b = 0; b < boxes.size(); ++b) {
      bool inside = true;
      size_t rest = cell;
      for (const Cut& cut : cuts) {
        const size_t at = rest % cut.cells;
        rest /= cut.cells;
        inside = inside && at >= cut.ranges[b].first && at < cut.ranges[b].second;
      }
      writers += inside ? 1 : 0;
    }
    if (writers != 1) return notShown(name, writers == 0 ? "leave a part of it out" : "write a part of it twice");
  }
  return std::move(grid.conditions);
}

}  // namespace np::kernel_port::spec

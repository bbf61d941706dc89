// The nest of a statement.
//
// A map in which every access is the same one is flat: rows of n/128 elements, then the tail as one row, by the same
// loop body. Everything else opens its loops by role and demands the value. Neighbouring axes that every access treats
// as one are fused first, which makes batches of rows rows.
#include <algorithm>

#include "kernel_port/schedule/generator.h"
#include "kernel_port/schedule/lower.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;
using tile::Memory;

namespace {

constexpr int64_t kRowBytes = 180'000;        // of SBUF, per partition, for the rows that are alive at once
constexpr int64_t kResidentColumns = 16'384;  // elements a partition may hold of operands kept for one sum
constexpr int64_t kChunk = 2048;              // elements of a free range

bool isLeaf(Node e) { return e->op == Op::Const || e->op == Op::Param || e->op == Op::Size; }

}  // namespace

// Whether some sum of the value may become a contraction: two factors that see different axes.
bool Generator::maySitAcross(Node value) const {
  for (Node node : postOrder(value)) {
    if (node->op != Op::Red || node->red() != RedOp::Sum) continue;
    std::vector<Node> factors;
    flattenProduct(node->args[0], factors);
    for (Node x : factors) {
      if (freeOf(x) != freeOf(factors[0])) return true;
    }
  }
  return false;
}

void Generator::prepare(Root& root) {
  accesses_.clear();
  uses_.clear();
  statistics_.clear();
  removed_ = 0;
  batch_ = 0;
  fuseAxes(root);
  const AxisSet scanned = scanAxes(root.value);
  int64_t rows = 0, sums = 0;
  for (Node node : postOrder(root.value)) {
    for (Node arg : node->args) ++uses_[arg];
    const bool row = __builtin_popcountll(freeOf(node)) >= 2 || (freeOf(node) & scanned) != 0;
    if (!isLeaf(node) && node->op != Op::Cast && row) ++rows;
    if (node->op == Op::Red && node->red() == RedOp::Sum) ++sums;
  }
  // Rows and kept operands share SBUF: all rows that a value could ever hold at once, and all operands of all sums.
  resident_columns_ = sums <= 2 ? kResidentColumns : 2 * kResidentColumns / sums;
  const int64_t kept = 4 * resident_columns_ * (maySitAcross(root.value) ? std::min<int64_t>(sums, 2) : 0);
  row_limit_ = (kRowBytes - kept) / (4 * std::max<int64_t>(rows + 1, 3));
}

// Axes (a, b) fuse where each access either steps a by the whole of b, or has neither.
void Generator::fuseAxes(Root& root) {
  for (bool again = true; again;) {
    again = false;
    for (size_t q = 0; q + 1 < root.axes.size() && !again; ++q) {
      const Axis a = root.axes[q].first, b = root.axes[q + 1].first;
      const SizeExpr& inner = root_extents_[b];
      const auto fits = [&](const Access& access) {
        const auto sa = access.strides.find(a), sb = access.strides.find(b);
        if (sa == access.strides.end() && sb == access.strides.end()) return true;
        return sa != access.strides.end() && sb != access.strides.end() && sa->second == sb->second * inner;
      };
      bool ok = fits(root.store);
      for (Node node : postOrder(root.value)) {
        if (node->op == Op::Coord && (node->free & (axisBit(a) | axisBit(b)))) ok = false;
        if (node->op == Op::Rec && (axisBit(node->axis) & (axisBit(a) | axisBit(b)))) ok = false;
        if (node->op == Op::Load)
          ok = ok && fits(accessOf(node)) && !(node->padded && (depends(node, a) || depends(node, b)));
      }
      if (!ok) continue;
      const auto merge = [&](Access& access) {
        if (!access.strides.count(a)) return;
        access.strides[a] = access.strides[b];
        access.strides.erase(b);
        access.dims.clear();
      };
      merge(root.store);
      for (Node node : postOrder(root.value)) {
        if (node->op == Op::Load) accessOf(node), merge(accesses_[node]);
      }
      root_extents_[a] = root_extents_[a] * inner;
      root.axes[q].second = toSymInt(root_extents_[a]);
      root.axes.erase(root.axes.begin() + static_cast<int64_t>(q) + 1);
      removed_ |= axisBit(b);
      again = true;
    }
  }
}

// One axis, the same unit-stride access everywhere outside reductions of everything.
bool Generator::isFlat(const Root& root) const {
  if (root.axes.size() != 1) return false;
  const Axis axis = root.axes[0].first;
  if (!root.store.unit(axis)) return false;
  for (Node node : postOrder(root.value)) {
    if (!depends(node, axis)) continue;
    if (node->op == Op::Red || node->op == Op::Rec || node->op == Op::Coord) return false;
    if (node->op == Op::Load) {
      if (node->padded && node->dims.size() != 1) return false;
      const auto found = accesses_.find(node);
      if (found == accesses_.end() || found->second.strides.size() != 1 || !found->second.unit(axis)) return false;
    }
  }
  return true;
}

Result<void> Generator::statement(const Stmt& stmt) {
  Root root;
  const Buffer& buffer = *spec_.buffer(stmt.out);
  NP_ASSIGN(root.dtype, toTileDtype(buffer.type));
  NP_ASSIGN(root.value, lowerValue(arena_, stmt.value));
  root.store = makeAccess(buffer, stmt.index);
  root_extents_.clear();
  for (size_t i = 0; i < stmt.domain.size(); ++i) {
    const Axis axis = static_cast<Axis>(i);
    root_extents_[axis] = stmt.domain[i];
    root.axes.emplace_back(axis, toSymInt(stmt.domain[i]));
  }
  // Values of another statement were read from the same inputs, but under other loops.
  std::optional<Value> one;
  if (const Value* known = find("ones")) one = *known;
  top().memo.clear();
  if (one) remember("ones", *one);
  prepare(root);
  for (Node node : postOrder(root.value)) {
    if (node->op == Op::Load) accessOf(node);
  }
  return isFlat(root) ? flatNest(root) : nest(root);
}

// i = width*row + column.
Result<void> Generator::flatNest(Root root) {
  const Axis i = root.axes[0].first, row = kTemporaryAxis + 2, col = kTemporaryAxis + 3;
  const SymInt extent = root.axes[0].second;
  const SymInt width = let("width", maximum(floorDiv(extent, 128), minimum(extent, 512)));
  const SymInt rows = let("rows", minimum(128, floorDiv(extent, width)));
  const SizeExpr pitch = width.isConstant() ? SizeExpr(width.value()) : SizeExpr::name(width.name());
  root.value = renamed(root.value, {{i, Aff::axis(row) + Aff::axis(col)}}, {{i, {{row, pitch}, {col, 1}}}});
  root.store.dims.clear();
  root.store.strides = {{row, pitch}, {col, 1}};

  const size_t depth = stack_.size();
  const Range part = openLoop("g", 2, 1);
  const SymInt count = let("g_rows", rows - (rows - 1) * part.start);
  const SymInt length = let("g_width", width + (extent - rows * width - width) * part.start);
  Env env;
  env[row] = {rows * part.start, count, 128, 128, part.level};
  env[col] = openLoop("c", length, kChunk);
  NP_ASSIGN(Value value, need(root.value, row, {col}, env));
  NP_TRY(store(value, root, row, {col}, env));
  closeTo(depth);
  return {};
}

Result<void> Generator::nest(const Root& root) {
  const Roles roles = chooseRoles(root);
  std::map<Axis, SymInt> extents;
  for (const auto& [axis, extent] : root.axes) extents.insert_or_assign(axis, extent);
  const size_t depth = stack_.size();
  Env env;
  for (Axis axis : roles.loops) env[axis] = openLoop("b", extents.at(axis), 1);
  // Rows inside the chunks of a map, so that what varies only along a row is loaded once; outside them where a row is
  // reduced or an operand is kept for it.
  const bool rows_first = roles.row_statistics || roles.contracts;
  const auto openRows = [&] {
    if (roles.partition != kNoAxis) env[roles.partition] = openLoop("r", extents.at(roles.partition), 128);
  };
  if (rows_first) openRows();
  // A chunk holds `budget` elements over all free axes together, the last axis first.
  group_bound_ = roles.contracts ? 512 : (roles.mixed ? 64 : kChunk);
  SymInt budget = group_bound_;
  for (auto axis = roles.free.rbegin(); axis != roles.free.rend(); ++axis) {
    const SymInt extent = extents.at(*axis);
    const bool one_row = roles.row_statistics && !roles.contracts && roles.free.size() == 1;
    if (one_row && facts_.decide(extent, row_limit_)) {
      env[*axis] = whole(extent);
      continue;
    }
    env[*axis] = openLoop("c", extent, budget);
    env[*axis].grouped = true;
    budget = maximum(1, floorDiv(budget, minimum(budget, extent)));
  }
  if (!rows_first) openRows();
  NP_ASSIGN(Value value, need(root.value, roles.partition, roles.free, env));
  NP_TRY(store(value, root, roles.partition, roles.free, env));
  closeTo(depth);
  return {};
}

Result<void> Generator::store(const Value& value, const Root& root, Axis p, const Axes& fs, const Env& env) {
  const SymInt partitions = p == kNoAxis ? SymInt(1) : env.at(p).size;
  const std::vector<bool> all(fs.size(), true);
  Value out = value;
  const bool full = !value.number && value.present == all && value.memory == Memory::kSbuf && value.dtype == root.dtype;
  if (!full) {
    out = allocate("out", partitions, all, fs, env, root.dtype);
    if (value.number) {
      emit(tile::fill(tile::View(out.buffer), *value.number));
    } else {
      NP_ASSIGN(tile::View from, view(value, partitions, fs, all, env));
      copy(tile::View(out.buffer), from);
    }
  }
  const Buffer& buffer = *spec_.buffer(root.store.buffer);
  const std::string tensor = buffer.role == Role::InOut ? buffer.name + "_out" : buffer.name;
  emit(tile::dmaCopy(hbmView(tensor, root.store, p, fs, partitions, all, env), view(out, partitions)));
  return {};
}

}  // namespace np::kernel_port::schedule

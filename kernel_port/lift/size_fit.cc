// A list of candidate monomials with costs; the cheapest that fits wins. A wrong winner (two sizes that happen to be
// related) is caught when the Spec is compared with runs at other sizes.
#include "kernel_port/lift/size_fit.h"

#include <cstdlib>

namespace np::kernel_port::lift {

using launch::Expr;
using spec::SizeExpr;

std::optional<SizeExpr> toSizeExpr(const Expr& expr) {
  std::vector<SizeExpr> args;
  for (const Expr& operand : expr.operands) {
    auto arg = toSizeExpr(operand);
    if (!arg) return std::nullopt;
    args.push_back(std::move(*arg));
  }
  switch (expr.kind) {
    case Expr::Kind::Integer:
      return SizeExpr(expr.value);
    case Expr::Kind::Size:
      return SizeExpr::name(expr.name);
    case Expr::Kind::Negate:
      return SizeExpr(0) - args[0];
    case Expr::Kind::Add:
      return args[0] + args[1];
    case Expr::Kind::Sub:
      return args[0] - args[1];
    case Expr::Kind::Mul:
      return args[0] * args[1];
    case Expr::Kind::Min:
      return SizeExpr::min(args[0], args[1]);
    case Expr::Kind::Max:
      return SizeExpr::max(args[0], args[1]);
    default:
      break;
  }
  if (!args[1].positive()) return std::nullopt;
  if (expr.kind == Expr::Kind::Div) return args[0].floorDiv(args[1]);
  if (expr.kind == Expr::Kind::Mod) return args[0].mod(args[1]);
  return args[0].ceilDiv(args[1]);
}

SizeFit::SizeFit(const launch::LaunchFile& file, std::vector<spec::SizeValues> sizes) : sizes_(std::move(sizes)) {
  std::vector<SizeExpr> names;
  for (const std::string& name : file.size_names) names.push_back(SizeExpr::name(name));
  for (const SizeExpr& name : names) add(name, 2);
  for (const launch::Buffer& buffer : file.buffers)
    for (const Expr& extent : buffer.extent)
      if (auto expr = toSizeExpr(extent); expr && !expr->constant()) add(*expr, 3);
  for (size_t a = 0; a < names.size(); ++a) {
    for (size_t b = a; b < names.size(); ++b) {
      add(names[a] * names[b], 5);
      add(names[a] + names[b], 6);
      add(names[a] - names[b], 6);
      for (size_t c = b; c < names.size(); ++c) add(names[a] * names[b] * names[c], 8);
    }
    for (int64_t d : {2, 3, 4, 8, 16, 32}) {
      add(names[a].floorDiv(d), 6 + static_cast<int>(d));
      add(names[a].ceilDiv(d), 6 + static_cast<int>(d));
    }
    for (const SizeExpr& b : names)
      if (b != names[a]) add(names[a].floorDiv(b), 6);
  }
}

void SizeFit::add(const SizeExpr& expr, int cost) {
  Candidate candidate{expr, {}, cost};
  for (const spec::SizeValues& sizes : sizes_) candidate.values.push_back(expr.evaluate(sizes));
  candidates_.push_back(std::move(candidate));
}

std::optional<SizeExpr> SizeFit::fit(const std::vector<int64_t>& values) const {
  constexpr int64_t kLargest = 16;
  bool constant = true;
  for (int64_t v : values) constant &= v == values[0];
  if (constant) return SizeExpr(values[0]);
  const Candidate* best = nullptr;
  int64_t best_a = 0, best_b = 0;
  int best_cost = 0;
  for (const Candidate& c : candidates_) {
    size_t other = 1;
    while (other < c.values.size() && c.values[other] == c.values[0]) ++other;
    if (other == c.values.size()) continue;
    int64_t dm = c.values[other] - c.values[0], dy = values[other] - values[0];
    if (dy % dm != 0) continue;
    int64_t a = dy / dm, b = values[0] - a * c.values[0];
    if (a == 0 || std::llabs(a) > kLargest || std::llabs(b) > kLargest) continue;
    bool fits = true;
    for (size_t i = 0; i < values.size(); ++i) fits &= a * c.values[i] + b == values[i];
    int cost = c.cost + (a == 1 ? 0 : 2 + static_cast<int>(std::llabs(a))) +
               (b == 0 ? 0 : 2 + static_cast<int>(std::llabs(b)));
    if (!fits || (best != nullptr && cost >= best_cost)) continue;
    best = &c;
    best_a = a;
    best_b = b;
    best_cost = cost;
  }
  if (best == nullptr) return std::nullopt;
  return SizeExpr(best_a) * best->expr + SizeExpr(best_b);
}

}  // namespace np::kernel_port::lift

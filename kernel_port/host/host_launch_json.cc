// The launch file of a HostPlan. Size cases are in general position (pairwise different, few common factors), one of
// them round, because formulas are guessed from them: sizes such as M = N would hide which is which. Where the source
// has size conditions, multiples and equalities are searched for deterministically.

#include <nlohmann/json.hpp>

#include "kernel_port/host/host_plan.h"
#include "kernel_port/launch/expr.h"

namespace np::kernel_port::host {
namespace {

using Json = nlohmann::ordered_json;

// Rows of candidate sizes: row c, column i is size i of case c. Small, so that the checked run is fast.
constexpr std::int64_t kCandidates[4][6] = {
    {3, 67, 5, 7, 2, 11}, {5, 131, 3, 4, 3, 6}, {8, 64, 4, 16, 2, 8}, {7, 37, 6, 3, 5, 2}};
constexpr std::int64_t kFlat[4] = {67, 131, 256, 300};

Result<bool> satisfies(const std::vector<launch::Condition>& where, const HostPlan& plan,
                       const std::vector<std::int64_t>& values) {
  launch::Sizes sizes;
  for (std::size_t i = 0; i < values.size(); ++i) sizes[plan.sizes[i].name] = values[i];
  for (const launch::Condition& condition : where) {
    NP_ASSIGN(const bool held, launch::holds(condition, sizes));
    if (!held) return false;
  }
  return true;
}

// Varies one size after the other in small steps from a starting row until the conditions hold.
Result<std::optional<std::vector<std::int64_t>>> nearby(const std::vector<launch::Condition>& where,
                                                        const HostPlan& plan, std::vector<std::int64_t> start) {
  constexpr std::int64_t kTrials[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256};
  NP_ASSIGN(bool good, satisfies(where, plan, start));
  if (good) return std::optional(start);
  for (std::size_t i = 0; i < start.size(); ++i) {
    for (std::size_t j = i; j < start.size(); ++j) {
      for (std::int64_t a : kTrials)
        for (std::int64_t b : kTrials) {
          std::vector<std::int64_t> trial = start;
          trial[i] = a;
          if (j != i) trial[j] = b;
          NP_ASSIGN(good, satisfies(where, plan, trial));
          if (good) return std::optional(trial);
          if (j == i) break;
        }
    }
  }
  return std::optional<std::vector<std::int64_t>>();
}

Result<std::vector<std::vector<std::int64_t>>> chooseCases(const HostPlan& plan) {
  std::vector<launch::Condition> where;
  for (const std::string& text : plan.where) {
    NP_ASSIGN(launch::Condition condition, launch::parseCondition(text));
    where.push_back(std::move(condition));
  }
  if (plan.sizes.size() > 6)
    return makeError("NPT2921", "\"" + plan.function + "\" has more than 6 sizes; give a launch file with --launch");
  std::vector<std::vector<std::int64_t>> out;
  for (int c = 0; c < 4; ++c) {
    std::vector<std::int64_t> row;
    for (std::size_t i = 0; i < plan.sizes.size(); ++i)
      row.push_back(plan.sizes.size() == 1 ? kFlat[c] : kCandidates[c][i]);
    NP_ASSIGN(auto found, nearby(where, plan, row));
    if (found && std::find(out.begin(), out.end(), *found) == out.end()) out.push_back(*found);
  }
  if (out.empty())
    return makeError("NPT2921", "no sizes found for \"" + plan.function +
                                    "\" that satisfy its checks; give a launch file with --launch");
  return out;
}

}  // namespace

Result<std::string> launchFileText(const HostPlan& plan, const std::string& source) {
  NP_ASSIGN(const auto cases, chooseCases(plan));
  Json names = Json::array(), buffers = Json::object(), scalars = Json::object(), launches = Json::array();
  for (const SizeSymbol& size : plan.sizes) names.push_back(size.name);
  for (const PlannedBuffer& b : plan.buffers) {
    buffers[b.name] = {{"type", b.type}, {"extent", b.extent}, {"role", b.role}};
    if (!b.init.empty()) buffers[b.name]["init"] = b.init;
  }
  double value = 0.375;  // any value that is no special one; exact in every float type
  for (const PlannedScalar& s : plan.scalars) {
    scalars[s.name] = {{"type", s.type}, {"value", value}};
    value += 0.4375;
  }
  for (const PlannedLaunch& l : plan.launches)
    launches.push_back(
        {{"kernel", l.kernel}, {"grid", l.grid}, {"block", l.block}, {"shared", l.shared}, {"args", l.args}});
  Json sizes = {{"names", names}, {"cases", cases}};
  if (!plan.where.empty()) sizes["where"] = plan.where;
  const Json out = {{"version", 1},       {"source", source},   {"sizes", sizes},
                    {"buffers", buffers}, {"scalars", scalars}, {"launches", launches}};
  return out.dump(2) + "\n";
}

}  // namespace np::kernel_port::host

// General position: within one run the sizes differ, over the runs each name takes different values, and no two names
// keep their difference. Then a trip count is explained by one name only. Candidates are drawn by a fixed generator and
// scored.
#include "kernel_port/lift/size_choice.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "kernel_port/launch/launch_plan.h"

namespace np::kernel_port::lift {

namespace {

constexpr size_t kTraining = 3;
constexpr int kDraws = 400;
constexpr int64_t kDegenerate = 3;  // a sum of one or two terms does not look like one

class Draw {
 public:
  size_t below(size_t n) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<size_t>(state_ >> 33) % n;
  }

 private:
  uint64_t state_ = 12345;
};

launch::Sizes named(const launch::LaunchFile& file, const std::vector<int64_t>& values) {
  launch::Sizes sizes;
  for (size_t i = 0; i < values.size(); ++i) sizes[file.size_names[i]] = values[i];
  return sizes;
}

bool legal(const launch::LaunchFile& file, const std::vector<int64_t>& values) {
  for (const launch::Condition& condition : file.where) {
    auto held = launch::holds(condition, named(file, values));
    if (!held.ok() || !held.value()) return false;
  }
  return launch::planCase(file, values).ok();
}

// Lower is better.
int64_t penalty(const std::vector<std::vector<int64_t>>& runs) {
  int64_t cost = 0;
  size_t names = runs[0].size();
  for (const auto& run : runs) {
    int64_t volume = 1;
    for (size_t i = 0; i < names; ++i) {
      volume *= run[i];
      cost += run[i] < kDegenerate ? 600 : 0;
      for (size_t j = 0; j < i; ++j) cost += run[i] == run[j] ? 500 : 0;
    }
    cost += volume / 16;
  }
  for (size_t i = 0; i < names; ++i) {
    std::set<int64_t> values;
    for (const auto& run : runs) values.insert(run[i]);
    cost += static_cast<int64_t>(runs.size() - values.size()) * 700;
    for (size_t j = 0; j < i; ++j) {
      std::set<int64_t> differences;
      for (const auto& run : runs) differences.insert(run[i] - run[j]);
      cost += differences.size() == 1 ? 900 : 0;
    }
  }
  return cost;
}

// The best of many draws of `count` runs from `pools`, or fewer runs where the legal sizes do not allow more.
std::vector<std::vector<int64_t>> drawRuns(const launch::LaunchFile& file,
                                           const std::vector<std::vector<int64_t>>& pools, size_t count) {
  Draw draw;
  std::vector<std::vector<int64_t>> legal_runs;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<int64_t> values;
    for (const auto& pool : pools) values.push_back(pool[draw.below(pool.size())]);
    if (std::find(legal_runs.begin(), legal_runs.end(), values) == legal_runs.end() && legal(file, values))
      legal_runs.push_back(std::move(values));
  }
  if (legal_runs.size() <= count) return legal_runs;
  std::vector<std::vector<int64_t>> best;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<std::vector<int64_t>> runs;
    for (size_t k = 0; k < count; ++k) runs.push_back(legal_runs[draw.below(legal_runs.size())]);
    if (best.empty() || penalty(runs) < penalty(best)) best = std::move(runs);
  }
  return best;
}

SizeChoice choose(const launch::LaunchFile& file, const std::vector<int64_t>& multiple, bool bounded) {
  SizeChoice choice;
  choice.multiple = multiple;
  std::vector<std::vector<int64_t>> pools, tiny;
  for (size_t i = 0; i < file.size_names.size(); ++i) {
    int64_t greatest = 0;
    std::vector<int64_t> given;
    for (const auto& values : file.cases) {
      given.push_back(values[i]);
      greatest = std::max(greatest, values[i]);
    }
    std::vector<int64_t> pool;
    for (int64_t factor : {5, 7, 9, 11, 13, 17})
      if (!bounded || factor * multiple[i] <= greatest) pool.push_back(factor * multiple[i]);
    if (bounded || !file.where.empty()) pool.insert(pool.end(), given.begin(), given.end());
    pools.push_back(std::move(pool));
    tiny.push_back({multiple[i], 2 * multiple[i]});
  }
  choice.training = drawRuns(file, pools, kTraining);
  for (auto& values : drawRuns(file, pools, kTraining + 2))
    if (std::find(choice.training.begin(), choice.training.end(), values) == choice.training.end() &&
        choice.held_out.size() < 2)
      choice.held_out.push_back(values);
  for (auto& values : drawRuns(file, tiny, 2))
    if (std::find(choice.training.begin(), choice.training.end(), values) == choice.training.end())
      choice.held_out.push_back(values);
  for (const auto& values : file.cases)
    if (std::find(choice.training.begin(), choice.training.end(), values) == choice.training.end() &&
        std::find(choice.held_out.begin(), choice.held_out.end(), values) == choice.held_out.end())
      choice.held_out.push_back(values);
  return choice;
}

}  // namespace

std::vector<std::vector<int64_t>> sizesAbove(const launch::LaunchFile& file, const std::vector<int64_t>& base,
                                             const std::vector<int64_t>& multiple,
                                             const std::vector<int64_t>& thresholds) {
  std::vector<std::vector<int64_t>> out;
  for (int64_t threshold : thresholds) {
    for (size_t i = 0; i < base.size(); ++i) {
      std::vector<int64_t> values = base;
      values[i] = (threshold / multiple[i] + 1) * multiple[i];
      if (legal(file, values) && std::find(out.begin(), out.end(), values) == out.end()) out.push_back(values);
    }
  }
  return out;
}

std::vector<SizeChoice> chooseSizes(const launch::LaunchFile& file) {
  size_t names = file.size_names.size();
  std::vector<int64_t> one(names, 1), common(names, 0);
  for (size_t i = 0; i < names; ++i) {
    for (const auto& values : file.cases) common[i] = std::gcd(common[i], values[i]);
    bool all_equal = true;
    for (const auto& values : file.cases) all_equal &= values[i] == file.cases[0][i];
    if (all_equal || common[i] == 0) common[i] = 1;
  }
  std::vector<SizeChoice> choices{choose(file, one, false), choose(file, one, true)};
  if (common != one) choices.push_back(choose(file, common, false));
  SizeChoice cases;
  cases.multiple = one;
  if (file.cases.size() >= 3) {
    cases.training.assign(file.cases.begin(), file.cases.begin() + 3);
    cases.held_out.assign(file.cases.begin() + 3, file.cases.end());
    for (const auto& values : choices[1].held_out)
      if (std::find(file.cases.begin(), file.cases.end(), values) == file.cases.end()) cases.held_out.push_back(values);
    choices.push_back(cases);
  }
  std::erase_if(choices, [](const SizeChoice& c) { return c.training.empty(); });
  return choices;
}

}  // namespace np::kernel_port::lift

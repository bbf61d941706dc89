// Ragged sizes are drawn uniformly from 1 to 1.3 times the largest case, by rejection; divisibility conditions are met
// by also drawing multiples of the numbers that occur in them.

#include "kernel_port/certify/sizes.h"

#include <algorithm>
#include <random>

namespace np::kernel_port::certify {
namespace {

constexpr int kRagged = 3;
constexpr int kDraws = 4000;

bool specHolds(const spec::Spec& spec, const launch::Sizes& sizes) {
  spec::SizeValues values(sizes.begin(), sizes.end());
  return std::all_of(spec.where.begin(), spec.where.end(),
                     [&](const spec::SizeCondition& c) { return c.holds(values); });
}

launch::Sizes named(const launch::LaunchFile& file, const std::vector<std::int64_t>& values) {
  launch::Sizes out;
  for (std::size_t i = 0; i < values.size(); ++i) out[file.size_names[i]] = values[i];
  return out;
}

// Every size at least 1, all conditions hold, and the launch is one that CUDA accepts.
bool admissible(const launch::LaunchFile& file, const spec::Spec& spec, const std::vector<std::int64_t>& values) {
  const launch::Sizes sizes = named(file, values);
  for (const launch::Condition& condition : file.where) {
    const auto held = launch::holds(condition, sizes);
    if (!held.ok() || !*held) return false;
  }
  return specHolds(spec, sizes) && launch::planCase(file, values).ok();
}

void addOnce(std::vector<std::vector<std::int64_t>>& list, const std::vector<std::int64_t>& values) {
  if (std::find(list.begin(), list.end(), values) == list.end()) list.push_back(values);
}

}  // namespace

Result<TrialSizes> trialSizes(const launch::LaunchFile& file, const spec::Spec& spec, std::uint64_t seed) {
  TrialSizes out;
  out.given = file.cases;
  for (const auto& values : file.cases)
    if (!specHolds(spec, named(file, values))) {
      std::string text;
      for (std::size_t i = 0; i < values.size(); ++i)
        text += (i ? ", " : "") + file.size_names[i] + " = " + std::to_string(values[i]);
      return makeError("NPT2933", "the translation would not hold at the launch file's own case " + text);
    }
  const std::size_t n = file.size_names.size();
  if (n == 0) return out;
  // Tiny: everything 1; one size 1 and the others as in the first case.
  std::vector<std::vector<std::int64_t>> candidates = {std::vector<std::int64_t>(n, 1),
                                                       std::vector<std::int64_t>(n, 2)};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::int64_t> values = file.cases.front();
    values[i] = 1;
    candidates.push_back(values);
  }
  for (const auto& values : candidates)
    if (admissible(file, spec, values)) addOnce(out.fresh, values);

  std::mt19937_64 random(seed);
  int found = 0;
  for (int draw = 0; draw < kDraws && found < kRagged; ++draw) {
    std::vector<std::int64_t> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::int64_t largest = 2;
      for (const auto& row : file.cases) largest = std::max(largest, row[i]);
      const std::int64_t bound = largest + largest * 3 / 10;
      values[i] = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
      if (draw % 2 == 1) values[i] = std::max<std::int64_t>(1, values[i] / 4) * 4;
      if (draw % 8 == 7) values[i] = std::max<std::int64_t>(1, values[i] / 32) * 32;
    }
    if (!admissible(file, spec, values)) continue;
    const std::size_t before = out.fresh.size();
    addOnce(out.fresh, values);
    found += out.fresh.size() > before ? 1 : 0;
  }
  return out;
}

}  // namespace np::kernel_port::certify

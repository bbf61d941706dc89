// At which sizes a translation is tried: the launch file's cases, tiny ones, and ragged ones nobody tuned to.
#pragma once

#include <vector>

#include "kernel_port/launch/launch_file.h"
#include "kernel_port/launch/launch_plan.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::certify {

struct TrialSizes {
  std::vector<std::vector<std::int64_t>> given;  // cases of the launch file
  std::vector<std::vector<std::int64_t>> fresh;  // tiny and ragged, inside the launch file's `where` and the Spec's
};

// `seed` decides the ragged ones. A launch-file case outside the Spec's `where` is an error (NPT2933): the translation
// would exclude a size its user named.
Result<TrialSizes> trialSizes(const launch::LaunchFile& file, const spec::Spec& spec, std::uint64_t seed);

}  // namespace np::kernel_port::certify

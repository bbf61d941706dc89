// Launch arguments as the bytes a kernel's parameters take.
#pragma once

#include <functional>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/launch_plan.h"
#include "kernel_port/simt/program.h"

namespace np::kernel_port::simt {

// One byte string per parameter of `kernel`. `bufferAddress` gives a buffer's device address; `where` starts messages
// ("softmax.launch.json#/launches/0"). Errors: code "arguments", naming the argument and the parameter.
Result<std::vector<std::vector<uint8_t>>> packArguments(const KernelEntry& kernel, const launch::LaunchPlan& plan,
                                                        const launch::CasePlan& case_plan,
                                                        const std::function<uint64_t(int)>& bufferAddress,
                                                        const std::string& where);

}  // namespace np::kernel_port::simt

// What the codes of refused and failed translations mean; the codes themselves are made in kernel_port.
#pragma once

#include <string>

namespace np::cli {

// One paragraph for a code ("NPT2901", "SCHED-PAD"), empty when it is none.
std::string explainRefusal(const std::string& code);

}  // namespace np::cli

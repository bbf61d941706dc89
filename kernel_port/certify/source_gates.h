// What a defect of the source means for its translation.
#pragma once

#include "kernel_port/certify/certify.h"
#include "kernel_port/certify/trial.h"

namespace np::kernel_port::certify {

// NPT2901 with both lines and what to do.
PortReason defectReason(const simt::Defect& defect);

}  // namespace np::kernel_port::certify

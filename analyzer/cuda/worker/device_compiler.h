// The `ir` verb: device bitcode and parameter facts of named kernels.
#pragma once

#include "analyzer/cuda/device_ir.h"

namespace np::analyzer::worker {

// Compiles `request.source` for the device and writes `request.output`. Faults of the source or of a kernel name are
// diagnostics of a reply that is not ok.
DeviceIrReply compileDevice(const DeviceIrRequest& request);

}  // namespace np::analyzer::worker

// Client of the Clang worker: spawns `neuron-port-clang`, hands it a request and reads the reply.
#pragma once

#include <string>

#include "analyzer/base/result.h"
#include "analyzer/cuda/device_ir.h"
#include "analyzer/cuda/facts.h"

namespace np::analyzer {

struct WorkerOptions {
  std::string executable;  // empty: `neuron-port-clang` beside the running executable, or in the folder above it
  double timeout_s = 900;  // wall time; the worker limits its own processor time to two minutes
};

// Path of the worker executable. Error "no-clang-worker" when it does not exist.
Result<std::string> findClangWorker(const WorkerOptions& options);

// One request to the worker; the reply's text. Errors as for compileDeviceIr, with `subject` as location.
Result<std::string> callClangWorker(const std::string& verb, const std::string& request, const std::string& subject,
                                    const WorkerOptions& options);

// Compiles the kernels of one .cu file to nvptx64 bitcode. Errors: "cuda-compile" (the file or a kernel name is at
// fault; location and notes name the places), "no-clang-worker", "worker-crash", "worker-timeout", "worker-protocol".
Result<DeviceIr> compileDeviceIr(const DeviceIrRequest& request, const WorkerOptions& options = {});

// Facts of one file, in a process of its own. Errors: as above without "cuda-compile"; a file that Clang does not
// understand is a unit that is partial or failed, not an error. `request.files` holds that one file.
Result<UnitFacts> collectFacts(const FactsRequest& request, const WorkerOptions& options = {});

}  // namespace np::analyzer

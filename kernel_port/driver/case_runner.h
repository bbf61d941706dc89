// What `run` and `check` share: reading the request, compiling the source, running a case, defects as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel_port/driver/verbs_json.h"
#include "kernel_port/launch/launch_file.h"
#include "kernel_port/simt/fast/fast_executor.h"
#include "kernel_port/simt/run.h"

namespace np::kernel_port::driver {

struct Session {
  launch::LaunchFile file;
  simt::Executor executor;
  std::optional<fast::FastExecutor> fast;  // when the request asks for that engine
  std::vector<size_t> cases;               // into file.cases
  uint64_t seed = 0;
  uint64_t step_limit = 0;
};

// Opens the launch file of the request and compiles its kernels. Errors: those of the parts; "request" for a request
// that lacks something or has it in the wrong type.
Result<Session> openSession(const Json& request);

// Typed access to optional members of a request; errors name the key.
Result<std::string> textOr(const Json& request, const std::string& key, const std::string& otherwise);
Result<uint64_t> numberOr(const Json& request, const std::string& key, uint64_t otherwise);
Result<std::vector<std::string>> listOr(const Json& request, const std::string& key);

Json toJson(const simt::Defect& defect);
Json sizesJson(const launch::LaunchFile& file, const std::vector<int64_t>& values);

}  // namespace np::kernel_port::driver

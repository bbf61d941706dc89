// The file is analysed as `port` would do it, and each host function that launches a wanted kernel is planned.

#include "cli/commands/host_launch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "analyzer/index/cuda_analysis.h"
#include "cli/port/temporary.h"
#include "kernel_port/host/host_plan.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;
namespace host = kernel_port::host;

// What a person has to fill in, as far as the signature tells.
std::string draft(const Kernel& kernel, const std::string& source) {
  std::string buffers, args;
  for (const KernelParam& param : kernel.params) {
    const bool pointer = param.type.find('*') != std::string::npos;
    const bool constant = param.type.find("const") != std::string::npos;
    if (pointer)
      buffers += (buffers.empty() ? "" : ",\n") + std::string("  \"") + param.name +
                 "\": {\"type\": \"f32\", \"extent\": [\"N\"], \"role\": \"" +
                 (constant ? "in\", \"init\": \"normal\"}" : "out\"}");
    args += (args.empty() ? "\"" : ", \"") + (pointer ? param.name : std::string("N")) + "\"";
  }
  return "{\"version\": 1, \"source\": \"" + fs::path(source).filename().string() +
         "\",\n \"sizes\": {\"names\": [\"N\"], \"cases\": [[67], [131], [256]]},\n \"buffers\": {\n" + buffers +
         "},\n \"scalars\": {},\n \"launches\": [{\"kernel\": \"" + kernel.name +
         "\", \"grid\": [\"ceildiv(N, 256)\", \"1\", \"1\"], \"block\": [\"256\", \"1\", \"1\"], \"shared\": \"0\", "
         "\"args\": [" +
         args + "]}]}";
}

bool isFunction(const host::HostPlan& plan, const std::string& only) {
  return !only.empty() && (plan.function == only || plan.function.ends_with("::" + only));
}

bool wanted(const host::HostPlan& plan, const std::string& only) {
  return only.empty() || isFunction(plan, only) ||
         std::any_of(plan.launches.begin(), plan.launches.end(), [&](const host::PlannedLaunch& l) {
           return l.kernel.substr(0, l.kernel.find('<')) == only.substr(0, only.find('<'));
         });
}

}  // namespace

Result<LaunchFileChoice> launchFromSource(const Invocation& invocation) {
  std::error_code ec;
  const fs::path source = fs::canonical(invocation.paths.front(), ec);
  analyzer::CudaOptions options;
  options.includes = invocation.include_dirs;
  options.defines = invocation.defines;
  NP_ASSIGN(const analyzer::CudaAnalysis cuda,
            analyzer::analyzeCuda(source.parent_path().string(), {source.filename().string()}, options));
  Error none = makeError("no-launch", "no launch file for \"" + invocation.paths.front() + "\"; give one with --launch",
                         invocation.paths.front());
  std::vector<host::HostPlan> plans;
  for (const analyzer::HostFunction& function : cuda.host_functions) {
    auto plan = host::planHost(function);
    if (!plan.ok())
      none.notes.push_back(plan.error().text());
    else if (wanted(*plan, invocation.only))
      plans.push_back(std::move(*plan));
  }
  if (plans.size() > 1) {
    std::string names;
    for (const host::HostPlan& plan : plans) names += (names.empty() ? "" : ", ") + plan.function;
    return makeError("no-launch", "several host functions launch kernels (" + names + "); choose one with --only NAME");
  }
  if (plans.empty()) {
    for (const Kernel& kernel : cuda.kernels)
      if (invocation.only.empty() || kernel.name == invocation.only) {
        none.notes.push_back("a launch file to complete, for kernel \"" + kernel.name + "\":\n" +
                             draft(kernel, invocation.paths.front()));
        break;
      }
    return none;
  }
  NP_ASSIGN(const std::string text, host::launchFileText(plans[0], source.string()));
  const auto folder = std::make_shared<TemporaryFolder>();
  const std::string path =
      folder->path() + "/" + plans[0].function.substr(plans[0].function.rfind(':') + 1) + ".launch.json";
  if (!(std::ofstream(path) << text)) return makeError("io", "cannot write to \"" + folder->path() + "\"");
  // A host function's name has chosen by now; its launches all belong to it.
  return LaunchFileChoice{path, folder, isFunction(plans[0], invocation.only) ? "" : invocation.only};
}

}  // namespace np::cli

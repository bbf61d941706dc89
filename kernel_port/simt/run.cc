// Running a case: objects, launches in order, and the account of what happened.

#include "kernel_port/simt/run.h"

#include <chrono>

#include "kernel_port/simt/arguments.h"
#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {

Result<std::unique_ptr<const Program>> compileProgram(const DeviceModule& source,
                                                      const std::vector<std::string>& names);  // compile.cc

Executor::Executor(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;
Executor::~Executor() = default;

Result<Executor> Executor::create(const DeviceModule& module, const std::vector<std::string>& kernels) {
  NP_ASSIGN(auto program, compileProgram(module, kernels));
  return Executor(std::move(program));
}

Result<RunResult> Executor::run(const launch::LaunchFile& file, const launch::CasePlan& plan,
                                std::vector<launch::HostBuffer>& buffers, const RunOptions& options) const {
  if (buffers.size() != plan.buffers.size())
    return makeError("arguments", "expected " + std::to_string(plan.buffers.size()) + " buffers", file.path);
  const auto start = std::chrono::steady_clock::now();
  RunResult result;
  Machine machine(*program_, options);
  NP_TRY(machine.addObjects(plan, buffers, result));
  std::vector<const KernelEntry*> launched;
  for (size_t k = 0; k < plan.launches.size() && !machine.stopped(); ++k) {
    const launch::LaunchPlan& launch = plan.launches[k];
    const std::string where = file.path + "#/launches/" + std::to_string(k);
    const KernelEntry* kernel = program_->findKernel(launch.kernel);
    if (!kernel) return makeError("no-kernel", "kernel \"" + launch.kernel + "\" does not exist", where + "/kernel");
    if (kernel->facts.max_threads != 0 &&
        launch.block[0] * launch.block[1] * launch.block[2] > static_cast<int64_t>(kernel->facts.max_threads))
      return makeError("arguments",
                       "the block is larger than the __launch_bounds__ of kernel \"" + launch.kernel + "\", " +
                           std::to_string(kernel->facts.max_threads) + " threads",
                       where + "/block");
    NP_ASSIGN(auto arguments,
              packArguments(*kernel, launch, plan, [&](int index) { return machine.bufferAddress(index); }, where));
    NP_TRY(machine.launch(*kernel, launch, arguments));
    if (std::find(launched.begin(), launched.end(), kernel) == launched.end()) launched.push_back(kernel);
  }
  result.steps = machine.steps();
  result.stopped = machine.stopped();
  result.defects = machine.takeDefects();
  result.printed = std::move(machine.printed());
  for (const KernelEntry* kernel : launched) {
    const Function& function = program_->functions[kernel->function];
    const auto& executed = machine.executed().at(kernel->function);
    for (size_t block = 0; block < function.blocks.size(); ++block)
      if (!executed[block])
        result.unexecuted.push_back({kernel->facts.name, program_->place(function.blocks[block].location)});
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace np::kernel_port::simt

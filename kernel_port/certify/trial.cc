// Data is made anew from its seed for every party: nobody can disturb another's inputs.

#include "kernel_port/certify/trial.h"

#include "kernel_port/certify/values.h"

namespace np::kernel_port::certify {

std::string Trial::text() const {
  std::string out;
  for (const auto& [size, value] : plan.sizes) out += (out.empty() ? "" : ", ") + size + " = " + std::to_string(value);
  return out + (out.empty() ? "" : ", ") + name(kind) + " data, seed " + std::to_string(seed);
}

Result<Trial> runSource(const launch::LaunchFile& file, const simt::Executor& executor,
                        const std::vector<std::int64_t>& sizes, DataKind kind, std::uint64_t seed,
                        const simt::RunOptions& options) {
  Trial out;
  out.kind = kind;
  out.seed = seed;
  NP_ASSIGN(out.plan, launch::planCase(file, sizes));
  NP_ASSIGN(out.inputs, makeData(file, out.plan, seed, kind));
  out.outputs = out.inputs;
  NP_ASSIGN(out.run, executor.run(file, out.plan, out.outputs, options));
  return out;
}

Result<void> evaluate(Trial& trial, const launch::LaunchFile& file, const spec::Spec& spec) {
  const spec::Inputs inputs = specInputs(file, trial.plan, trial.inputs);
  NP_ASSIGN(trial.exact, spec::boundSpec(spec, inputs));
  NP_ASSIGN(trial.native, spec::evaluateSpec(spec, inputs, spec::Precision::Native));
  return {};
}

}  // namespace np::kernel_port::certify

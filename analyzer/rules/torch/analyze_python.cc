// Runs the Python rules over one file.
//
// Two thirds of the files of real projects hold no word that any rule looks for; a search for those words lets them
// skip the parser. Rules that look at what others found run after them.

#include "analyzer/rules/torch/analyze_python.h"

#include <algorithm>
#include <array>

#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

constexpr std::array<Rule, 26> kRules = {cudaOrCpuChoice,
                                         hardCodedCudaDevice,
                                         cudaDeviceIndex,
                                         mapLocationCuda,
                                         cudaMethod,
                                         cudaAutocast,
                                         cudaCustomFunction,
                                         cudaGradScaler,
                                         cudaDeviceMesh,
                                         pinMemory,
                                         compileOptions,
                                         cudaString,
                                         cudaApiTable,
                                         cudaOnlyPackage,
                                         tritonKernel,
                                         ncclBackend,
                                         dataParallel,
                                         distributedDeviceIds,
                                         cudaVisibleDevices,
                                         cudaEnvironment,
                                         isCuda,
                                         cudaDeviceComparison,
                                         cudaAvailabilityGuard,
                                         cudaAvailabilityFlag,
                                         skipWithoutCuda,
                                         cudaAvailabilityQuery};

bool mayHoldFindings(std::string_view bytes, const PythonContext& context) {
  constexpr std::array<std::string_view, 13> kWords = {
      "cuda",   "CUDA",          "nccl",        "NCCL",         "CUBLAS",    "DataParallel", "pin_memory",
      "triton", "torch.compile", "neuron-port", "autocast_gpu", "emit_nvtx", "cudnn"};
  const auto holds = [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; };
  if (std::any_of(kWords.begin(), kWords.end(), holds)) return true;
  for (const auto& [module, package] : context.table.packages())
    if (holds(std::string_view(module).substr(module.rfind('.') + 1))) return true;
  return std::any_of(context.cuda_modules.begin(), context.cuda_modules.end(),
                     [&](const std::string& module) { return holds(module); });
}

}  // namespace

PythonResult analyzePython(const SourceText& text, const PythonContext& context) {
  PythonResult result;
  if (!mayHoldFindings(text.bytes(), context)) return result;
  Result<python::Module> parsed = python::Module::parse(text);
  if (!parsed.ok()) {
    result.skipped = parsed.error().message;
    return result;
  }
  const python::Module& module = *parsed;
  if (module.tree().hasError()) {
    const Position at = text.position(module.tree().firstError());
    result.partial = "syntax error in line " + std::to_string(at.line);
  }
  RuleInput input{module,
                  context.registry,
                  context.table,
                  context.target,
                  context.pin,
                  context.cuda_modules,
                  context.own_modules,
                  {},
                  {},
                  {}};
  input.uses = python::findApiUses(module);
  input.device_strings = python::findDeviceStrings(module);
  input.availability_tests = python::findAvailabilityTests(module);
  FileFindings found(input);
  for (Rule rule : kRules)
    if (!found.full()) rule(input, found);
  const bool cut = found.full() || input.device_strings.size() == python::kMostDeviceStrings ||
                   input.availability_tests.size() == python::kMostTests;
  if (cut && result.partial.empty()) result.partial = "more places than are looked at in one file";
  result.findings = std::move(found.all());
  for (const Finding& finding : result.findings) result.unknown_calls += finding.rule == "NPT3199";
  std::sort(result.findings.begin(), result.findings.end(), before);
  return result;
}

}  // namespace np::analyzer

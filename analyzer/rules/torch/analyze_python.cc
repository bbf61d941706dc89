// Runs the Python rules over one file.
//
// Two thirds of the files of real projects hold no word that any rule looks for; a search for those words and a quick
// check of their tokens let them skip the parser. Rules that look at what others found run after them.

#include "analyzer/rules/torch/analyze_python.h"

#include <algorithm>
#include <array>

#include "analyzer/python/quick_check.h"
#include "analyzer/python/strings.h"
#include "analyzer/python/word_search.h"
#include "analyzer/rules/torch/rules.h"
#include "analyzer/rules/torch/script_safety.h"

namespace np::analyzer {
namespace {

constexpr std::array<Rule, 44> kRules = {cudaOpRegistration,
                                         cudaOrCpuChoice,
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
                                         libraryOption,
                                         cudaFeatureProbe,
                                         cudaString,
                                         cudaApiTable,
                                         cudaOnlyPackage,
                                         cudaPackageUse,
                                         tritonKernel,
                                         ncclBackend,
                                         dataParallel,
                                         distributedDeviceIds,
                                         cudaVisibleDevices,
                                         cudaEnvironment,
                                         deviceNumber,
                                         cudaTypeString,
                                         cudaMethodOverride,
                                         cudaCommandLine,
                                         gpuTool,
                                         torchCudaImport,
                                         extensionImport,
                                         rankOrder,
                                         processStart,
                                         cudaProfilerKey,
                                         streamHandle,
                                         tensorInterop,
                                         gpuLauncher,
                                         hazards,
                                         isCuda,
                                         cudaDeviceComparison,
                                         cudaAvailabilityGuard,
                                         cudaAvailabilityFlag,
                                         skipWithoutCuda,
                                         cudaAvailabilityQuery};

// Words without which no rule has anything to say.
python::WordSearch triggerWords(const PythonContext& context) {
  const std::vector<std::string> anywhere = {
      "torch",       "cuda",       "CUDA",      "nccl",         "NCCL",       "CUBLAS",
      "neuron-port", "nvidia-smi", "nvcc",      "nsys",         "nvprof",     "--gpu",
      "fp16",        "cudnn",      "lightning", "transformers", "accelerate", "attn_implementation",
      "__global__",  "load_in_",   "Tensorrt",  "gpu_hist"};
  std::vector<std::string> whole = {"_C"};
  // An import names the whole path: of "faiss.GpuIndexFlatL2" the first part is enough, and the last may be a common
  // word.
  for (const auto& [module, package] : context.table.packages()) whole.push_back(module.substr(0, module.find('.')));
  for (const std::string& module : context.cuda_modules) whole.push_back(module.substr(module.rfind('.') + 1));
  return {anywhere, whole};
}

bool mayHoldFindings(std::string_view bytes, const PythonContext& context) {
  TriggerWords& words = *context.words;
  std::call_once(words.made, [&] { words.search = std::make_shared<const python::WordSearch>(triggerWords(context)); });
  return words.search->findsAny(bytes);
}

void sortNodes(RuleInput& input) {
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (tree.is(id, python::Kind::Call)) input.calls.push_back(id);
    if (tree.is(id, python::Kind::Attribute)) input.attributes.push_back(id);
    if (tree.is(id, python::Kind::KeywordArgument)) input.keywords.push_back(id);
    if (tree.is(id, python::Kind::String) && !python::isDocstring(input.module, id)) input.strings.push_back(id);
  }
  for (const python::ImportedModule& import : input.module.imports())
    if (import.path == "torch" || import.path.starts_with("torch.")) input.imports_torch = true;
}

}  // namespace

PythonResult analyzePython(const SourceText& text, const PythonContext& context) {
  PythonResult result;
  // A file without any of the words is parsed only when it looks broken: then it does not count as analysed.
  if (!mayHoldFindings(text.bytes(), context) && python::looksWellFormed(text.bytes())) return result;
  Result<python::Module> parsed = python::Module::parse(text, context.project);
  if (!parsed.ok()) {
    result.skipped = parsed.error().message;
    return result;
  }
  const python::Module& module = *parsed;
  if (module.tree().hasError()) {
    const Position at = text.position(module.tree().firstError());
    result.partial = "syntax error in line " + std::to_string(at.line);
  } else if (const auto fault = python::indentationFault(text.bytes())) {
    result.partial = "indentation error in line " + std::to_string(text.position(*fault).line);
  }
  RuleInput input{
      module,         context.registry,     context.table,       context.target,
      context.pin,    context.cuda_modules, context.own_modules, python::DeviceValues(module, context.project),
      context.project};
  sortNodes(input);
  input.uses = python::findApiUses(module);
  // `from .compat import torch` imports torch as well.
  for (const python::ApiUse& use : input.uses)
    input.imports_torch = input.imports_torch || use.name.starts_with("torch.");
  input.device_strings = python::findDeviceStrings(module);
  input.availability_tests = python::findAvailabilityTests(module);
  FileFindings found(input);
  for (Rule rule : kRules)
    if (!found.full()) rule(input, found);
  found.dropBlockedFixes();
  if (context.compiles_script || mentionsScript(text.bytes())) lowerFixesInFunctions(input, found);
  found.foldAdvice();
  const bool cut = found.full() || input.device_strings.size() == python::kMostDeviceStrings ||
                   input.availability_tests.size() == python::kMostTests;
  if (cut && result.partial.empty()) result.partial = "more places than are looked at in one file";
  result.findings = std::move(found.all());
  for (const Finding& finding : result.findings) result.unknown_calls += finding.rule == "NPT3199";
  std::sort(result.findings.begin(), result.findings.end(), before);
  return result;
}

}  // namespace np::analyzer

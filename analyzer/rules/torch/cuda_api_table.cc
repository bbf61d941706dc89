// NPT31xx: the rows of shims/tables/torch_cuda_api.json, one generic rule per category.
//
// A row with a fix replaces the callee when the call has exactly the arguments that mean the same in both. Where the
// CUDA call is harmless without CUDA but the accelerator form raises, the fix tests for an accelerator first:
//
//   torch.cuda.empty_cache()
//   torch.accelerator.memory.empty_cache() if torch.accelerator.is_available() else None
//
// Names of torch.cuda that no row knows are reported as NPT3199, so that coverage counts them.

#include <algorithm>

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::ApiUse;
using python::kNoNode;

std::string_view ruleOf(std::string_view category) {
  if (category == "device") return "NPT3101";
  if (category == "stream") return "NPT3102";
  if (category == "memory") return "NPT3103";
  if (category == "random") return "NPT3104";
  if (category == "backend") return "NPT3105";
  if (category == "profiler") return "NPT3106";
  if (category == "graph") return "NPT3107";
  if (category == "legacy-tensor") return "NPT3108";
  if (category == "amp") return "NPT3110";
  if (category == "compile") return "NPT3111";
  if (category == "interop") return "NPT3113";
  if (category == "extension") return "NPT3204";
  if (category == "dynamic-shape") return "NPT3301";
  if (category == "float64") return "NPT3303";
  if (category == "complex") return "NPT3304";
  if (category == "channels-last") return "NPT3306";
  if (category == "fallback") return "NPT3307";
  if (category == "float8") return "NPT3308";
  if (category == "collective") return "NPT4007";
  if (category == "distributed") return "NPT4008";
  return "NPT3109";
}

bool isCudaName(std::string_view name) {
  if (name.starts_with("torch._C._"))
    for (std::string_view word : {"cuda", "cudnn", "cublas", "nccl", "nvfuser", "fuse_on_gpu", "nvtx", "cusparse"})
      if (name.find(word) != std::string_view::npos) return true;
  return name.starts_with("torch.cuda.") || name == "torch.cuda" || name.starts_with("torch.backends.cuda.") ||
         name.starts_with("torch.backends.cudnn.");
}

std::string messageOf(const ApiRow& row) {
  if (row.category == "dynamic-shape" || row.category == "float64" || row.category == "complex" ||
      row.category == "fallback" || row.category == "channels-last" || row.category == "float8" ||
      row.category == "distributed")
    return row.note.empty() ? "has no counterpart on neuron" : row.note;
  if (row.fix) return "works on CUDA only; use \"" + row.accelerator + "\"";
  if (row.kind == "remove") return "has no effect or no meaning on neuron";
  if (row.kind == "behaviour-change")
    return "behaves differently on neuron" + (row.neuron.empty() ? "" : "; there: " + row.neuron);
  if (row.kind == "no-equivalent" || row.neuron.empty()) return "has no counterpart on neuron";
  return "works on CUDA only; on neuron: " + row.neuron;
}

bool keepsWrittenIndex(const RuleInput& input) {
  return std::any_of(input.device_strings.begin(), input.device_strings.end(), [&](const python::DeviceString& device) {
    return device.form == python::DeviceForm::Indexed && indexIsRead(input, device.node);
  });
}

// The fix as the row describes it; nothing when this call has other arguments.
void replaceCall(const RuleInput& input, const ApiUse& use, const ApiRow& row, Finding& finding) {
  const auto arguments = python::argumentsOf(input.module, use.call);
  if (arguments.size() != static_cast<std::size_t>(row.fix->arguments)) return;
  for (const python::Argument& argument : arguments)
    if (!argument.name.empty()) return;
  // `set_device(device.index)` where the device keeps its written index and so stays CUDA's.
  for (const python::Argument& argument : arguments)
    if (input.module.slice(argument.value).ends_with(".index") && keepsWrittenIndex(input)) return;
  const bool neuron = input.target == Target::Neuron;
  if (neuron && row.neuron.find_first_of(" (") != std::string::npos) return;
  const FixSafety safety =
      row.fix->safety == FixSafety::Safe && insideTry(input, use.call) ? FixSafety::Unsafe : row.fix->safety;
  FixBuilder fix(input, safety, "use " + (neuron ? row.neuron : row.accelerator));
  if (!neuron) fix.requireTorch(row.min_torch);
  const std::string& name = neuron ? row.neuron : row.accelerator;
  const std::string callee = fix.torchAt(use.node) + name.substr(name.find('.'));
  if (row.fix->absent.empty() || neuron) {
    fix.replace(use.node, callee);
  } else {
    const std::string guarded = callee + "() if " + fix.isAvailable(use.node) + " else " + row.fix->absent;
    fix.replace(use.call, parenthesizedFor(input, use.call, guarded));
  }
  std::move(fix).addTo(finding);
}

// `torch.cuda.random.manual_seed` is `torch.cuda.manual_seed` by its module: the table knows the short name.
std::string withoutModule(const ApiTable& table, const std::string& name) {
  for (std::string_view module :
       {"torch.cuda.random.", "torch.cuda.memory.", "torch.cuda.graphs.", "torch.cuda.streams."})
    if (name.starts_with(module) && !table.rows().contains(name)) {
      const std::string bare = "torch.cuda." + name.substr(module.size());
      if (table.rows().contains(bare)) return bare;
    }
  return name;
}

// `home = CUDA_HOME`, later `home + "/bin"`: the value was taken where the name was given.
bool isKeptValue(const RuleInput& input, const ApiUse& use) {
  const python::SyntaxTree& tree = input.module.tree();
  if (!use.name.starts_with("torch.version.") && use.name.find("_HOME") == std::string::npos) return false;
  python::NodeId base = use.node;
  while (tree.is(base, python::Kind::Attribute)) base = tree.child(base, python::Field::Object);
  const python::Symbol* symbol = tree.is(base, python::Kind::Identifier) ? input.module.symbolOf(base) : nullptr;
  return symbol && std::all_of(symbol->bindings.begin(), symbol->bindings.end(), [&](const python::Binding& binding) {
           const std::string value = input.module.qualifiedName(binding.value);
           return binding.kind == python::BindingKind::Assignment &&
                  (value == "torch.version.cuda" || value.ends_with("_HOME"));
         });
}

// cpp_extension.load also builds for the CPU: something in the call or in the file names CUDA sources or flags.
bool buildsForCuda(const RuleInput& input, python::NodeId call) {
  if (call != kNoNode) {
    const std::string text = textOf(input, call);
    if (text.find("cuda") != std::string::npos || text.find(".cu\"") != std::string::npos ||
        text.find(".cu'") != std::string::npos)
      return true;
  }
  return std::any_of(input.strings.begin(), input.strings.end(), [&](python::NodeId id) {
    const std::string text = textOf(input, id);
    return text.find(".cu\"") != std::string::npos || text.find(".cu'") != std::string::npos ||
           text.find("__global__") != std::string::npos;
  });
}

// A type that is compared or listed is not chosen. A call that names its device type speaks of that one; a build file
// is judged by the rules about builds.
bool speaksOfOtherDevice(const RuleInput& input, const ApiUse& use, const ApiRow& row) {
  const std::string& path = input.module.text().path();
  if (isKeptValue(input, use)) return true;
  if (row.category == "extension" && row.name.find(".load") != std::string::npos && !buildsForCuda(input, use.call))
    return true;
  const bool is_type = row.category == "float64" || row.category == "float8" || row.category == "complex" ||
                       row.category == "channels-last";
  if (is_type && use.call == kNoNode && !isChosen(input, use.node)) return true;
  // Where nothing tests for CUDA first, the rules about builds have an error to report (NPT5001).
  if (row.category == "extension" && use.name.ends_with(".CUDAExtension")) {
    const python::SyntaxTree& tree = input.module.tree();
    const bool guarded = tree.ancestor(use.node, python::Kind::ConditionalExpression) != kNoNode ||
                         tree.ancestor(use.node, python::Kind::IfStatement) != kNoNode;
    return !guarded && (path.ends_with("setup.py") || path.ends_with("build.py"));
  }
  // Sharding itself works; only together with torch.compile there is something to say.
  if (use.name.find("FullyShardedDataParallel") != std::string::npos)
    return use.call == kNoNode || use.name.find("FullyShardedDataParallel.") != std::string::npos ||
           std::none_of(input.uses.begin(), input.uses.end(),
                        [](const ApiUse& other) { return other.name == "torch.compile"; });
  if (row.category != "amp" && row.category != "random") return false;
  if (use.call == kNoNode) return false;
  for (const python::Argument& argument : python::argumentsOf(input.module, use.call))
    if (argument.name == "device_type" || input.module.tree().is(argument.value, python::Kind::String)) return true;
  return false;
}

// Streams of torch.accelerator and of torch.cuda are different types; a file uses one kind.
bool mixesStreams(const RuleInput& input) {
  return std::any_of(input.uses.begin(), input.uses.end(), [](const ApiUse& use) {
    for (std::string_view name :
         {"torch.cuda.Stream", "torch.cuda.stream", "torch.cuda.default_stream", "torch.cuda.ExternalStream",
          "torch.cuda.StreamContext", "torch.cuda.graph", "torch.cuda.CUDAGraph"})
      if (use.name == name) return true;
    return false;
  });
}

void tableRow(const RuleInput& input, const ApiUse& use, const ApiRow& row, FileFindings& out) {
  Finding& finding = out.add(ruleOf(row.category), use.node, use.name, messageOf(row));
  finding.severity = row.severity;
  finding.evidence = row.evidence;
  if (!row.note.empty() && finding.message != row.note) finding.notes.push_back(row.note);
  if (row.category == "stream" && mixesStreams(input)) {
    finding.notes.push_back("meets streams of torch.cuda in this file, which have no fix; change them together");
    return;
  }
  if (row.fix && use.call != kNoNode && withoutModule(input.table, use.name) == row.name)
    replaceCall(input, use, row, finding);
}

}  // namespace

void cudaApiTable(const RuleInput& input, FileFindings& out) {
  for (const ApiUse& use : input.uses) {
    if (out.full()) return;
    if (out.isClaimed(use.node) || use.name == "torch.cuda.is_available") continue;
    const std::string name = withoutModule(input.table, use.name);
    const ApiRow* row = input.table.find(name);
    if (row && speaksOfOtherDevice(input, use, *row)) continue;
    if (row) {
      tableRow(input, use, *row, out);
    } else if (isCudaName(use.name)) {
      out.add("NPT3199", use.node, use.name, "not in the table of CUDA names; see what it does on neuron");
    }
  }
}

}  // namespace np::analyzer

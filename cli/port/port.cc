// Order of work: analyse, copy, rewrite, translate op by op, write the stand-in modules, analyse the result, name the
// folder. Kernels are translated from the original sources; the copies in OUT are what CUDA builds keep using.

#include "cli/port/port.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "analyzer/base/report/report_json.h"
#include "cli/port/extension_module.h"
#include "cli/port/fix_rounds.h"
#include "cli/port/output_folder.h"
#include "cli/port/temporary.h"
#include "cli/version.h"
#include "kernel_port/host/host_plan.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;
namespace host = kernel_port::host;

// An op that Python can reach, with the host function behind it.
struct OpBinding {
  std::string op, python, schema;
  const analyzer::HostFunction* function = nullptr;
};

std::string lastPart(const std::string& name) {
  return name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
}

// "fused_block._C" → "fused_block/_C".
std::string modulePath(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return name;
}

Port notPlanned(const Error& error) {
  Port out;
  out.status = PortStatus::Unsupported;
  out.reason = PortReason{error.code, error.message, {}, error.notes.empty() ? "" : error.notes[0]};
  return out;
}

class Porter {
 public:
  Porter(const PortRequest& request, const analyzer::RuleRegistry& rules, const KernelClient& kernels,
         const ProgressFunction& progress)
      : request_(request), rules_(rules), kernels_(kernels), progress_(progress) {}

  Result<PortResult> run() {
    NP_ASSIGN(OutputFolder out, OutputFolder::create(request_.source_dir, request_.out_dir));
    progress_("analysing " + request_.source_dir);
    NP_ASSIGN(analyzer::Analysis analysis, analyzer::analyze(request_.analyze, rules_));
    NP_TRY(out.copyFrom(request_.source_dir));
    progress_("rewriting");
    original_ = analysis;
    NP_ASSIGN(FixResult fixed, fixInRounds(request_.analyze, std::move(analysis), rules_, {FixSafety::Unsafe}));
    for (const rewriter::FileChange& change : fixed.files) NP_TRY(out.write(change.path, change.after));
    result_.changes = std::move(fixed.files);
    result_.applied = std::move(fixed.applied);
    result_.left = std::move(fixed.left);
    result_.min_torch = fixed.min_torch;
    result_.analysis = std::move(fixed.after);
    NP_TRY(portExtensions(out));
    finishReport();
    NP_TRY(out.commit());
    result_.out_dir = request_.out_dir;
    return std::move(result_);
  }

 private:
  Result<void> portExtensions(OutputFolder& out) {
    const std::vector<OpBinding> bindings = opBindings();
    if (bindings.empty()) return {};
    // Which extension an op belongs to is told by the sources; with one extension there is no question.
    for (const analyzer::Extension& extension : original_.extensions) {
      if (extension.name.empty() || extension.kind == "CppExtension") continue;
      std::vector<OpBinding> own;
      for (const OpBinding& binding : bindings)
        if (original_.extensions.size() == 1 || belongsTo(binding, extension)) own.push_back(binding);
      if (!own.empty()) NP_TRY(portExtension(out, extension.name, own));
    }
    return {};
  }

  static bool belongsTo(const OpBinding& binding, const analyzer::Extension& extension) {
    const std::string& path = binding.function->where.path;
    return std::any_of(extension.sources.begin(), extension.sources.end(),
                       [&](const std::string& source) { return path == source || path.ends_with("/" + source); });
  }

  std::vector<OpBinding> opBindings() const {
    std::vector<OpBinding> out;
    for (const Binding& binding : original_.bindings) {
      const analyzer::HostFunction* function = hostFunction(binding.function);
      if (!function) continue;
      const bool pybind = binding.kind == "pybind11";
      OpBinding op{pybind ? "" : binding.name, pybind ? binding.name.substr(binding.name.rfind('.') + 1) : "",
                   binding.schema, function};
      const auto same =
          std::find_if(out.begin(), out.end(), [&](const OpBinding& o) { return o.function == function; });
      if (same == out.end())
        out.push_back(op);
      else {
        if (same->op.empty()) same->op = op.op;
        if (same->schema.empty()) same->schema = op.schema;
        if (same->python.empty()) same->python = op.python;
      }
    }
    return out;
  }

  const analyzer::HostFunction* hostFunction(const std::string& name) const {
    for (const analyzer::HostFunction& function : original_.host_functions)
      if (function.name == name || lastPart(function.name) == lastPart(name)) return &function;
    return nullptr;
  }

  Result<void> portExtension(OutputFolder& out, const std::string& extension, const std::vector<OpBinding>& bindings) {
    const std::string module = modulePath(extension) + ".py", package = modulePath(extension) + "_neuron";
    if (out.exists(module))
      return makeError("out-dir", "\"" + module + "\" exists already, and is the name of the compiled extension",
                       module);
    const std::string package_name =
        package.substr(package.rfind('/') == std::string::npos ? 0 : package.rfind('/') + 1);
    std::vector<ModuleOp> ops;
    plans_.reserve(plans_.size() + bindings.size());
    for (const OpBinding& binding : bindings) {
      NP_ASSIGN(ModuleOp op, portOp(out, extension, package, binding));
      ops.push_back(std::move(op));
    }
    NP_TRY(out.write(package + "/__init__.py",
                     "\"\"\"Kernels of " + extension + ", translated from CUDA by neuron-port.\"\"\"\n"));
    NP_TRY(out.write(module, extensionModuleText(extension, package_name, ops, kVersion)));
    result_.generated.push_back(module);
    result_.generated.push_back(package + "/__init__.py");
    return {};
  }

  Result<ModuleOp> portOp(OutputFolder& out, const std::string& extension, const std::string& package,
                          const OpBinding& binding) {
    PortedOp ported;
    std::string flat_extension = extension;
    std::replace(flat_extension.begin(), flat_extension.end(), '.', '_');
    ported.op = binding.op.empty() ? flat_extension + "::" + binding.python : binding.op;
    ported.function = binding.function->name;
    ModuleOp op{ported.op, binding.python, binding.schema, binding.function};
    progress_("translating " + ported.op);
    auto plan = host::planHost(*binding.function);
    if (plan.ok()) {
      NP_TRY(translate(out, package, *plan, *binding.function, ported, op));
    } else {
      ported.port = notPlanned(plan.error());
    }
    if (op.plan == nullptr)
      op.reason = ported.port.reason ? ported.port.reason->code + " " + ported.port.reason->message
                                     : toString(ported.port.status);
    recordKernels(*binding.function, ported.port);
    result_.ops.push_back(std::move(ported));
    return op;
  }

  Result<void> translate(OutputFolder& out, const std::string& package, host::HostPlan& plan,
                         const analyzer::HostFunction& function, PortedOp& ported, ModuleOp& op) {
    const std::string stem = lastPart(ported.op);
    const std::string source = (fs::path(original_.root) / function.where.path).string();
    const auto text = host::launchFileText(plan, function.where.path);
    if (!text.ok()) {
      ported.port = notPlanned(text.error());
      return {};
    }
    ported.launch_file = package + "/" + stem + ".launch.json";
    NP_TRY(out.write(ported.launch_file, *text));
    result_.generated.push_back(ported.launch_file);
    KernelRequest request;
    request.verb = "translate";
    request.source = source;
    request.launch_file = out.staging() + "/" + ported.launch_file;
    request.out_dir = out.staging() + "/" + package;
    request.origin = function.where.path;
    request.includes = includesFor(function.where.path);
    const auto reply = kernels_(request);
    if (!reply.ok()) {
      ported.port.status = reply.error().code == "cuda-compile" || reply.error().code == "unsupported"
                               ? PortStatus::Unsupported
                               : PortStatus::Failed;
      ported.port.reason = PortReason{reply.error().code, reply.error().text(), {}, ""};
      return {};
    }
    ported.port = reply->port;
    for (std::string& file : ported.port.files) {
      file = package + "/" + fs::path(file).filename().string();
      result_.generated.push_back(file);
    }
    if (ported.port.status != PortStatus::Translated) return {};
    plans_.push_back(std::make_unique<host::HostPlan>(std::move(plan)));
    op.plan = plans_.back().get();
    op.entry = reply->entry;
    for (const std::string& assumption : reply->port.assumptions)
      op.finite = op.finite || assumption.find("finite") != std::string::npos;
    op.kernel_module = stem + "_nki";
    return {};
  }

  std::vector<std::string> includesFor(const std::string& path) const {
    std::vector<std::string> out = {original_.root, (fs::path(original_.root) / path).parent_path().string()};
    for (const analyzer::Extension& extension : original_.extensions)
      for (const std::string& folder : extension.include_dirs)
        out.push_back((fs::path(original_.root) / folder).string());
    return out;
  }

  // A kernel has the worst outcome of the ops that launch it.
  void recordKernels(const analyzer::HostFunction& function, const Port& port) {
    for (Kernel& kernel : result_.analysis.report.kernels) {
      const bool launched = std::any_of(kernel.launches.begin(), kernel.launches.end(), [&](const Launch& launch) {
        return lastPart(launch.function) == lastPart(function.name);
      });
      if (!launched) continue;
      const bool worse = kernel.port.status == PortStatus::NotTried || port.status > kernel.port.status;
      if (worse) kernel.port = port;
    }
  }

  // An import of the compiled extension that now has a module of its own.
  bool importsPorted(const Finding& f) const {
    if (f.rule != "NPT3201") return false;
    return std::any_of(original_.extensions.begin(), original_.extensions.end(), [&](const analyzer::Extension& e) {
      return !e.name.empty() && (f.subject == e.name || f.message.find("\"" + e.name + "\"") != std::string::npos ||
                                 f.subject.starts_with(e.name + "."));
    });
  }

  // Findings in sources of an extension whose every op was translated need no work: Neuron never compiles them.
  void finishReport() {
    std::set<std::string> done;
    for (const PortedOp& op : result_.ops) {
      const analyzer::HostFunction* function = hostFunction(op.function);
      if (function && op.port.status == PortStatus::Translated) done.insert(function->where.path);
    }
    for (const PortedOp& op : result_.ops) {
      const analyzer::HostFunction* function = hostFunction(op.function);
      if (function && op.port.status != PortStatus::Translated) done.erase(function->where.path);
    }
    const bool all = !result_.ops.empty() &&
                     std::all_of(result_.ops.begin(), result_.ops.end(),
                                 [](const PortedOp& op) { return op.port.status == PortStatus::Translated; });
    auto& findings = result_.analysis.report.findings;
    std::erase_if(findings, [&](const Finding& f) {
      const bool cuda_source = f.rule.starts_with("NPT1") || f.rule.starts_with("NPT2");
      if (cuda_source) return done.contains(f.path) || all;
      return all && importsPorted(f);
    });
    for (const rewriter::FileChange& change : result_.changes)
      result_.analysis.report.changed_files.push_back(change.path);
    for (const std::string& path : result_.generated) result_.analysis.report.changed_files.push_back(path);
    result_.analysis.report.tool_version = kVersion;
    result_.analysis.report.target = kTarget;
  }

  const PortRequest& request_;
  const analyzer::RuleRegistry& rules_;
  const KernelClient& kernels_;
  const ProgressFunction& progress_;
  analyzer::Analysis original_;
  std::vector<std::unique_ptr<host::HostPlan>> plans_;
  PortResult result_;
};

}  // namespace

Result<PortResult> portProject(const PortRequest& request, const analyzer::RuleRegistry& rules,
                               const KernelClient& kernels, const ProgressFunction& progress) {
  return Porter(request, rules, kernels, progress).run();
}

}  // namespace np::cli

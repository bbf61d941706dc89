// NPT5001 cuda-extension, NPT5002 extension-built-at-run-time, NPT5003 fast-math-flag
//
// A CUDAExtension stops the installation where there is no CUDA. The fix keeps today's behaviour on CUDA machines and
// builds nothing elsewhere; the ported package then imports its NKI kernels instead. It is `unsafe` because an
// installation without CUDA that failed loudly now succeeds.

#include <algorithm>

#include "analyzer/python/calls.h"
#include "analyzer/python/module.h"
#include "analyzer/rules/cuda/build_rules.h"
#include "analyzer/rules/cuda/cuda_rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::Module;
using python::NodeId;

Finding& add(std::vector<Finding>& out, const RuleRegistry& registry, const char* rule, const SourceText& text,
             Range range, std::string subject, std::string message) {
  Finding finding = registry.make(rule);
  finding.subject = std::move(subject);
  finding.path = text.path();
  finding.range = range;
  finding.message = std::move(message);
  finding.locate(text);
  out.push_back(std::move(finding));
  return out.back();
}

// The value of `ext_modules=` around the call, when it is a list written out in the call of setup.
NodeId extensionList(const Module& module, NodeId call) {
  const python::SyntaxTree& tree = module.tree();
  const NodeId keyword = tree.ancestor(call, Kind::KeywordArgument);
  for (NodeId at = keyword; at != kNoNode; at = tree.ancestor(at, Kind::KeywordArgument)) {
    if (module.slice(tree.child(at, Field::Name)) != "ext_modules") continue;
    const NodeId value = tree.child(at, Field::Value);
    return tree.is(value, Kind::List) ? value : kNoNode;
  }
  return kNoNode;
}

void addFix(const Module& module, NodeId call, Finding& finding) {
  const NodeId list = extensionList(module, call);
  if (list == kNoNode || module.tree()[module.tree().statementOf(list)].has_error) return;
  // Other extensions in the list may be for the CPU: they must still be built.
  for (NodeId item : module.tree().children(list)) {
    const std::string callee = module.calleeName(item);
    if (!callee.ends_with(".CUDAExtension")) return;
  }
  if (module.lookup("CUDA_HOME", 0) && !module.lookup("CUDA_HOME", 0)->bindings.empty() &&
      module.lookup("CUDA_HOME", 0)->bindings[0].path != "torch.utils.cpp_extension.CUDA_HOME")
    return;
  Fix fix;
  fix.safety = FixSafety::Unsafe;
  fix.title = "build the extension only where CUDA is installed";
  fix.imports = {"from torch.utils.cpp_extension import CUDA_HOME"};
  const Offset end = module.tree()[list].range.end;
  fix.edits.push_back({module.text().path(), {end, end}, " if CUDA_HOME is not None else []"});
  finding.fixes.push_back(std::move(fix));
}

// True when the list is already conditional.
bool isGuarded(const Module& module, NodeId call) {
  const python::SyntaxTree& tree = module.tree();
  return tree.ancestor(call, Kind::ConditionalExpression) != kNoNode ||
         tree.ancestor(call, Kind::IfStatement) != kNoNode;
}

}  // namespace

Result<std::vector<Finding>> checkBuildFile(const SourceText& text, const RuleRegistry& registry) {
  NP_ASSIGN(const Module module, Module::parse(text));
  NP_ASSIGN(const BuildFile build, readBuildFile(text));
  std::vector<Finding> out;
  for (const Extension& extension : build.extensions) {
    const python::SyntaxTree& tree = module.tree();
    NodeId call = 0;
    while (call < tree.nodes().size() && !(tree.is(call, Kind::Call) && tree[call].range == extension.where.range))
      ++call;
    if (call >= tree.nodes().size()) continue;
    const Range callee = tree[tree.child(call, Field::Function)].range;
    const std::string name = extension.name.empty() ? "the extension" : "\"" + extension.name + "\"";
    if (extension.kind == "CUDAExtension" && !isGuarded(module, call)) {
      Finding& finding = add(out, registry, "NPT5001", text, callee, extension.kind,
                             name + " is compiled by nvcc; without CUDA the package cannot be installed");
      addFix(module, call, finding);
    }
    const bool has_cuda = std::any_of(extension.sources.begin(), extension.sources.end(),
                                      [](const std::string& source) { return source.ends_with(".cu"); });
    if (extension.kind == "load_inline" || (extension.kind == "load" && has_cuda))
      add(out, registry, "NPT5002", text, callee, extension.kind,
          name + " is compiled when the program runs; without CUDA the call raises");
    for (const std::string& flag : extension.flags)
      if (flag == "--use_fast_math" || flag == "-use_fast_math")
        add(out, registry, "NPT5003", text, callee, flag,
            "\"" + flag + "\" makes CUDA results less exact than those of the translated kernels; compare with it off");
  }
  BuildFindings findings(registry, module, out);
  for (const auto rule : {buildWithoutNeuron, nvccFlag, cudaRequiredBuild, nvccCall, cudaArchList, cudaVersionInBuild})
    rule(module, findings);
  std::stable_sort(out.begin(), out.end(), before);
  return out;
}

}  // namespace np::analyzer

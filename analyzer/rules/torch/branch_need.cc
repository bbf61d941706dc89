// A guard may be opened only when everything behind it works on Neuron. The evidence is what the other rules found
// there, and the names of what is imported and called: opening a guard wrongly turns a slow program into a crashing
// one, so any name that speaks of CUDA counts against it.

#include "analyzer/rules/torch/branch_need.h"

#include <algorithm>
#include <cctype>

#include "analyzer/rules/torch/places.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::kNoNode;
using python::NodeId;

bool speaksOfCuda(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"cuda", "triton", "nvidia", "cublas", "cudnn", "nvtx", "fused_kernel", "flash_attn", "apex"})
    if (text.find(word) != std::string::npos) return true;
  // `_C` and `name_ext` are what compiled extensions are called.
  return text == "_c" || text.starts_with("_c.") || text.ends_with("._c") || text.find("._c.") != std::string::npos ||
         text.ends_with("_ext") || text.find("_ext.") != std::string::npos;
}

// Hints that say somebody's code may need CUDA, as opposed to those about speed and about calls without effect.
bool hintMatters(std::string_view rule) {
  // A row of torch.cuda that does nothing useful may still raise where CUDA is absent.
  if (rule.starts_with("NPT310") && rule != "NPT3104" && rule != "NPT3105") return true;
  return rule == "NPT3005" || rule == "NPT3010" || rule == "NPT3016" || rule == "NPT3199" || rule.starts_with("NPT320");
}

// Names of packages whose code needs CUDA.
bool needsCudaPackage(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"triton", "apex", "bitsandbytes", "xformers", "flash_attn", "flash-attn", "megatron", "cupy",
                           "nvcc", "transformer_engine", "transformer engine", "tensorrt"})
    if (text.find(word) != std::string::npos) return true;
  return false;
}

// True for a file that imports a language for CUDA kernels, under whatever module it comes by.
bool holdsKernels(const RuleInput& input) {
  const auto is_language = [](std::string_view name) {
    return name == "triton" || name == "cupy" || name == "pycuda" || name == "tilelang" || name == "numba.cuda";
  };
  for (const python::ImportedModule& import : input.module.imports()) {
    if (is_language(import.path) || is_language(std::string_view(import.path).substr(0, import.path.find('.'))))
      return true;
    for (const std::string& name : import.names)
      if (name == "triton" || (import.path == "numba" && name == "cuda")) return true;
  }
  return false;
}

// Messages are no work: a branch that only prints needs nothing of the device.
bool onlyReports(std::string_view callee) {
  if (callee == "print" || callee == "warn" || callee == "warnings.warn") return true;
  const auto dot = callee.find('.');
  const std::string_view object = callee.substr(0, dot);
  return dot != std::string_view::npos &&
         (object == "logging" || object == "logger" || object == "log" || object == "_logger" || object == "LOG" ||
          object == "LOGGER" || object == "logger_");
}

// A class or constant of CUDA's own: "CUDAOpBuilder", "HAS_TRITON". A flag such as `use_cuda` is none.
bool namesCudaThing(std::string_view name) {
  const bool is_class = (name.starts_with("CUDA") || name.starts_with("Cuda")) && name.size() > 5 &&
                        std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return is_class || needsCudaPackage(lower);
}

class BranchJudge {
 public:
  BranchJudge(const RuleInput& input, FileFindings& found) : input_(input), found_(found) {}

  // What the condition names besides: `isinstance(self, CUDAOpBuilder)`, `_TRITON_AVAILABLE and …`, and what the
  // message of an assertion says that it needs.
  void judgeCondition(NodeId condition) {
    const python::SyntaxTree& tree = input_.module.tree();
    for (NodeId id = condition; id < tree[condition].subtree_end; ++id)
      if (tree.is(id, Kind::Identifier) && namesCudaThing(input_.module.slice(id))) raise(BranchNeed::CudaOnly, id);
    const NodeId parent = tree[condition].parent;
    if (tree.is(parent, Kind::AssertStatement) && needsCudaPackage(std::string(input_.module.slice(parent))))
      raise(BranchNeed::CudaOnly, parent);
  }

  void judge(NodeId branch) {
    if (branch == kNoNode) return;
    const python::SyntaxTree& tree = input_.module.tree();
    const std::int64_t nodes = tree[branch].subtree_end - branch;
    const auto findings = static_cast<std::int64_t>(found_.all().size());
    if (!found_.spend(nodes + findings + callsIn(branch) * findings)) return raise(BranchNeed::CudaOnly, branch);
    byFindings(branch);
    byNames(branch);
  }
  BranchReport report;

 private:
  void raise(BranchNeed need, NodeId at = kNoNode) {
    if (need == BranchNeed::CudaOnly && report.need != need) report.cuda_only = at;
    report.need = std::max(report.need, need);
  }

  std::int64_t callsIn(NodeId branch) const {
    const python::SyntaxTree& tree = input_.module.tree();
    std::int64_t count = 1;
    for (NodeId id = branch; id < tree[branch].subtree_end; ++id)
      count += tree.is(id, Kind::Call) || tree.is(id, Kind::Assignment);
    return count;
  }

  void byFindings(NodeId branch) {
    const Range range = input_.module.tree()[branch].range;
    for (const Finding& finding : found_.all()) {
      if (!range.contains(finding.range) || (finding.severity == Severity::Hint && !hintMatters(finding.rule)))
        continue;
      const auto usable = std::find_if(finding.fixes.begin(), finding.fixes.end(),
                                       [](const Fix& fix) { return fix.safety != FixSafety::Display; });
      if (usable == finding.fixes.end()) {
        raise(BranchNeed::CudaOnly, nodeAt(branch, finding.range));
      } else {
        raise(BranchNeed::WithFixes);
        report.fixes.push_back(&*usable);
      }
    }
  }

  NodeId nodeAt(NodeId branch, Range range) const {
    const python::SyntaxTree& tree = input_.module.tree();
    for (NodeId id = branch; id < tree[branch].subtree_end; ++id)
      if (tree[id].range == range) return id;
    return branch;
  }

  // True when a finding speaks about this place: then the finding decides.
  bool hasFinding(NodeId id) const {
    const Range range = input_.module.tree()[id].range;
    return std::any_of(found_.all().begin(), found_.all().end(), [&](const Finding& finding) {
      return range.contains(finding.range) || finding.range.contains(range);
    });
  }

  void byNames(NodeId branch) {
    const python::SyntaxTree& tree = input_.module.tree();
    for (NodeId id = branch; id < tree[branch].subtree_end; ++id) {
      switch (tree.kind(id)) {
        case Kind::ImportStatement:
        case Kind::ImportFromStatement:
          for (const python::ImportedModule& import : input_.module.imports())
            if (import.node == id) byImport(import);
          break;
        case Kind::Call: {
          const NodeId callee = tree.child(id, python::Field::Function);
          if (callee == kNoNode || tree.is(callee, Kind::Call)) break;
          if (tree.is(callee, Kind::Subscript)) raise(BranchNeed::CudaOnly, id);  // `kernel[grid](…)`
          const std::string name = input_.module.qualifiedName(callee);
          const bool speaks = speaksOfCuda(std::string(input_.module.slice(callee))) || speaksOfCuda(name);
          if (input_.table.package(name)) raise(BranchNeed::CudaOnly, id);
          if (onlyReports(std::string(input_.module.slice(callee)))) break;
          if (!name.starts_with("torch.") && speaks && !hasFinding(id)) raise(BranchNeed::CudaOnly, id);
          if (!hasFinding(callee)) raise(BranchNeed::Neutral);
          break;
        }
        case Kind::Assignment:
        case Kind::ReturnStatement:
        case Kind::RaiseStatement:
          if (!hasFinding(id)) raise(BranchNeed::Neutral);
          break;
        default:
          break;
      }
    }
  }

  void byImport(const python::ImportedModule& import) {
    raise(BranchNeed::Neutral);
    if (import.path == "torch" || import.path.starts_with("torch.")) return;
    bool cuda = namesModule(input_, import.path, input_.cuda_modules) || speaksOfCuda(import.path);
    for (const std::string& name : import.names)
      cuda = cuda || speaksOfCuda(name) ||
             namesModule(input_, import.path + (import.path.ends_with('.') ? "" : ".") + name, input_.cuda_modules);
    if (cuda) raise(BranchNeed::CudaOnly, import.node);
  }

  const RuleInput& input_;
  FileFindings& found_;
};

}  // namespace

BranchReport branchNeed(const RuleInput& input, FileFindings& found, const std::vector<NodeId>& branch,
                        NodeId condition) {
  BranchJudge judge(input, found);
  for (NodeId part : branch) judge.judge(part);
  const BranchNeed need = judge.report.need;
  // Which of the file's functions launch its kernels is not followed.
  if (judge.report.need != BranchNeed::Nothing && holdsKernels(input)) {
    judge.report.need = BranchNeed::CudaOnly;
    if (judge.report.cuda_only == kNoNode && !branch.empty()) judge.report.cuda_only = branch.front();
  }
  if (condition != kNoNode) {
    judge.judge(condition);
    judge.judgeCondition(condition);
  }
  // What the condition itself does is no reason to open the branch.
  if (judge.report.need != BranchNeed::CudaOnly) judge.report.need = need;
  return std::move(judge.report);
}

}  // namespace np::analyzer

// The changed texts are laid over the files for the next analysis. A round that changes nothing is the last.

#include "cli/port/fix_rounds.h"

#include <map>

namespace np::cli {
namespace {

// Build files decide how C++ is parsed, so they count as C++ here.
bool onlyPython(const std::map<std::string, std::string>& changed) {
  for (const auto& [path, text] : changed)
    if (!path.ends_with(".py") || path.ends_with("setup.py") || path.ends_with("build.py")) return false;
  return true;
}

}  // namespace

Result<FixResult> fixInRounds(const analyzer::AnalyzeRequest& request, analyzer::Analysis first,
                              const analyzer::RuleRegistry& rules, const rewriter::PlanOptions& options,
                              int max_rounds) {
  FixResult out;
  out.after = std::move(first);
  std::map<std::string, std::string> before, after;
  for (int round = 0; round < max_rounds; ++round) {
    const auto texts = [&](const std::string& path) -> const SourceText* {
      const auto it = out.after.texts.find(path);
      return it == out.after.texts.end() ? nullptr : &it->second;
    };
    rewriter::Plan plan = rewriter::planFixes(out.after.report.findings, texts, options);
    out.left = std::move(plan.left);
    if (plan.files.empty()) break;
    for (rewriter::FileChange& change : plan.files) {
      before.emplace(change.path, change.before);
      after[change.path] = std::move(change.after);
    }
    out.applied.insert(out.applied.end(), plan.applied.begin(), plan.applied.end());
    if (rewriter::isOlder(out.min_torch, plan.min_torch)) out.min_torch = plan.min_torch;
    analyzer::AnalyzeRequest next = request;
    for (const auto& [path, text] : after) next.overlay[path] = text;
    if (onlyPython(after)) next.known_cuda = out.after.cuda;
    NP_ASSIGN(out.after, analyzer::analyze(next, rules));
  }
  for (const auto& [path, text] : after)
    if (before[path] != text) out.files.push_back({path, before[path], text});
  return out;
}

}  // namespace np::cli

// The fixes are planned in rounds on texts, then written together. Findings whose fix stays out carry the reason as a
// note, so that every report format has it; the summary on standard error names the most important places.

#include "cli/commands/fix.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>

#include "cli/commands/commands.h"
#include "cli/commands/nested_config.h"
#include "cli/commands/project_root.h"
#include "cli/commands/report_output.h"
#include "cli/output/places.h"
#include "cli/port/fix_rounds.h"
#include "cli/version.h"
#include "rewriter/apply/apply.h"
#include "rewriter/apply/diff.h"
#include "rewriter/apply/files.h"
#include "rewriter/apply/work_tree.h"

namespace np::cli {
namespace {

constexpr std::size_t kPlacesShown = 5;

std::string place(const rewriter::LeftOver& left) {
  return left.path + ":" + std::to_string(left.start.line) + ":" + std::to_string(left.start.column);
}

// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_./-+:@").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !word.empty()) return word.starts_with("-") ? "./" + word : word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string undoCommand(const Invocation& invocation) {
  std::string out = "neuron-port fix --undo";
  for (const std::string& path : invocation.paths) out += " " + quoted(path);
  return out;
}

void printStayed(const std::vector<rewriter::LeftOver>& left) {
  std::map<std::string, std::vector<const rewriter::LeftOver*>> by_reason;
  for (const rewriter::LeftOver& one : left) by_reason[one.reason].push_back(&one);
  for (const auto& [reason, places] : by_reason) {
    std::fprintf(stderr, "stayed: %s: %s\n", counted(places.size(), "finding").c_str(), printable(reason).c_str());
    if (!places[0]->has_fix) continue;
    for (std::size_t i = 0; i < std::min(places.size(), kPlacesShown); ++i)
      std::fprintf(stderr, "  %s %s\n", printable(place(*places[i])).c_str(), places[i]->rule.c_str());
    if (places.size() > kPlacesShown) std::fprintf(stderr, "  and %zu more\n", places.size() - kPlacesShown);
  }
}

// Files changed, what stayed and why, the new minimum torch, and what to run now.
void printFixSummary(const FixResult& result, const Invocation& invocation, bool written) {
  for (const rewriter::FileChange& change : result.files) {
    std::size_t count = 0;
    for (const rewriter::AppliedFix& fix : result.applied) count += fix.path == change.path ? 1 : 0;
    std::fprintf(stderr, "%s %s (%s)\n", written ? "fixed" : "would fix", printable(change.path).c_str(),
                 counted(count, "place").c_str());
  }
  printStayed(result.left);
  if (!result.min_torch.empty())
    std::fprintf(stderr, "the changed code needs torch %s or newer\n", result.min_torch.c_str());
  if (result.files.empty())
    std::fprintf(stderr, "nothing to fix\n");
  else if (written)
    std::fprintf(stderr, "test with: neuron-port run -- python -m pytest   (take back with: %s)\n",
                 printable(undoCommand(invocation)).c_str());
}

void noteWhyLeft(std::vector<Finding>& findings, const std::vector<rewriter::LeftOver>& left) {
  std::map<std::tuple<std::string, std::string, Offset>, std::string> reasons;
  for (const rewriter::LeftOver& one : left)
    if (one.has_fix) reasons[{one.path, one.rule, one.start.offset}] = one.reason;
  for (Finding& finding : findings) {
    const auto found = reasons.find({finding.path, finding.rule, finding.start.offset});
    if (found == reasons.end() || finding.fixes.empty()) continue;
    finding.notes.push_back("fix not made: " + found->second);
  }
}

// The root's configuration and, where none was given by hand, those below it: each promises for its own files.
Result<analyzer::ConfigTree> configs(const analyzer::AnalyzeRequest& request, const analyzer::Analysis& analysis,
                                     const Invocation& invocation) {
  analyzer::Config at_root;
  at_root.min_torch = request.min_torch;
  std::vector<std::string> paths;
  if (!invocation.isolated && invocation.config.empty())
    for (const auto& [path, text] : analysis.texts) paths.push_back(path);
  return configsAbove(analysis.root, paths, std::move(at_root));
}

rewriter::PlanOptions planOptions(const analyzer::AnalyzeRequest& request, const std::string& root,
                                  const Invocation& invocation, const analyzer::ConfigTree& configs) {
  rewriter::PlanOptions out;
  out.highest = invocation.unsafe_fixes ? FixSafety::Unsafe : FixSafety::Safe;
  out.promised_torch = [&configs](const std::string& path) { return configs.configFor(path).min_torch; };
  if (request.overlay.empty())
    out.locked = [root](const std::string& path) { return rewriter::whyNotReplaceable(root, path); };
  return out;
}

Result<void> mayWrite(const std::string& root, const Invocation& invocation) {
  if (invocation.paths.size() > 1 && std::filesystem::path(root) == std::filesystem::path(root).root_path())
    return makeError("no-project", "\"" + invocation.paths.front() + "\" and \"" + invocation.paths.back() +
                                       "\" have no folder in common; fix them one after the other");
  if (!invocation.allow_dirty && rewriter::hasUncommittedChanges(root))
    return makeError("dirty", "\"" + root + "\" has uncommitted changes; commit or stash them, or pass --allow-dirty");
  return {};
}

}  // namespace

Result<int> fixProject(const analyzer::AnalyzeRequest& request, analyzer::Analysis analysis,
                       const Invocation& invocation, const analyzer::RuleRegistry& rules) {
  const std::string root = analysis.root;
  if (!invocation.diff) NP_TRY(mayWrite(root, invocation));
  NP_ASSIGN(const analyzer::ConfigTree nested, configs(request, analysis, invocation));
  const rewriter::PlanOptions options = planOptions(request, root, invocation, nested);
  NP_ASSIGN(FixResult result, fixInRounds(request, std::move(analysis), rules, options));
  if (invocation.diff) {
    for (const rewriter::FileChange& change : result.files)
      std::fputs(rewriter::unifiedDiff(change.path, change.before, change.after).c_str(), stdout);
    printFixSummary(result, invocation, false);
    return result.files.empty() || invocation.exit_zero ? kDone : kFindings;
  }
  std::vector<rewriter::NewText> texts;
  for (const rewriter::FileChange& change : result.files) texts.push_back({change.path, change.before, change.after});
  NP_TRY(rewriter::applyTexts(root, texts));
  Report& report = result.after.report;
  report.tool_version = kVersion;
  report.target = kTarget;
  for (const rewriter::FileChange& change : result.files) report.changed_files.push_back(change.path);
  noteWhyLeft(report.findings, result.left);
  NP_TRY(writeReport(result.after, invocation, rules));
  std::fflush(stdout);
  printFixSummary(result, invocation, true);
  return exitCodeFor(report, invocation);
}

int undoFix(const Invocation& invocation) {
  const auto undone = rewriter::undoTexts(projectRoot(invocation.paths));
  if (!undone.ok()) {
    std::fprintf(stderr, "neuron-port: %s\n", undone.error().text().c_str());
    return kUsage;
  }
  for (const std::string& path : *undone) std::fprintf(stderr, "restored %s\n", printable(path).c_str());
  return kDone;
}

}  // namespace np::cli

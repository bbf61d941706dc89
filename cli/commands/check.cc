// check and fix: analyse, report, and write the fixes that were asked for.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "analyzer/api/rules.h"
#include "cli/commands/commands.h"
#include "cli/commands/project_request.h"
#include "cli/commands/report_output.h"
#include "cli/output/places.h"
#include "cli/port/fix_rounds.h"
#include "cli/term/progress.h"
#include "cli/version.h"
#include "rewriter/apply/apply.h"
#include "rewriter/apply/diff.h"

namespace np::cli {
namespace {

int fail(const Error& error, int code = kUsage) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return code;
}

int undo(const Invocation& invocation) {
  const std::string root = analyzer::findProjectRoot(invocation.paths.empty() ? "." : invocation.paths[0]);
  const auto undone = rewriter::undoTexts(root);
  if (!undone.ok()) return fail(undone.error());
  for (const std::string& path : *undone) std::fprintf(stderr, "restored %s\n", path.c_str());
  return kDone;
}

// Files changed, what stayed and why, the new minimum torch, and what to run now.
void printFixSummary(const FixResult& result, bool written) {
  for (const rewriter::FileChange& change : result.files) {
    std::size_t count = 0;
    for (const rewriter::AppliedFix& fix : result.applied) count += fix.path == change.path ? 1 : 0;
    std::fprintf(stderr, "%s %s (%s)\n", written ? "fixed" : "would fix", change.path.c_str(),
                 counted(count, "place").c_str());
  }
  std::map<std::string, std::size_t> reasons;
  for (const rewriter::LeftOver& left : result.left) ++reasons[left.reason];
  for (const auto& [reason, count] : reasons)
    std::fprintf(stderr, "stayed: %s: %s\n", counted(count, "finding").c_str(), reason.c_str());
  if (!result.min_torch.empty())
    std::fprintf(stderr, "the changed code needs torch %s or newer\n", result.min_torch.c_str());
  if (result.files.empty())
    std::fprintf(stderr, "nothing to fix\n");
  else if (written)
    std::fprintf(stderr, "test with: neuron-port run -- python -m pytest   (take back with: neuron-port fix --undo)\n");
}

Result<int> fixProject(const analyzer::AnalyzeRequest& request, analyzer::Analysis analysis, Invocation& invocation,
                       const analyzer::RuleRegistry& rules) {
  const std::string root = analysis.root;
  if (!invocation.diff && !invocation.allow_dirty && rewriter::hasUncommittedChanges(root))
    return makeError("dirty", "\"" + root + "\" has uncommitted changes; commit or stash them, or pass --allow-dirty");
  const FixSafety highest = invocation.unsafe_fixes ? FixSafety::Unsafe : FixSafety::Safe;
  NP_ASSIGN(FixResult result, fixInRounds(request, std::move(analysis), rules, highest));
  if (invocation.diff) {
    for (const rewriter::FileChange& change : result.files)
      std::fputs(rewriter::unifiedDiff(change.path, change.before, change.after).c_str(), stdout);
    printFixSummary(result, false);
    return result.files.empty() || invocation.exit_zero ? kDone : kFindings;
  }
  std::vector<rewriter::NewText> texts;
  for (const rewriter::FileChange& change : result.files) texts.push_back({change.path, change.before, change.after});
  NP_TRY(rewriter::applyTexts(root, texts));
  result.after.report.tool_version = kVersion;
  result.after.report.target = kTarget;
  for (const rewriter::FileChange& change : result.files) result.after.report.changed_files.push_back(change.path);
  NP_TRY(writeReport(result.after, invocation, rules));
  std::fflush(stdout);
  printFixSummary(result, true);
  return exitCodeFor(result.after.report, invocation);
}

// In a folder a file that cannot be read is a gap in coverage. When only files were named and none could be read, the
// question itself was wrong.
Result<void> someFileWasRead(const Invocation& invocation, const Coverage& coverage) {
  std::error_code ec;
  const auto is_file = [&](const std::string& path) { return std::filesystem::is_regular_file(path, ec); };
  const bool files_only =
      !invocation.paths.empty() && std::all_of(invocation.paths.begin(), invocation.paths.end(), is_file);
  if (!files_only || coverage.skipped.empty() || coverage.skipped.size() != coverage.files) return {};
  const SkippedFile& first = coverage.skipped.front();
  Error error = makeError("not-analysed", "cannot analyse \"" + first.path + "\": " + first.reason);
  for (std::size_t i = 1; i < coverage.skipped.size(); ++i)
    error.notes.push_back("nor \"" + coverage.skipped[i].path + "\": " + coverage.skipped[i].reason);
  return error;
}

}  // namespace

int runCheck(const Invocation& given) {
  Invocation invocation = given;
  if (invocation.undo) return undo(invocation);
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return fail(rules.error(), kInternal);
  const auto request = projectRequest(invocation);
  if (!request.ok()) return fail(request.error());
  Progress progress(detectTerminal(2));
  progress.show("analysing " + request->root);
  auto analysis = analyzer::analyze(*request, *rules);
  progress.clear();
  if (!analysis.ok()) return fail(analysis.error());
  if (const auto read = someFileWasRead(invocation, analysis->report.coverage); !read.ok()) return fail(read.error());
  analysis->report.tool_version = kVersion;
  analysis->report.target = kTarget;
  if (invocation.fix || invocation.verb == "fix" || invocation.diff) {
    const bool from_stdin = !request->overlay.empty();
    if (from_stdin && !invocation.diff)
      return fail(makeError("usage", "standard input cannot be fixed in place; use --diff"));
    const auto code = fixProject(*request, std::move(*analysis), invocation, *rules);
    return code.ok() ? *code : fail(code.error());
  }
  const auto written = writeReport(*analysis, invocation, *rules);
  return written.ok() ? exitCodeFor(analysis->report, invocation) : fail(written.error());
}

}  // namespace np::cli

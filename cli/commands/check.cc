// check and fix: analyse and report; fix.cc writes the fixes that were asked for.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "analyzer/api/rules.h"
#include "cli/commands/baseline.h"
#include "cli/commands/cache_folder.h"
#include "cli/commands/commands.h"
#include "cli/commands/fix.h"
#include "cli/commands/project_request.h"
#include "cli/commands/report_output.h"
#include "cli/output/places.h"
#include "cli/term/progress.h"
#include "cli/version.h"

namespace np::cli {
namespace {

int fail(const Error& error, int code = kUsage) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return code;
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

// The findings of the baseline; how many there were.
std::size_t leaveOut(const Baseline& baseline, std::vector<Finding>& findings) {
  return std::erase_if(findings, [&](const Finding& finding) { return baseline.contains(finding); });
}

}  // namespace

int runCheck(const Invocation& given) {
  Invocation invocation = given;
  if (invocation.undo) return undoFix(invocation);
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return fail(rules.error(), kInternal);
  auto request = projectRequest(invocation);
  if (!request.ok()) return fail(request.error());
  const bool fixes = invocation.fix || invocation.verb == "fix" || invocation.diff;
  if (!invocation.isolated && !fixes) {
    request->cache_folder = resultCacheFolder(request->root);
    request->cache_key = resultCacheKey();
    for (const std::string& path : request->walk.paths) request->cache_key += "\n" + path;
  }
  std::optional<Baseline> baseline;
  if (!invocation.baseline.empty()) {
    if (fixes) return fail(makeError("usage", "--baseline goes with check, not with fixes"));
    auto read = Baseline::read(invocation.baseline);
    if (!read.ok()) return fail(read.error());
    baseline = std::move(*read);
  }
  Progress progress(detectTerminal(2));
  progress.show("analysing " + request->root);
  auto analysis = analyzer::analyze(*request, *rules);
  progress.clear();
  if (!analysis.ok()) return fail(analysis.error());
  if (const auto read = someFileWasRead(invocation, analysis->report.coverage); !read.ok()) return fail(read.error());
  analysis->report.tool_version = kVersion;
  analysis->report.target = kTarget;
  if (fixes) {
    const bool from_stdin = !request->overlay.empty();
    if (from_stdin && !invocation.diff)
      return fail(makeError("usage", "standard input cannot be fixed in place; use --diff"));
    const auto code = fixProject(*request, std::move(*analysis), invocation, *rules);
    return code.ok() ? *code : fail(code.error());
  }
  const std::size_t known = baseline ? leaveOut(*baseline, analysis->report.findings) : 0;
  const auto written = writeReport(*analysis, invocation, *rules);
  if (baseline && written.ok()) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s of the baseline left out\n", counted(known, "finding").c_str());
  }
  return written.ok() ? exitCodeFor(analysis->report, invocation) : fail(written.error());
}

}  // namespace np::cli

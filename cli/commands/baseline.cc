// baseline create, update, prune. update and prune touch only entries of files that were looked at or are gone, so that
// a run over one folder leaves the rest alone.

#include "cli/commands/baseline.h"

#include <cstdio>
#include <filesystem>

#include "analyzer/api/rules.h"
#include "cli/commands/commands.h"
#include "cli/commands/project_request.h"
#include "cli/commands/report_output.h"
#include "cli/output/places.h"
#include "cli/term/progress.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;

int fail(const Error& error, int code = kUsage) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return code;
}

Result<Baseline> updated(const std::string& verb, const std::string& file, const analyzer::Analysis& analysis) {
  Baseline today = Baseline::of(analysis.report.findings);
  if (verb == "create") return today;
  NP_ASSIGN(Baseline out, Baseline::read(file));
  const Baseline before = out;
  std::error_code ec;
  out.retain([&](const BaselineEntry& entry) {
    const bool looked_at = analysis.texts.contains(entry.path) || !fs::exists(fs::path(analysis.root) / entry.path, ec);
    Finding same;
    same.path = entry.path, same.rule = entry.rule, same.fingerprint = entry.fingerprint;
    return !looked_at || today.contains(same);
  });
  if (verb == "update") out.add(today);
  return out;
}

}  // namespace

int runBaseline(const Invocation& given) {
  Invocation invocation = given;
  const std::string verb = invocation.verb.substr(invocation.verb.find(' ') + 1);
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return fail(rules.error(), kInternal);
  const auto request = projectRequest(invocation);
  if (!request.ok()) return fail(request.error());
  const std::string file =
      invocation.baseline.empty() ? request->root + "/neuron-port-baseline.json" : invocation.baseline;
  std::error_code ec;
  if (verb == "create" && fs::exists(file, ec))
    return fail(makeError("exists", "\"" + file + "\" exists already; neuron-port baseline update renews it"));
  std::size_t before = 0;
  if (verb != "create") {
    const auto old = Baseline::read(file);
    if (!old.ok()) return fail(old.error());
    before = old->size();
  }
  Progress progress(detectTerminal(2));
  progress.show("analysing " + request->root);
  const auto analysis = analyzer::analyze(*request, *rules);
  progress.clear();
  if (!analysis.ok()) return fail(analysis.error());
  const auto baseline = updated(verb, file, *analysis);
  if (!baseline.ok()) return fail(baseline.error());
  if (const auto written = writeWhole(file, baseline->text()); !written.ok()) return fail(written.error());
  std::fprintf(stderr, "wrote %s: %s", file.c_str(), counted(baseline->size(), "finding").c_str());
  if (verb != "create") std::fprintf(stderr, ", before %zu", before);
  std::fprintf(stderr, "\nuse it with: neuron-port check --baseline %s\n", file.c_str());
  return kDone;
}

}  // namespace np::cli

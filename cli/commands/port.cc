// port: prints what portProject did: findings, the diff in counts, each op with its gates, the tests.

#include "cli/port/port.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "analyzer/api/rules.h"
#include "cli/commands/commands.h"
#include "cli/commands/project_request.h"
#include "cli/commands/report_output.h"
#include "cli/output/places.h"
#include "cli/port/git_branch.h"
#include "cli/port/kernel_client.h"
#include "cli/port/temporary.h"
#include "cli/port/validate.h"
#include "cli/term/progress.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;

int fail(const Error& error, int code = kUsage) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return code;
}

void printOps(const PortResult& result, const Terminal& terminal) {
  for (const PortedOp& op : result.ops) {
    const bool good = op.port.status == PortStatus::Translated;
    std::size_t passed = 0;
    for (const Gate& gate : op.port.gates) passed += gate.passed ? 1 : 0;
    std::fprintf(stderr, "  %s %s",
                 terminal.paint(good ? Style::Green : Style::Yellow, toString(op.port.status)).c_str(), op.op.c_str());
    if (!op.port.gates.empty()) std::fprintf(stderr, ", %zu of %zu gates passed", passed, op.port.gates.size());
    if (op.port.reason) std::fprintf(stderr, ": %s %s", op.port.reason->code.c_str(), op.port.reason->message.c_str());
    std::fprintf(stderr, "\n");
    if (op.port.reason && !op.port.reason->advice.empty())
      std::fprintf(stderr, "    advice: %s\n", op.port.reason->advice.c_str());
  }
}

void printSummary(const PortResult& result, const Terminal& terminal) {
  std::map<std::string, std::size_t> by_file;
  for (const rewriter::AppliedFix& fix : result.applied) ++by_file[fix.path];
  std::fprintf(stderr, "%s: %s in %s\n", terminal.paint(Style::Bold, "Rewritten").c_str(),
               counted(result.applied.size(), "place").c_str(), counted(by_file.size(), "file").c_str());
  for (const auto& [path, count] : by_file) std::fprintf(stderr, "  %s (%zu)\n", path.c_str(), count);
  if (!result.min_torch.empty())
    std::fprintf(stderr, "  the ported code needs torch %s or newer\n", result.min_torch.c_str());
  if (!result.ops.empty())
    std::fprintf(stderr, "%s: %s\n", terminal.paint(Style::Bold, "Kernels").c_str(),
                 counted(result.ops.size(), "op").c_str());
  printOps(result, terminal);
}

int exitCode(const PortResult& result, const Invocation& invocation) {
  bool failed = false, open = false;
  for (const PortedOp& op : result.ops) {
    failed |= op.port.status == PortStatus::Failed;
    open |= op.port.status != PortStatus::Translated;
  }
  if (failed) return kInternal;
  const auto& validation = result.analysis.report.validation;
  if (validation && (validation->failed > 0 || validation->passed == 0)) return kFindings;
  if (open && !invocation.exit_zero) return kFindings;
  return exitCodeFor(result.analysis.report, invocation);
}

// The report inside the ported tree: JSON for programs, HTML for people.
Result<void> writeReports(const analyzer::Analysis& analysis, const std::string& folder,
                          const analyzer::RuleRegistry& rules) {
  Invocation inside;
  inside.outputs = {{"json", folder + "/neuron-port-report.json"}, {"html", folder + "/neuron-port-report.html"}};
  return writeReport(analysis, inside, rules);
}

std::string bytesOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What is rewritten, then what is new, so that each commit can be reviewed for itself.
std::vector<CommitStep> stepsOf(const PortResult& result) {
  CommitStep rewritten{"Rewrite device calls for Trainium with neuron-port", {}};
  CommitStep added{"Add kernels translated to NKI by neuron-port", {}};
  for (const rewriter::FileChange& change : result.changes)
    rewritten.files.push_back({change.path, change.after, change.before});
  for (const std::string& path : result.generated)
    added.files.push_back({path, bytesOf(result.out_dir + "/" + path), ""});
  return {rewritten, added};
}

}  // namespace

int runPort(const Invocation& given) {
  Invocation invocation = given;
  std::error_code ec;
  const std::string source = invocation.paths.front();
  if (!fs::is_directory(source, ec)) return fail(makeError("not-found", "no such folder \"" + source + "\""));
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return fail(rules.error(), kInternal);
  auto analyze = projectRequest(invocation);
  if (!analyze.ok()) return fail(analyze.error());
  analyze->root = fs::canonical(source, ec).string();
  analyze->walk.paths = {analyze->root};
  // With a branch the ported tree is only a step on the way.
  std::optional<TemporaryFolder> temporary;
  if (!invocation.git_branch.empty()) {
    if (const auto may = mayBranch(analyze->root, invocation.git_branch); !may.ok()) return fail(may.error());
    temporary.emplace();
    invocation.out_dir = temporary->path() + "/port";
  }
  Progress progress(detectTerminal(2));
  const PortRequest request{std::move(*analyze), source, invocation.out_dir};
  auto result = portProject(request, *rules, askKernel, [&](const std::string& what) { progress.show(what); });
  progress.clear();
  if (!result.ok()) return fail(result.error());
  const Terminal terminal = detectTerminal(2);
  printSummary(*result, terminal);
  if (invocation.validate) {
    progress.show("running the project's tests on neuron");
    auto validation = validatePort(invocation.out_dir, invocation.test_command);
    progress.clear();
    if (!validation.ok()) {
      if (temporary) return fail(validation.error(), kFindings);
      const auto written = writeReports(result->analysis, invocation.out_dir, *rules);
      if (!written.ok()) fail(written.error());
      return fail(validation.error(), kFindings);
    }
    if (validation->failed > 0) std::fprintf(stderr, "%s\n", validation->log.c_str());
    result->analysis.report.validation = std::move(*validation);
  }
  if (temporary) {
    const auto commits = commitSteps(fs::canonical(source, ec).string(), invocation.git_branch, stepsOf(*result));
    if (!commits.ok()) return fail(commits.error());
    if (const auto written = writeReport(result->analysis, invocation, *rules); !written.ok())
      return fail(written.error());
    std::fflush(stdout);
    std::fprintf(stderr, "made branch %s with %s; the work tree is as it was\n", invocation.git_branch.c_str(),
                 counted(*commits, "commit").c_str());
    return exitCode(*result, invocation);
  }
  if (const auto written = writeReports(result->analysis, invocation.out_dir, *rules); !written.ok())
    return fail(written.error());
  if (const auto written = writeReport(result->analysis, invocation, *rules); !written.ok())
    return fail(written.error());
  std::fprintf(stderr, "wrote %s (report: %s/neuron-port-report.html)\n", invocation.out_dir.c_str(),
               invocation.out_dir.c_str());
  return exitCode(*result, invocation);
}

}  // namespace np::cli

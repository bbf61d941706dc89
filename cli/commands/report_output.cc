// One writer a format; files are written whole or not at all.

#include "cli/commands/report_output.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "analyzer/base/report/report_json.h"
#include "cli/output/output.h"

namespace np::cli {
namespace {

std::string rendered(const std::string& format, const Report& report, const OutputContext& context) {
  if (format == "full") return writeFull(report, context);
  if (format == "concise") return writeConcise(report);
  if (format == "json") return reportToJson(report);
  if (format == "jsonl") return findingsToJsonLines(report);
  if (format == "sarif") return writeSarif(report, context);
  if (format == "github") return writeGithub(report);
  if (format == "gitlab") return writeGitlab(report);
  if (format == "html") return writeHtml(report, context);
  return writeText(report, context);
}

}  // namespace

Result<void> writeWhole(const std::string& path, const std::string& text) {
  std::error_code ec;
  // A device or a pipe ("/dev/stdout") is written to; renaming a file over it would take it away.
  const auto type = std::filesystem::status(path, ec).type();
  const bool in_place = type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular;
  const std::string target = in_place ? path : path + ".neuron-port-new";
  {
    std::ofstream out(target, in_place ? std::ios::binary : std::ios::binary | std::ios::trunc);
    out << text;
    out.flush();
    if (!out) return makeError("io", "cannot write \"" + path + "\"", path);
  }
  if (in_place) return {};
  std::filesystem::rename(target, path, ec);
  if (ec) return makeError("io", "cannot write \"" + path + "\": " + ec.message(), path);
  return {};
}

Severity failLevel(const std::string& name) {
  return name == "error" ? Severity::Error : name == "hint" ? Severity::Hint : Severity::Warning;
}

Result<void> writeReport(const analyzer::Analysis& analysis, const Invocation& invocation,
                         const analyzer::RuleRegistry& rules) {
  OutputContext context;
  context.rules = &rules;
  context.statistics = invocation.statistics;
  context.source = [&analysis](const std::string& path) -> const SourceText* {
    const auto it = analysis.texts.find(path);
    return it == analysis.texts.end() ? nullptr : &it->second;
  };
  if (invocation.verb == "port" && invocation.git_branch.empty()) context.ported_to = invocation.out_dir;
  for (const std::string& path : invocation.paths)
    context.command_paths += (context.command_paths.empty() ? "" : " ") + path;
  for (const OutputRequest& request : invocation.outputs) {
    context.terminal = request.file.empty() ? detectTerminal(1) : Terminal{};
    const std::string text = rendered(request.format, analysis.report, context);
    if (request.file.empty()) {
      std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
      NP_TRY(writeWhole(request.file, text));
    }
  }
  return {};
}

int exitCodeFor(const Report& report, const Invocation& invocation) {
  if (invocation.exit_zero) return 0;
  const Severity level = failLevel(invocation.fail_on);
  for (const Finding& finding : report.findings)
    if (finding.severity >= level) return 1;
  return 0;
}

}  // namespace np::cli

// Writers of a Report, one function a format. They return text; who calls them decides where it goes.
#pragma once

#include <functional>
#include <string>

#include "analyzer/base/report/report.h"
#include "analyzer/rules/registry.h"
#include "cli/term/terminal.h"

namespace np::cli {

// The source of a reported path, null when it cannot be read any more. Frames are left out then.
using SourceLookup = std::function<const SourceText*(const std::string& path)>;

struct OutputContext {
  Terminal terminal;
  const analyzer::RuleRegistry* rules = nullptr;
  SourceLookup source;
  std::string command_paths;  // the paths as the user gave them, for the "next" lines
  bool statistics = false;
  std::string ported_to;  // after port: the folder that the project was ported to
};

// Default: blockers first, counts by what to do with the command for each, the ten most important places, coverage,
// next steps.
std::string writeText(const Report& report, const OutputContext& context);
// Every finding with its frame, notes, trace and fixes, then the same summary.
std::string writeFull(const Report& report, const OutputContext& context);
// "path:line:column: severity RULE message", one a line.
std::string writeConcise(const Report& report);
// GitHub Actions workflow commands.
std::string writeGithub(const Report& report);
// SARIF 2.1.0.
std::string writeSarif(const Report& report, const OutputContext& context);
// GitLab Code Quality.
std::string writeGitlab(const Report& report);
// One self-contained page.
std::string writeHtml(const Report& report, const OutputContext& context);

// The line that says what was analysed and what was not: shared by text, full and html.
std::string coverageLine(const Coverage& coverage);

}  // namespace np::cli

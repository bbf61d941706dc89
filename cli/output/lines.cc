// Formats of one line a finding: concise (editors, grep) and GitHub workflow commands.

#include "cli/output/output.h"
#include "cli/output/places.h"

namespace np::cli {
namespace {

// GitHub reads %, CR and LF escaped; in properties also ':' and ','.
std::string githubEscaped(const std::string& text, bool property) {
  std::string out;
  for (char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && c == ':')
      out += "%3A";
    else if (property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

const char* githubLevel(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "notice";
}

}  // namespace

std::string writeConcise(const Report& report) {
  std::string out;
  for (const Finding& f : report.findings) {
    const FixSafety fix = bestFix(f);
    out += printable(place(f)) + ": " + toString(f.severity) + " " + f.rule + " " + printable(f.message);
    if (fix != FixSafety::Display) out += fix == FixSafety::Safe ? " [safe fix]" : " [unsafe fix]";
    out += "\n";
  }
  return out;
}

std::string writeGithub(const Report& report) {
  std::string out;
  for (const Finding& f : report.findings) {
    out += std::string("::") + githubLevel(f.severity) + " file=" + githubEscaped(f.path, true) +
           ",line=" + std::to_string(f.start.line) + ",endLine=" + std::to_string(f.end.line) +
           ",col=" + std::to_string(f.start.column) + ",endColumn=" + std::to_string(f.end.column) +
           ",title=" + githubEscaped(f.rule + " " + f.name, true) + "::" + githubEscaped(f.message, false) + "\n";
  }
  return out;
}

}  // namespace np::cli

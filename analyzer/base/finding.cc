// Names of the enums as the report spells them, and the order in which findings are shown.

#include "analyzer/base/finding.h"

#include <tuple>

namespace np {

const char* toString(Severity severity) {
  switch (severity) {
    case Severity::Hint:
      return "hint";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "error";
}

const char* toString(Effort effort) {
  switch (effort) {
    case Effort::None:
      return "none";
    case Effort::Minutes:
      return "minutes";
    case Effort::Hours:
      return "hours";
    case Effort::Rewrite:
      return "rewrite";
  }
  return "hours";
}

const char* toString(Evidence evidence) {
  switch (evidence) {
    case Evidence::Documented:
      return "documented";
    case Evidence::Inferred:
      return "inferred";
    case Evidence::PreBeta:
      return "pre-beta";
  }
  return "inferred";
}

const char* toString(FixSafety safety) {
  switch (safety) {
    case FixSafety::Safe:
      return "safe";
    case FixSafety::Unsafe:
      return "unsafe";
    case FixSafety::Display:
      return "display";
  }
  return "display";
}

void Finding::locate(const SourceText& text) {
  path = text.path();
  start = text.position(range.start);
  end = text.position(range.end);
}

bool before(const Finding& a, const Finding& b) {
  return std::tie(a.path, a.range, a.rule, a.subject, a.message) <
         std::tie(b.path, b.range, b.rule, b.subject, b.message);
}

}  // namespace np

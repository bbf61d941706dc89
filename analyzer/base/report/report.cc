// Counts over a Report. Nothing is stored twice: the summary is derived each time it is shown.

#include "analyzer/base/report/report.h"

#include <algorithm>

namespace np {

const char* toString(PortStatus status) {
  switch (status) {
    case PortStatus::NotTried:
      return "not_tried";
    case PortStatus::Translated:
      return "translated";
    case PortStatus::Refused:
      return "refused";
    case PortStatus::Unsupported:
      return "unsupported";
    case PortStatus::Failed:
      return "failed";
  }
  return "failed";
}

Summary summarize(const Report& report) {
  Summary out;
  for (const Finding& finding : report.findings) {
    switch (finding.severity) {
      case Severity::Error:
        ++out.errors;
        break;
      case Severity::Warning:
        ++out.warnings;
        break;
      case Severity::Hint:
        ++out.hints;
        break;
    }
    FixSafety best = FixSafety::Display;
    for (const Fix& fix : finding.fixes) best = std::min(best, fix.safety);
    if (best == FixSafety::Safe) ++out.safe;
    if (best == FixSafety::Unsafe) ++out.unsafe;
    if (best == FixSafety::Display) ++out.by_hand;
    ++out.by_rule[finding.rule];
  }
  for (const Kernel& kernel : report.kernels) ++out.kernels_by_status[toString(kernel.port.status)];
  return out;
}

}  // namespace np

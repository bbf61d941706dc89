// Counts places, groups them by rule and kind of work.

#include "analyzer/base/report/readiness.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace np {
namespace {

FixSafety bestOf(const Finding& finding) {
  FixSafety best = FixSafety::Display;
  for (const Fix& fix : finding.fixes) best = std::min(best, fix.safety);
  return best;
}

// False for what is only to know.
bool workOf(const Finding& finding, Work& work) {
  const FixSafety best = bestOf(finding);
  if (best == FixSafety::Safe) return work = Work::Automatic, true;
  if (best == FixSafety::Unsafe) return work = Work::Minutes, true;
  if (finding.severity == Severity::Hint || finding.effort == Effort::None) return false;
  work = finding.effort == Effort::Rewrite ? Work::Rewrite
         : finding.effort == Effort::Hours ? Work::Hours
                                           : Work::Minutes;
  return true;
}

void addKernels(const Report& report, Readiness& out) {
  for (const Kernel& kernel : report.kernels) {
    const PortStatus status = kernel.port.status;
    if (status == PortStatus::NotTried || status == PortStatus::Translated) continue;
    ++out.rewrite;
    out.worklist.push_back({Work::Rewrite, true, kernel.port.reason ? kernel.port.reason->code : toString(status),
                            "kernel " + kernel.name, 1, 1, kernel.where.path, kernel.where.start.line});
  }
}

}  // namespace

const char* toString(Work work) {
  switch (work) {
    case Work::Rewrite:
      return "rewrite";
    case Work::Hours:
      return "hours";
    case Work::Minutes:
      return "minutes";
    case Work::Automatic:
      return "automatic";
  }
  return "";
}

Readiness readinessOf(const Report& report) {
  Readiness out;
  std::map<std::tuple<bool, Work, std::string>, WorkItem> items;
  std::map<const WorkItem*, std::set<std::string>> files;
  for (const Finding& finding : report.findings) {
    Work work{};
    if (!workOf(finding, work)) {
      ++out.advice;
      continue;
    }
    ++(work == Work::Automatic ? out.automatic
       : work == Work::Minutes ? out.minutes
       : work == Work::Hours   ? out.hours
                               : out.rewrite);
    const bool blocker = finding.severity == Severity::Error && work <= Work::Hours;
    WorkItem& item = items[{!blocker, work, finding.rule}];
    if (item.places++ == 0) {
      item.work = work, item.blocker = blocker;
      item.rule = finding.rule, item.name = finding.name;
      item.path = finding.path, item.line = finding.start.line;
    }
    files[&item].insert(finding.path);
  }
  for (auto& [key, item] : items) {
    item.files = static_cast<std::uint32_t>(files[&item].size());
    out.worklist.push_back(item);
  }
  addKernels(report, out);
  std::stable_sort(out.worklist.begin(), out.worklist.end(), [](const WorkItem& a, const WorkItem& b) {
    return std::make_tuple(!a.blocker, a.work, ~a.places) < std::make_tuple(!b.blocker, b.work, ~b.places);
  });
  for (const WorkItem& item : out.worklist) out.blockers += item.blocker;
  return out;
}

}  // namespace np

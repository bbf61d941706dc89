// Of several fixes of a finding the safest is taken. A fix is not wanted when it is less safe than asked for, or needs
// a newer torch than the project promises its users; the pin of the requirements is no promise but what is installed
// today: there the rules lower the fix to `unsafe` and say so in a note.

#include "rewriter/merge/groups.h"

#include <algorithm>
#include <map>

namespace np::rewriter {
namespace {

// The oldest torch that the file's project promises, when the fix needs a newer one.
std::string brokenPromise(const Finding& finding, const Fix& fix, const PlanOptions& options) {
  if (fix.min_torch.empty() || !options.promised_torch) return "";
  std::string promised = options.promised_torch(finding.path);
  return !promised.empty() && isOlder(promised, fix.min_torch) ? promised : "";
}

bool isWanted(const Finding& finding, const Fix& fix, const PlanOptions& options) {
  return fix.safety <= options.highest && !fix.edits.empty() && brokenPromise(finding, fix, options).empty();
}

const Fix* safest(const Finding& finding, const PlanOptions* wanted_by) {
  const Fix* best = nullptr;
  for (const Fix& fix : finding.fixes)
    if ((!wanted_by || isWanted(finding, fix, *wanted_by)) && (!best || fix.safety < best->safety)) best = &fix;
  return best;
}

// The note in which the analysis says why a fix is less safe than it could be, or was taken away.
std::string reasonNote(const Finding& finding) {
  for (const std::string& note : finding.notes)
    for (const char* start : {"needs torch ", "belongs to a device flow", "a stub repeats"})
      if (note.starts_with(start)) return note;
  return "";
}

// `fix` is the safest there is; null when there is none.
std::string whyLeft(const Finding& finding, const Fix* fix, const PlanOptions& options) {
  const std::string note = reasonNote(finding);
  if (!fix) return note.empty() ? "no automatic fix" : note;
  if (fix->safety == FixSafety::Display || fix->edits.empty()) return "only a sketch, not applied";
  if (const std::string promised = brokenPromise(finding, *fix, options); !promised.empty())
    return "needs torch " + fix->min_torch + ", newer than the promised min-torch " + promised;
  return (note.empty() ? "may change behaviour" : note) + " (--unsafe-fixes)";
}

}  // namespace

bool Group::touches(const std::string& path) const {
  for (const auto& [finding, fix] : members)
    if (std::any_of(fix->edits.begin(), fix->edits.end(), [&](const Edit& edit) { return edit.path == path; }))
      return true;
  return false;
}

std::vector<Group> groupsOf(const std::vector<Finding>& findings, const PlanOptions& options,
                            std::vector<LeftOver>& left) {
  std::vector<Group> out;
  std::map<std::string, std::size_t> by_name;
  for (const Finding& finding : findings) {
    const Fix *fix = safest(finding, &options), *shown = fix ? fix : safest(finding, nullptr);
    if (!fix)
      left.push_back({finding.rule, finding.path, whyLeft(finding, shown, options), finding.start,
                      shown && !shown->edits.empty()});
    if (!shown) continue;
    std::size_t index = out.size();
    if (!shown->group.empty()) index = by_name.emplace(finding.path + "\n" + shown->group, out.size()).first->second;
    if (index == out.size()) out.emplace_back();
    if (fix)
      out[index].members.emplace_back(&finding, fix);
    else if (!shown->group.empty())
      out[index].refused = "belongs to a device flow with a place that is not fixed: " + left.back().reason;
  }
  std::erase_if(out, [](const Group& group) { return group.members.empty(); });
  return out;
}

}  // namespace np::rewriter

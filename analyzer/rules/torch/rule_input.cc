// Adds findings with the rule's facts filled in and the place located.

#include "analyzer/rules/torch/rule_input.h"

#include <algorithm>

namespace np::analyzer {

Finding& FileFindings::add(std::string_view rule, python::NodeId at, std::string subject, std::string message) {
  constexpr std::size_t kLongestSubject = 80;
  Finding finding = input_.registry.make(rule);
  const auto line_end = subject.find('\n');
  if (line_end != std::string::npos) subject = subject.substr(0, line_end) + " …";
  if (subject.size() > kLongestSubject) {
    std::size_t end = kLongestSubject;
    while (end > 0 && (static_cast<unsigned char>(subject[end]) & 0xC0) == 0x80) --end;  // not inside a character
    subject = subject.substr(0, end) + "…";
  }
  finding.subject = std::move(subject);
  finding.message = std::move(message);
  finding.range = input_.module.tree()[at].range;
  finding.locate(input_.module.text());
  findings_.push_back(std::move(finding));
  return findings_.back();
}

namespace {

// Advice speaks of what the code does on any device; a name of CUDA's own in it is a place to change.
bool isAdvice(const Finding& finding) {
  if (finding.severity != Severity::Hint || !finding.fixes.empty()) return false;
  const std::string_view rule = finding.rule;
  if (rule.starts_with("NPT33") || rule == "NPT4008" || rule == "NPT3021" || rule == "NPT3114") return true;
  if (!rule.starts_with("NPT31")) return false;
  for (std::string_view word : {"cuda", "CUDA", "cudnn", "CUDNN", "nccl", "NCCL", "nvtx", "triton", "gpu"})
    if (finding.subject.find(word) != std::string::npos) return false;
  return true;
}

}  // namespace

void FileFindings::foldAdvice() {
  constexpr std::size_t kMostLines = 12;
  std::map<std::string, std::vector<std::size_t>> by_rule;
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    if (isAdvice(findings_[i])) by_rule[findings_[i].rule].push_back(i);
  }
  std::set<std::size_t> dropped;
  for (auto& [rule, places] : by_rule) {
    std::sort(places.begin(), places.end(),
              [&](std::size_t a, std::size_t b) { return findings_[a].range.start < findings_[b].range.start; });
    std::string lines;
    std::size_t named = 0, others = 0;
    std::uint32_t last = findings_[places[0]].start.line;
    for (std::size_t k = 1; k < places.size(); ++k) {
      dropped.insert(places[k]);
      const std::uint32_t line = findings_[places[k]].start.line;
      if (line == last) continue;
      last = line;
      if (named++ < kMostLines)
        lines += (lines.empty() ? "" : ", ") + std::to_string(line);
      else
        ++others;
    }
    if (others > 0) lines += " and " + std::to_string(others) + " more";
    if (!lines.empty()) findings_[places[0]].notes.push_back("the same advice for lines " + lines);
  }
  if (dropped.empty()) return;
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < findings_.size(); ++i)
    if (!dropped.contains(i)) kept.push_back(std::move(findings_[i]));
  findings_ = std::move(kept);
}

void FileFindings::dropBlockedFixes() {
  if (blocked_.empty()) return;
  std::set<Edit> edits;
  for (const Finding& finding : findings_)
    for (const Fix& fix : finding.fixes)
      if (blocked_.contains(fix.group)) edits.insert(fix.edits.begin(), fix.edits.end());
  for (Finding& finding : findings_) {
    const std::size_t before = finding.fixes.size();
    std::string reason;
    std::erase_if(finding.fixes, [&](const Fix& fix) {
      const auto blocked = blocked_.find(fix.group);
      if (blocked != blocked_.end()) reason = blocked->second;
      return blocked != blocked_.end() ||
             std::any_of(fix.edits.begin(), fix.edits.end(), [&](const Edit& edit) { return edits.contains(edit); });
    });
    if (finding.fixes.size() != before)
      finding.notes.push_back("the device value has a reader that no fix covers" +
                              (reason.empty() ? "" : ": " + reason));
  }
}

}  // namespace np::analyzer

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

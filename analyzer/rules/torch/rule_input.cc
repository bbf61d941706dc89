// Adds findings with the rule's facts filled in and the place located.

#include "analyzer/rules/torch/rule_input.h"

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

}  // namespace np::analyzer

// A frame is at most 120 columns of the line: findings in minified or generated files must stay readable.

#include "cli/output/source_frame.h"

#include <algorithm>

#include "cli/output/places.h"

namespace np::cli {
namespace {

constexpr std::size_t kWidth = 120;

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Blank of the same width as `text`: tabs stay, other characters become one space.
std::string blank(std::string_view text) {
  std::string out;
  for (char c : text)
    if (!isContinuation(c)) out += c == '\t' ? '\t' : ' ';
  return out;
}

}  // namespace

std::string sourceFrame(const SourceText& text, Range range, const Terminal& terminal) {
  const std::uint32_t line = text.lineOf(range.start);
  Range shown = text.lineRange(line);
  if (line == 0) shown.start += std::min(text.bomLength(), shown.end);
  std::string lead, tail;
  if (shown.end - shown.start > kWidth) {
    Offset start = std::max<Offset>(shown.start, range.start > 40 ? range.start - 40 : 0);
    while (start > shown.start && isContinuation(text.bytes()[start])) --start;
    Offset end = std::min<Offset>(shown.end, start + kWidth);
    while (end < shown.end && isContinuation(text.bytes()[end])) ++end;
    lead = start > shown.start ? "…" : "";
    tail = end < shown.end ? "…" : "";
    shown = {start, end};
  }
  const Offset mark_start = std::clamp(range.start, shown.start, shown.end);
  const Offset mark_end = std::clamp(range.end, mark_start, shown.end);
  const std::string number = std::to_string(line + 1);
  std::string marks;
  for (char c : text.slice({mark_start, mark_end}))
    if (!isContinuation(c)) marks += '^';
  if (marks.empty()) marks = "^";
  const std::string gutter(std::max<std::size_t>(number.size(), 4), ' ');
  return std::string(gutter.size() - number.size(), ' ') + number + " | " + lead + printable(text.slice(shown)) + tail +
         "\n" + gutter + " | " + (lead.empty() ? "" : " ") + blank(text.slice({shown.start, mark_start})) +
         terminal.paint(Style::Red, marks) + "\n";
}

}  // namespace np::cli

// Myers' greedy algorithm on lines after common head and tail are set aside. Fixes touch few lines, so the edit
// distance D is small; beyond kMaxDistance the middle is shown as one replaced block instead of spending D² memory.

#include "rewriter/apply/diff.h"

#include <algorithm>
#include <vector>

namespace np::rewriter {
namespace {

using Lines = std::vector<std::string_view>;
constexpr int kMaxDistance = 4000;

Lines split(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    out.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return out;
}

struct Step {
  char kind;  // ' ', '-', '+'
  int line;   // in the old text for ' ' and '-', in the new one for '+'
};

// Steps that turn a into b.
std::vector<Step> editScript(const Lines& a, const Lines& b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  const int limit = std::min(n + m, kMaxDistance);
  std::vector<std::vector<int>> history;
  std::vector<int> v(2 * limit + 3, 0);
  const auto at = [&](std::vector<int>& w, int k) -> int& { return w[k + limit + 1]; };
  int found = -1;
  for (int d = 0; d <= limit && found < 0; ++d) {
    history.push_back(v);
    for (int k = -d; k <= d; k += 2) {
      int x = k == -d || (k != d && at(v, k - 1) < at(v, k + 1)) ? at(v, k + 1) : at(v, k - 1) + 1;
      while (x < n && x - k < m && a[x] == b[x - k]) ++x;
      at(v, k) = x;
      if (x >= n && x - k >= m) {
        found = d;
        break;
      }
    }
  }
  std::vector<Step> out;
  if (found < 0) {
    for (int i = 0; i < n; ++i) out.push_back({'-', i});
    for (int j = 0; j < m; ++j) out.push_back({'+', j});
    return out;
  }
  int x = n, y = m;
  for (int d = found; d >= 0; --d) {
    std::vector<int>& w = history[d];
    const int k = x - y;
    const int previous = k == -d || (k != d && at(w, k - 1) < at(w, k + 1)) ? k + 1 : k - 1;
    const int px = d == 0 ? 0 : at(w, previous), py = d == 0 ? 0 : px - previous;
    while (x > px && y > py) out.push_back({' ', --x}), --y;
    if (d == 0) break;
    if (x == px)
      out.push_back({'+', --y});
    else
      out.push_back({'-', --x});
  }
  std::reverse(out.begin(), out.end());
  return out;
}

void addLine(std::string& out, char kind, std::string_view line) {
  out += kind;
  out += line;
  if (line.empty() || line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

// A path as git and patch read it in a header: in quotes when it holds what would end it, else with a tab behind it
// when it holds blanks.
std::string headerPath(const std::string& path) {
  const auto is_odd = [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '"' || c == '\\'; };
  if (std::none_of(path.begin(), path.end(), is_odd)) return path.find(' ') == std::string::npos ? path : path + "\t";
  std::string out = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (!is_odd(byte)) {
      out += c;
      continue;
    }
    out += '\\';
    if (c == '"' || c == '\\')
      out += c;
    else
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
  }
  return out + "\"";
}

}  // namespace

std::string unifiedDiff(const std::string& path, std::string_view before, std::string_view after, int context) {
  if (before == after) return "";
  const Lines a = split(before), b = split(after);
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < head; ++i) steps.push_back({' ', static_cast<int>(i)});
  for (Step step : editScript(Lines(a.begin() + head, a.end() - tail), Lines(b.begin() + head, b.end() - tail)))
    steps.push_back({step.kind, step.line + static_cast<int>(head)});
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) steps.push_back({' ', static_cast<int>(i)});

  std::string out = "--- " + headerPath("a/" + path) + "\n+++ " + headerPath("b/" + path) + "\n";
  int old_line = 1, new_line = 1;
  for (std::size_t i = 0; i < steps.size();) {
    if (steps[i].kind == ' ') {
      ++i, ++old_line, ++new_line;
      continue;
    }
    const int lead = std::min<int>(context, static_cast<int>(i));
    std::size_t last = i;  // last changed step of the hunk
    for (std::size_t j = i; j < steps.size() && j - last <= 2 * static_cast<std::size_t>(context); ++j)
      if (steps[j].kind != ' ') last = j;
    const std::size_t end = std::min(steps.size(), last + 1 + static_cast<std::size_t>(context));
    std::string body;
    int old_count = 0, new_count = 0;
    const int old_start = old_line - lead, new_start = new_line - lead;
    for (std::size_t j = i - lead; j < end; ++j) {
      const Step& step = steps[j];
      addLine(body, step.kind, step.kind == '+' ? b[step.line] : a[step.line]);
      old_count += step.kind != '+';
      new_count += step.kind != '-';
    }
    out += "@@ -" + std::to_string(old_count ? old_start : old_start - 1) + "," + std::to_string(old_count) + " +" +
           std::to_string(new_count ? new_start : new_start - 1) + "," + std::to_string(new_count) + " @@\n" + body;
    old_line += old_count - lead;
    new_line += new_count - lead;
    i = end;
  }
  return out;
}

}  // namespace np::rewriter

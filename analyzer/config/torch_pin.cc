// Version bounds of the torch requirement. Only upper bounds matter: a fix that needs torch 2.7 may be applied
// where 2.7 is allowed, and the report names the new minimum.
//
// The requirement is found by its shape in any of the files that carry one, quoted or on a line of its own, so that
// setup.py need not be run.

#include "analyzer/config/torch_pin.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace np::analyzer {
namespace {

std::vector<int> numbers(std::string_view version) {
  std::vector<int> out;
  while (!version.empty() && std::isdigit(static_cast<unsigned char>(version[0]))) {
    int value = 0;
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), value);
    if (error != std::errc()) break;
    out.push_back(value);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (version.empty() || version[0] != '.') break;
    version.remove_prefix(1);
  }
  return out;
}

// Negative, zero or positive as `a` is older than, equal to or newer than `b`; missing parts count as 0.
int compare(std::string_view a, std::string_view b) {
  const std::vector<int> x = numbers(a), y = numbers(b);
  for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    const int p = i < x.size() ? x[i] : 0, q = i < y.size() ? y[i] : 0;
    if (p != q) return p < q ? -1 : 1;
  }
  return 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.'; }

// The specifier that starts at the front of `text`: characters of versions, operators, commas and blanks.
std::string_view takeSpecifier(std::string_view text) {
  const auto end = text.find_first_not_of("<>=!~,.*+ \t()0123456789abcdefghijklmnopqrstuvwxyz");
  return text.substr(0, end);
}

}  // namespace

TorchPin TorchPin::ofSpecifier(std::string_view specifier) {
  TorchPin pin;
  std::string clean;
  for (char c : specifier)
    if (c != ' ' && c != '\t' && c != '(' && c != ')') clean += c;
  if (clean.empty()) return pin;
  pin.text_ = "torch" + clean;
  std::string_view rest = clean;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const auto digits = part.find_first_of("0123456789");
    if (digits == std::string_view::npos) continue;
    const std::string_view op = part.substr(0, digits), version = part.substr(digits);
    if (op == "==" || op == "===") pin.exactly_ = version;
    if (op == "<") pin.below_ = version;
    if (op == "<=") pin.exactly_ = version;  // the newest that is allowed
    if (op == "~=") {
      // ~=2.1 allows 2.x, ~=2.1.3 allows 2.1.x.
      std::vector<int> parts = numbers(version);
      if (parts.size() < 2) continue;
      parts.pop_back();
      ++parts.back();
      pin.below_.clear();
      for (int part_number : parts) pin.below_ += (pin.below_.empty() ? "" : ".") + std::to_string(part_number);
    }
  }
  return pin;
}

TorchPin TorchPin::atLeast(std::string_view version) {
  TorchPin pin;
  pin.promised_ = version;
  pin.text_ = "min-torch " + std::string(version);
  return pin;
}

bool TorchPin::admits(std::string_view min_torch) const {
  if (min_torch.empty()) return true;
  if (!promised_.empty()) return compare(promised_, min_torch) >= 0;
  if (!exactly_.empty()) {
    const bool any_patch = exactly_.ends_with(".*");
    return compare(any_patch ? std::string_view(exactly_).substr(0, exactly_.size() - 2) : exactly_, min_torch) >= 0;
  }
  return below_.empty() || compare(below_, min_torch) > 0;
}

std::optional<TorchPin> findTorchPin(std::string_view text) {
  std::optional<TorchPin> unpinned;
  for (std::size_t at = text.find("torch"); at != std::string_view::npos; at = text.find("torch", at + 5)) {
    // The name must stand alone: after a quote or at the start of a line, and before an operator, quote or line end.
    const auto line_start = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const bool at_line_start = trimmed(text.substr(line_start, at - line_start)).empty();
    const bool quoted = at > 0 && (text[at - 1] == '"' || text[at - 1] == '\'');
    const std::string_view after = text.substr(at + 5);
    if (!(at_line_start || quoted) || (!after.empty() && isNameCharacter(after[0]))) continue;
    const std::string_view specifier = trimmed(takeSpecifier(after));
    if (specifier.empty() || specifier.find_first_of("<>=~") != 0) {
      // `torch` by itself in a requirement list; a line such as "torch: …" or an import is not one.
      const std::string_view rest = trimmed(after.substr(0, after.find('\n')));
      if ((quoted && (rest.starts_with("\"") || rest.starts_with("'"))) || (at_line_start && rest.empty()))
        unpinned = TorchPin();
      continue;
    }
    if (specifier.starts_with("=") && !specifier.starts_with("==")) continue;  // `torch = something`
    return TorchPin::ofSpecifier(specifier.substr(0, specifier.find('\n')));
  }
  return unpinned;
}

}  // namespace np::analyzer

// Reads rule facts off the rule pages and keeps them ordered by id.
//
// The page is the single source: what `explain` prints, what SARIF carries and what the analysis reports cannot drift
// apart. Parsing sixty pages takes well under a millisecond, so it is done at every start rather than at build time.

#include "analyzer/rules/registry.h"

#include <algorithm>
#include <optional>

#include "analyzer/base/nearest.h"

namespace np::analyzer {
namespace {

constexpr std::string_view kDocumentation = "docs/rules/";

bool isRuleId(std::string_view text) {
  return text.size() == 7 && text.starts_with("NPT") &&
         std::all_of(text.begin() + 3, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Takes the next line off `rest`.
std::string_view takeLine(std::string_view& rest) {
  const auto end = rest.find('\n');
  const std::string_view line = trimmed(rest.substr(0, end));
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return line;
}

std::vector<std::string_view> factsOf(std::string_view line) {
  constexpr std::string_view kDot = "·";
  std::vector<std::string_view> facts;
  while (true) {
    const auto dot = line.find(kDot);
    facts.push_back(trimmed(line.substr(0, dot)));
    if (dot == std::string_view::npos) return facts;
    line = line.substr(dot + kDot.size());
  }
}

template <class Enum>
std::optional<Enum> named(std::string_view text, std::initializer_list<Enum> all) {
  for (Enum value : all)
    if (text == toString(value)) return value;
  return std::nullopt;
}

// Reads "evidence: documented (TorchNeuron 2.33)".
bool readEvidence(std::string_view value, RuleInfo& rule) {
  const auto open = value.find('(');
  const auto evidence =
      named(trimmed(value.substr(0, open)), {Evidence::Documented, Evidence::Inferred, Evidence::PreBeta});
  if (!evidence) return false;
  rule.evidence = *evidence;
  if (open != std::string_view::npos) rule.release = trimmed(value.substr(open + 1, value.find(')') - open - 1));
  return true;
}

bool readFact(std::string_view fact, RuleInfo& rule) {
  if (const auto stability = named(fact, {Stability::Preview, Stability::Stable, Stability::Deprecated})) {
    rule.stability = *stability;
    return true;
  }
  if (fact.starts_with("since ")) {
    rule.since = trimmed(fact.substr(6));
    return true;
  }
  const auto colon = fact.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view key = fact.substr(0, colon), value = trimmed(fact.substr(colon + 1));
  if (key == "evidence") return readEvidence(value, rule);
  if (key == "severity") {
    const auto severity = named(value, {Severity::Hint, Severity::Warning, Severity::Error});
    if (severity) rule.severity = *severity;
    return severity.has_value();
  }
  if (key == "effort") {
    const auto effort = named(value, {Effort::None, Effort::Minutes, Effort::Hours, Effort::Rewrite});
    if (effort) rule.effort = *effort;
    return effort.has_value();
  }
  return false;
}

// First sentence of the section "What it finds".
std::string summaryOf(std::string_view page) {
  constexpr std::string_view kHeading = "## What it finds\n";
  const auto at = page.find(kHeading);
  if (at == std::string_view::npos) return "";
  std::string text;
  for (char c : page.substr(at + kHeading.size())) {
    if (c == '\n' && (text.empty() || text.back() == '\n')) break;
    text += c;
    if (text.ends_with(".\n") || text.ends_with(". ")) break;
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return std::string(trimmed(text));
}

}  // namespace

const char* toString(Stability stability) {
  switch (stability) {
    case Stability::Preview:
      return "preview";
    case Stability::Stable:
      return "stable";
    case Stability::Deprecated:
      return "deprecated";
  }
  return "preview";
}

std::string_view ruleCategory(std::string_view id) {
  constexpr std::string_view kCategories[] = {"tool", "cuda-host", "cuda-kernel", "pytorch", "distributed", "build"};
  if (!isRuleId(id) || id[3] > '5') return {};
  return kCategories[id[3] - '0'];
}

std::string ruleUrl(const RuleInfo& rule) { return std::string(kDocumentation) + rule.name + ".md"; }

Result<RuleInfo> parseRulePage(std::string_view page) {
  std::string_view rest = page;
  std::string_view title = takeLine(rest);
  const auto open = title.rfind(" (");
  if (!title.starts_with("# ") || open == std::string_view::npos || !title.ends_with(")"))
    return makeError("rule-page", "page opens with \"" + std::string(title) + "\", expected \"# name (NPTnnnn)\"");
  RuleInfo rule;
  rule.name = title.substr(2, open - 2);
  rule.id = title.substr(open + 2, title.size() - open - 3);
  rule.category = ruleCategory(rule.id);
  if (rule.category.empty()) return makeError("rule-page", "\"" + rule.id + "\" is not a rule id");

  std::string_view facts;
  while (facts.empty() && !rest.empty()) facts = takeLine(rest);
  for (std::string_view fact : factsOf(facts))
    if (!readFact(fact, rule))
      return makeError("rule-page", rule.id + ": cannot read \"" + std::string(fact) + "\" in the line of facts");
  if (rule.since.empty()) return makeError("rule-page", rule.id + ": the line of facts lacks \"since\"");

  rule.summary = summaryOf(page);
  if (rule.summary.empty()) return makeError("rule-page", rule.id + ": no text under \"## What it finds\"");
  rule.page = page;
  return rule;
}

Result<void> RuleRegistry::addPages(std::span<const std::string_view> pages) {
  for (std::string_view page : pages) {
    NP_ASSIGN(RuleInfo rule, parseRulePage(page));
    if (find(rule.id) || find(rule.name))
      return makeError("rule-page", "rule \"" + rule.id + "\" (" + rule.name + ") is there twice");
    const auto place = std::lower_bound(rules_.begin(), rules_.end(), rule.id,
                                        [](const RuleInfo& a, const std::string& id) { return a.id < id; });
    rules_.insert(place, std::move(rule));
  }
  return {};
}

const RuleInfo* RuleRegistry::find(std::string_view id_or_name) const {
  for (const RuleInfo& rule : rules_)
    if (rule.id == id_or_name || rule.name == id_or_name) return &rule;
  return nullptr;
}

std::optional<std::string> RuleRegistry::nearest(std::string_view text) const {
  std::vector<std::string> names;
  for (const RuleInfo& rule : rules_) {
    names.push_back(rule.id);
    names.push_back(rule.name);
  }
  return np::nearest(text, names);
}

Finding RuleRegistry::make(std::string_view id) const {
  const RuleInfo* rule = find(id);
  NP_CHECK(rule != nullptr);
  Finding finding;
  finding.rule = rule->id;
  finding.name = rule->name;
  finding.severity = rule->severity;
  finding.effort = rule->effort;
  finding.evidence = rule->evidence;
  finding.url = ruleUrl(*rule);
  return finding;
}

}  // namespace np::analyzer

// The list of rules: what `rules`, `explain`, SARIF, hover and rule selection know about each of them.
//
// A rule's page (NAME.md beside its .cc) is the only place where its facts are written; RuleInfo is read off the page:
//
//   # cuda-availability-guard (NPT3022)
//
//   stable · since 0.1 · evidence: documented (TorchNeuron 2.33) · severity: warning · effort: minutes
//
//   ## What it finds
//   A test of `torch.cuda.is_available()` that decides whether code runs.
//
// Each rule room embeds its pages (np_embed_rule_pages) and offers them by one function, e.g. torchRulePages();
// analyzer/api joins the rooms:
//
//   RuleRegistry registry;
//   NP_TRY(registry.addPages(torchRulePages()));
//   NP_TRY(registry.addPages(cudaRulePages()));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/result.h"

namespace np::analyzer {

enum class Stability { Preview, Stable, Deprecated };
const char* toString(Stability stability);

struct RuleInfo {
  std::string id;    // "NPT3022"
  std::string name;  // "cuda-availability-guard"
  std::string
      category;  // by the id's first digit: "tool", "cuda-host", "cuda-kernel", "pytorch", "distributed", "build"
  Severity severity = Severity::Warning;
  Effort effort = Effort::Minutes;
  Evidence evidence = Evidence::Documented;
  std::string release;  // the release the evidence was established for, "TorchNeuron 2.33"
  Stability stability = Stability::Preview;
  std::string since;      // version of neuron-port, "0.1"
  std::string summary;    // first sentence of "What it finds"
  std::string_view page;  // the whole markdown text, embedded in the executable
};

// Reads a rule's facts off its page; the error names what the page lacks.
Result<RuleInfo> parseRulePage(std::string_view page);

// The category of a rule id ("pytorch" for "NPT3001"); empty when it is not an id.
std::string_view ruleCategory(std::string_view id);

// Where the generated documentation keeps the rule's page, relative to the repository.
std::string ruleUrl(const RuleInfo& rule);

class RuleRegistry {
 public:
  // Adds one room's pages. Error: a page without its facts, or an id or name that is taken.
  Result<void> addPages(std::span<const std::string_view> pages);

  // All rules, ordered by id.
  const std::vector<RuleInfo>& all() const { return rules_; }
  // By id ("NPT3022") or name ("cuda-availability-guard"); null when there is none.
  const RuleInfo* find(std::string_view id_or_name) const;
  // The id or name that `text` may have meant.
  std::optional<std::string> nearest(std::string_view text) const;

  // A finding of this rule with everything filled in but place, subject and message. `id` must be registered.
  Finding make(std::string_view id) const;

 private:
  std::vector<RuleInfo> rules_;
};

}  // namespace np::analyzer

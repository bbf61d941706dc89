// Without `select`, everything is on. On a tie between select and ignore, ignore wins.

#include "analyzer/config/selection.h"

#include <algorithm>

#include "analyzer/base/nearest.h"

namespace np::analyzer {
namespace {

std::size_t longestMatch(const std::vector<std::string>& prefixes, std::string_view rule) {
  std::size_t best = 0;
  for (const std::string& prefix : prefixes)
    if (rule.starts_with(prefix)) best = std::max(best, prefix.size());
  return best;
}

}  // namespace

Result<RuleSelection> RuleSelection::make(const SelectionRequest& request, const std::vector<std::string>& known) {
  for (const auto* list : {&request.select, &request.extend_select, &request.ignore})
    for (const std::string& name : *list) {
      const bool matches = name == "ALL" || std::any_of(known.begin(), known.end(), [&](const std::string& id) {
                             return !name.empty() && id.starts_with(name);
                           });
      if (matches) continue;
      const auto near = nearest(name, known);
      return makeError("unknown-rule", "unknown rule \"" + name + "\"" +
                                           (near ? ", did you mean \"" + *near + "\"" : "") +
                                           " (neuron-port rules lists all)");
    }
  RuleSelection out;
  const auto prefix = [](const std::string& name) { return name == "ALL" ? std::string("NPT") : name; };
  for (const std::string& name : request.select) out.on_.push_back(prefix(name));
  if (out.on_.empty()) out.on_ = {"NPT"};
  for (const std::string& name : request.extend_select) out.on_.push_back(prefix(name));
  for (const std::string& name : request.ignore) out.off_.push_back(prefix(name));
  return out;
}

bool RuleSelection::selects(std::string_view rule) const {
  const std::size_t on = longestMatch(on_, rule), off = longestMatch(off_, rule);
  return on > off;
}

}  // namespace np::analyzer

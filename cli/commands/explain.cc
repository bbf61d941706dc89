// explain, rules: the rules' pages and the API map, read from the binary.

#include <cstdio>

#include "analyzer/api/rules.h"
#include "cli/commands/commands.h"
#include "cli/commands/refusal_codes.h"
#include "cli/term/terminal.h"

namespace np::cli {
namespace {

int internalError(const Error& error) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return kInternal;
}

void printRow(const analyzer::ApiMapRow& row) {
  std::printf("%s\n", row.cuda.c_str());
  if (!row.accelerator.empty()) std::printf("  accelerator  %s\n", row.accelerator.c_str());
  if (!row.neuron.empty()) std::printf("  neuron       %s\n", row.neuron.c_str());
  std::printf("  what it is   %s%s%s\n", row.kind.c_str(), row.min_torch.empty() ? "" : ", needs torch ",
              row.min_torch.c_str());
  if (!row.note.empty()) std::printf("  note         %s\n", row.note.c_str());
  if (!row.source.empty()) std::printf("  established  %s\n", row.source.c_str());
}

}  // namespace

int runExplain(const Invocation& invocation) {
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return internalError(rules.error());
  if (const analyzer::RuleInfo* rule = rules->find(invocation.subject)) {
    std::fwrite(rule->page.data(), 1, rule->page.size(), stdout);
    return kDone;
  }
  if (const std::string refusal = explainRefusal(invocation.subject); !refusal.empty()) {
    std::fputs(refusal.c_str(), stdout);
    return kDone;
  }
  const auto rows = analyzer::findInApiMap(invocation.subject);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i) std::puts("");
    printRow(rows[i]);
  }
  if (!rows.empty()) return kDone;
  std::string message = "unknown rule or API \"" + invocation.subject + "\"";
  if (const auto near = rules->nearest(invocation.subject)) message += ", did you mean \"" + *near + "\"";
  std::fprintf(stderr, "neuron-port: %s (neuron-port rules lists all)\n", message.c_str());
  return kUsage;
}

int runRules(const Invocation& invocation) {
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return internalError(rules.error());
  const Terminal terminal = detectTerminal(1);
  for (const analyzer::RuleInfo& rule : rules->all()) {
    std::string name = rule.name;
    name.resize(std::max<std::size_t>(name.size(), 34), ' ');
    std::printf("%s  %s  %-7s  %-7s  %s\n", terminal.paint(Style::Bold, rule.id).c_str(), name.c_str(),
                toString(rule.severity), analyzer::toString(rule.stability), rule.summary.c_str());
  }
  return kDone;
}

}  // namespace np::cli

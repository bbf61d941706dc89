// explain, rules: the rules' pages and the API map, read from the binary.

#include <algorithm>
#include <cstdio>

#include "analyzer/api/rules.h"
#include "cli/commands/commands.h"
#include "cli/commands/listing.h"
#include "cli/commands/refusal_codes.h"
#include "cli/term/terminal.h"

namespace np::cli {
namespace {

int internalError(const Error& error) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return kInternal;
}

std::string rowText(const analyzer::ApiMapRow& row) {
  std::string out = row.cuda + "\n";
  if (!row.accelerator.empty()) out += "  accelerator  " + row.accelerator + "\n";
  if (!row.neuron.empty()) out += "  neuron       " + row.neuron + "\n";
  out += "  what it is   " + row.kind + (row.min_torch.empty() ? "" : ", needs torch " + row.min_torch) + "\n";
  if (!row.note.empty()) out += "  note         " + row.note + "\n";
  if (!row.source.empty()) out += "  established  " + row.source + "\n";
  return out;
}

int print(const Invocation& invocation, const std::string& text, const std::string& json) {
  const auto written = writeListing(invocation, text, json);
  if (written.ok()) return kDone;
  std::fprintf(stderr, "neuron-port: %s\n", written.error().text().c_str());
  return kUsage;
}

}  // namespace

int runExplain(const Invocation& invocation) {
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return internalError(rules.error());
  if (const analyzer::RuleInfo* rule = rules->find(invocation.subject))
    return print(invocation, std::string(rule->page), ruleJson(*rule));
  if (const std::string refusal = explainRefusal(invocation.subject); !refusal.empty())
    return print(invocation, refusal, refusalJson(invocation.subject, refusal));
  const auto rows = analyzer::findInApiMap(invocation.subject);
  std::string text;
  for (const analyzer::ApiMapRow& row : rows) text += (text.empty() ? "" : "\n") + rowText(row);
  if (!rows.empty()) return print(invocation, text, rowsJson(rows));
  std::string message = "unknown rule or API \"" + invocation.subject + "\"";
  if (const auto near = rules->nearest(invocation.subject)) message += ", did you mean \"" + *near + "\"";
  std::fprintf(stderr, "neuron-port: %s (neuron-port rules lists all)\n", message.c_str());
  return kUsage;
}

int runRules(const Invocation& invocation) {
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return internalError(rules.error());
  const Terminal terminal = detectTerminal(1);
  std::string text;
  for (const analyzer::RuleInfo& rule : rules->all()) {
    const auto padded = [](std::string word, std::size_t width) {
      word.resize(std::max(word.size(), width), ' ');
      return word;
    };
    text += terminal.paint(Style::Bold, rule.id) + "  " + padded(rule.name, 34) + "  " +
            padded(toString(rule.severity), 7) + "  " + padded(analyzer::toString(rule.stability), 7) + "  " +
            rule.summary + "\n";
  }
  return print(invocation, text, rulesJson(rules->all()));
}

}  // namespace np::cli

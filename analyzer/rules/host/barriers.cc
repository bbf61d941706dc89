// NPT2021 barrier-after-return, NPT2022 divergent-barrier
//
// A barrier that some threads of a block do not reach: they returned before it, or it stands in a branch that they do
// not take. Hardware may go on or hang; the executor reports a deadlock, and no translation is right for both.

#include "analyzer/rules/host/device_code.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

struct Branch {
  std::size_t first = 0, last = 0;  // tokens of the statement that the condition guards
};

// Statements under `if (…)` whose condition differs between threads.
std::vector<Branch> threadBranches(const std::vector<Token>& tokens, const Item& function,
                                   const std::set<std::string>& names) {
  std::vector<Branch> out;
  for (std::size_t i = function.brace + 1; i + 1 < function.last; ++i) {
    if (!tokens[i].is("if") || !tokens[i + 1].is("(")) continue;
    const std::size_t close = closing(tokens, i + 1);
    if (close >= function.last || !dependsOnThread(tokens, i + 2, close - 1, names)) continue;
    std::size_t last = close + 1;
    if (tokens[last].is("{"))
      last = closing(tokens, last);
    else
      while (last < function.last && !tokens[last].is(";")) ++last;
    if (last <= function.last) out.push_back({close + 1, last});
  }
  return out;
}

void look(const CppFile& file, const Item& function, HostFindings& out) {
  const std::vector<Token>& tokens = file.tokens();
  const std::vector<Branch> branches = threadBranches(tokens, function, threadDependentNames(file, function));
  std::size_t first_return = tokens.size();
  for (const Branch& branch : branches)
    for (std::size_t i = branch.first; i <= branch.last; ++i)
      if (tokens[i].is("return")) first_return = std::min(first_return, i);
  bool told = false;
  for (std::size_t i = function.brace + 1; i < function.last; ++i) {
    if (!tokens[i].is("__syncthreads")) continue;
    bool divergent = false;
    for (const Branch& branch : branches) divergent = divergent || (branch.first <= i && i <= branch.last);
    if (divergent)
      out.add("NPT2022", file, tokens[i].range, function.name,
              "\"__syncthreads()\" in a branch that not every thread of the block takes");
    if (divergent || told || i < first_return) continue;
    told = true;
    Finding& finding = out.add("NPT2021", file, tokens[first_return].range, function.name,
                               "threads return here before a \"__syncthreads()\" that the others wait at");
    finding.trace.push_back({file.path(), tokens[i].range, file.text->position(tokens[i].range.start),
                             file.text->position(tokens[i].range.end), "the barrier"});
  }
}

}  // namespace

void unreachedBarrier(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files())
    eachDeviceFunction(file, [&](const Item& function) { look(file, function, out); });
}

}  // namespace np::analyzer::host

// Assignments are read in the order of the text: `name = …;` makes the name thread-dependent when its right side is. An
// assignment of something uniform later does not take it back: a finding too many is a hint, a missed one is a hang.

#include "analyzer/rules/host/device_code.h"

namespace np::analyzer::host {

void eachDeviceFunction(const CppFile& file, const std::function<void(const Item&)>& visit) {
  for (const Item& item : file.items)
    if (item.kind == ItemKind::Function && item.is_device && item.brace > item.open) visit(item);
}

bool dependsOnThread(const std::vector<Token>& tokens, std::size_t first, std::size_t last,
                     const std::set<std::string>& names) {
  for (std::size_t i = first; i <= last && i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::Word) continue;
    if (tokens[i].is("threadIdx") || names.contains(std::string(tokens[i].text))) return true;
  }
  return false;
}

std::set<std::string> threadDependentNames(const CppFile& file, const Item& function) {
  const std::vector<Token>& tokens = file.tokens();
  std::set<std::string> out;
  for (std::size_t i = function.brace + 1; i < function.last; ++i) {
    if (!tokens[i].is("=") && !tokens[i].is("+=")) continue;
    if (tokens[i - 1].kind != TokenKind::Word) continue;
    std::size_t end = i;
    int depth = 0;
    for (; end < function.last; ++end) {
      if (tokens[end].is("(") || tokens[end].is("[")) ++depth;
      if (tokens[end].is(")") || tokens[end].is("]")) --depth;
      if (tokens[end].is(";") || depth < 0 || (tokens[end].is(",") && depth == 0)) break;
    }
    if (dependsOnThread(tokens, i + 1, end, out)) out.insert(std::string(tokens[i - 1].text));
  }
  return out;
}

}  // namespace np::analyzer::host

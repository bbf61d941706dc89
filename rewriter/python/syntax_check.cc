// A file that had errors before is fixed only outside its broken statements; it then must not have more error nodes.

#include "rewriter/python/syntax_check.h"

#include <algorithm>

#include "analyzer/python/syntax_tree.h"

namespace np::rewriter {
namespace {

namespace py = analyzer::python;

std::size_t errorCount(const py::SyntaxTree& tree) {
  return static_cast<std::size_t>(std::count_if(tree.nodes().begin(), tree.nodes().end(),
                                                [](const py::Node& node) { return node.kind == py::Kind::Error; }));
}

}  // namespace

bool stillParses(std::string_view path, std::string_view before, std::string_view after) {
  if (!path.ends_with(".py") && !path.ends_with(".pyi")) return true;
  const auto new_tree = py::SyntaxTree::parse(after);
  if (!new_tree.ok()) return false;
  if (!new_tree->hasError()) return true;
  const auto old_tree = py::SyntaxTree::parse(before);
  return old_tree.ok() && old_tree->hasError() && errorCount(*new_tree) <= errorCount(*old_tree);
}

}  // namespace np::rewriter

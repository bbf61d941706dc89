// A file that had errors before is fixed only outside its broken statements; it then must not have more error nodes.
// Notebooks are compared cell by cell: an error in one must not hide behind one less in another.

#include "rewriter/python/syntax_check.h"

#include <algorithm>

#include "analyzer/config/config.h"
#include "analyzer/python/notebook.h"
#include "analyzer/python/syntax_tree.h"

namespace np::rewriter {
namespace {

namespace py = analyzer::python;

bool isNotebook(std::string_view path) { return path.ends_with(".ipynb"); }
bool isPython(std::string_view path) {
  return path.ends_with(".py") || path.ends_with(".pyi") || path.ends_with(".pyw");
}

// Error nodes, and tokens that the parser had to invent.
std::size_t errorCount(const py::SyntaxTree& tree) {
  return static_cast<std::size_t>(std::count_if(tree.nodes().begin(), tree.nodes().end(), [](const py::Node& node) {
    return node.kind == py::Kind::Error || (node.has_error && node.first_child == py::kNoNode);
  }));
}

bool codeIsWhole(std::string_view code) {
  const auto tree = py::SyntaxTree::parse(code);
  return tree.ok() && !tree->hasError();
}

bool codeStillParses(std::string_view before, std::string_view after) {
  if (before == after) return true;
  const auto new_tree = py::SyntaxTree::parse(after);
  if (!new_tree.ok()) return false;
  if (!new_tree->hasError()) return true;
  const auto old_tree = py::SyntaxTree::parse(before);
  return old_tree.ok() && old_tree->hasError() && errorCount(*new_tree) <= errorCount(*old_tree);
}

bool notebookStillParses(std::string_view before, std::string_view after) {
  if (!isJson(after)) return false;
  const auto old_book = py::Notebook::parse(SourceText("", std::string(before)));
  const auto new_book = py::Notebook::parse(SourceText("", std::string(after)));
  if (!old_book.ok() || !new_book.ok() || old_book->cells().size() != new_book->cells().size()) return false;
  if (new_book->unendedCells() > old_book->unendedCells()) return false;
  for (std::size_t i = 0; i < old_book->cells().size(); ++i)
    if (!codeStillParses(old_book->cellCode(i), new_book->cellCode(i))) return false;
  return true;
}

}  // namespace

bool stillParses(std::string_view path, std::string_view before, std::string_view after) {
  if (isNotebook(path)) return notebookStillParses(before, after);
  if (isPython(path)) return codeStillParses(before, after);
  return !parsesWhole(path, before) || parsesWhole(path, after);
}

bool parsesWhole(std::string_view path, std::string_view text) {
  if (isPython(path)) return codeIsWhole(text);
  if (path.ends_with(".json")) return isJson(text);
  if (path.ends_with(".toml")) return analyzer::parseConfig(text, std::string(path), true).ok();
  if (!isNotebook(path)) return true;
  const auto book = py::Notebook::parse(SourceText("", std::string(text)));
  if (!book.ok() || book->unendedCells() > 0 || !isJson(text)) return false;
  for (std::size_t i = 0; i < book->cells().size(); ++i)
    if (!codeIsWhole(book->cellCode(i))) return false;
  return true;
}

}  // namespace np::rewriter

// Only module level counts: an import inside a function or a try block binds nothing for the rest of the file.

#include "rewriter/python/imports.h"

#include <algorithm>

#include "analyzer/python/syntax_tree.h"

namespace np::rewriter {
namespace {

namespace py = analyzer::python;

std::string lineEnd(std::string_view text) {
  const std::size_t at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

std::size_t lineStart(std::string_view text, std::size_t at) {
  while (at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r') --at;
  return at;
}

std::size_t nextLine(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') ++at;
  return std::min(at + 1, text.size());
}

bool isDocstring(const py::SyntaxTree& tree, py::NodeId statement) {
  if (!tree.is(statement, py::Kind::ExpressionStatement)) return false;
  const py::NodeId inner = tree.firstChild(statement);
  return tree.is(inner, py::Kind::String) || tree.is(inner, py::Kind::ConcatenatedString);
}

// Where new lines go, always the start of a line (or the end of a text without a final line end).
std::size_t insertionPoint(const py::SyntaxTree& tree, std::string_view text) {
  std::size_t after = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  bool first = true;
  for (const py::NodeId statement : tree.children(0)) {
    const Range range = tree[statement].range;
    const bool is_import =
        tree.is(statement, py::Kind::ImportStatement) || tree.is(statement, py::Kind::ImportFromStatement);
    if (is_import) return std::max(lineStart(text, range.start), after);
    const bool keeps_going = tree.is(statement, py::Kind::FutureImport) || (first && isDocstring(tree, statement));
    if (!keeps_going) break;
    after = nextLine(text, range.end);
    first = false;
  }
  if (after <= 3) {  // shebang, encoding and licence comments stay on top
    while (after < text.size() && text[after] == '#') after = nextLine(text, after);
  }
  return after;
}

bool stands(const py::SyntaxTree& tree, std::string_view text, const std::string& line) {
  for (const py::NodeId statement : tree.children(0)) {
    const Range range = tree[statement].range;
    if (text.substr(range.start, range.end - range.start) == line) return true;
  }
  return false;
}

}  // namespace

std::string insertImports(std::string_view text, const std::vector<std::string>& lines) {
  const auto tree = py::SyntaxTree::parse(text);
  if (!tree.ok() || lines.empty()) return std::string(text);
  const std::string end = lineEnd(text);
  std::string added;
  for (const std::string& line : lines)
    if (!stands(*tree, text, line)) added += line + end;
  if (added.empty()) return std::string(text);
  const std::size_t at = insertionPoint(*tree, text);
  const bool needs_break = at > 0 && at == text.size() && text.back() != '\n' && text.back() != '\r';
  return std::string(text.substr(0, at)) + (needs_break ? end : "") + added + std::string(text.substr(at));
}

}  // namespace np::rewriter

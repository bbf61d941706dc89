// Only module level counts: an import inside a function or a try block binds nothing for the rest of the file.
//
// A line of its own can only stand where no statement goes on: `x = """…` may begin behind a docstring, and end in
// front of an import, on the same line. Such a line end is passed over.

#include "rewriter/python/imports.h"

#include <algorithm>

#include "analyzer/python/syntax_tree.h"

namespace np::rewriter {
namespace {

namespace py = analyzer::python;

bool isLineEnd(char c) { return c == '\n' || c == '\r'; }

// Length of the line end that starts at `at`: 0 when there is none.
std::size_t lineEndLength(std::string_view text, std::size_t at) {
  if (at >= text.size() || !isLineEnd(text[at])) return 0;
  return text.substr(at).starts_with("\r\n") ? 2 : 1;
}

std::size_t lineStart(std::string_view text, std::size_t at) {
  while (at > 0 && !isLineEnd(text[at - 1])) --at;
  return at;
}

std::size_t nextLine(std::string_view text, std::size_t at) {
  at = std::min(text.find_first_of("\r\n", at), text.size());
  return at + lineEndLength(text, at);
}

// The line end of the line before `at`, else of the one at it.
std::string lineEndNear(std::string_view text, std::size_t at) {
  if (at >= 2 && text.substr(at - 2, 2) == "\r\n") return "\r\n";
  if (at >= 1 && isLineEnd(text[at - 1])) return std::string(1, text[at - 1]);
  const std::size_t end = text.find_first_of("\r\n", at);
  return end == std::string_view::npos ? "\n" : std::string(text.substr(end, lineEndLength(text, end)));
}

bool isDocstring(const py::SyntaxTree& tree, py::NodeId statement) {
  if (!tree.is(statement, py::Kind::ExpressionStatement)) return false;
  const py::NodeId inner = tree.firstChild(statement);
  return tree.is(inner, py::Kind::String) || tree.is(inner, py::Kind::ConcatenatedString);
}

// Behind the comments that belong at the top: shebang, encoding (which may stand in the second line), licence.
std::size_t afterTopComments(std::string_view text, std::size_t at) {
  for (int line = 0; at < text.size(); ++line) {
    const std::size_t first = text.find_first_not_of(" \t\f", at);
    const bool is_comment = first != std::string_view::npos && text[first] == '#';
    const bool is_blank = first == std::string_view::npos || isLineEnd(text[first]);
    const std::size_t next = nextLine(text, at);
    const std::size_t after = std::min(text.find_first_not_of(" \t\f", next), text.size());
    // A blank first line does not end the search: the second may name the encoding.
    const bool second_is_comment = line == 0 && is_blank && after < text.size() && text[after] == '#';
    if (!is_comment && !second_is_comment) break;
    at = next;
  }
  return at;
}

// Whether a backslash joins the line at `at` to the one before.
bool joinsPrevious(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  if (before.ends_with('\n')) before.remove_suffix(1);
  if (before.ends_with('\r')) before.remove_suffix(1);
  return before.ends_with('\\');
}

// The first line from `at` on that no statement reaches into.
std::size_t freeLine(const py::SyntaxTree& tree, std::string_view text, std::size_t at) {
  for (const py::NodeId statement : tree.children(0)) {
    const Range range = tree[statement].range;
    if (range.start < at && at < range.end) at = nextLine(text, range.end);
    while (range.start >= at && at < text.size() && joinsPrevious(text, at)) at = nextLine(text, at);
  }
  return at;
}

// Where new lines go, always the start of a line (or the end of a text without a final line end).
std::size_t insertionPoint(const py::SyntaxTree& tree, std::string_view text) {
  const std::size_t bom = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::vector<py::NodeId> statements = tree.children(0);
  std::size_t after = bom;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Range range = tree[statements[i]].range;
    const bool is_import =
        tree.is(statements[i], py::Kind::ImportStatement) || tree.is(statements[i], py::Kind::ImportFromStatement);
    if (is_import) return freeLine(tree, text, std::max(lineStart(text, range.start), after));
    const bool keeps_going =
        tree.is(statements[i], py::Kind::FutureImport) || (i == 0 && isDocstring(tree, statements[i]));
    if (!keeps_going) break;
    after = nextLine(text, range.end);
  }
  return after == bom ? afterTopComments(text, bom) : freeLine(tree, text, after);
}

bool stands(const py::SyntaxTree& tree, std::string_view text, const std::string& line) {
  for (const py::NodeId statement : tree.children(0)) {
    const Range range = tree[statement].range;
    if (text.substr(range.start, range.end - range.start) == line) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> insertImports(std::string_view text, const std::vector<std::string>& lines) {
  if (lines.empty()) return std::string(text);
  const auto tree = py::SyntaxTree::parse(text);
  if (!tree.ok()) return std::nullopt;
  const std::size_t at = insertionPoint(*tree, text);
  const std::string end = lineEndNear(text, at);
  std::string added;
  for (const std::string& line : lines)
    if (!stands(*tree, text, line)) added += line + end;
  if (added.empty()) return std::string(text);
  const bool needs_break = at > 0 && at == text.size() && !isLineEnd(text.back());
  return std::string(text.substr(0, at)) + (needs_break ? end : "") + added + std::string(text.substr(at));
}

}  // namespace np::rewriter

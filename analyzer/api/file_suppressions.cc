// Which bytes are comments is for the parser of each language to say. Most files hold no suppression and are not parsed
// again for it.
//
// A comment is taken away with the blanks before it, and with its line when nothing else stands there. What stays by
// hand: block comments, environment files, whose `#` may be a line of a script in a YAML string.

#include "analyzer/api/file_suppressions.h"

#include <algorithm>

#include "analyzer/project/comments.h"
#include "analyzer/python/syntax_tree.h"

namespace np::analyzer {
namespace {

std::vector<Range> pythonComments(std::string_view bytes) {
  std::vector<Range> out;
  const auto tree = python::SyntaxTree::parse(bytes);
  if (!tree.ok()) return out;
  for (const python::Node& node : tree->nodes())
    if (node.kind == python::Kind::Comment) out.push_back(node.range);
  for (Range& range : out)  // the grammar counts the first half of a CRLF
    while (range.end > range.start && bytes[range.end - 1] == '\r') --range.end;
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Range> commentsOf(const SourceText& code, FileKind kind) {
  switch (kind) {
    case FileKind::Python:
    case FileKind::Notebook:
    case FileKind::Build:
      return pythonComments(code.bytes());
    case FileKind::Environment:
      return code.path().ends_with(".json") ? std::vector<Range>{} : hashComments(code.bytes());
    case FileKind::Cuda:
    case FileKind::CppHeader:
    case FileKind::Cpp:
      return cppComments(code.bytes());
  }
  return {};
}

// What to delete so that neither blanks nor an empty line stay.
Range withSurroundings(const SourceText& text, Range comment) {
  const std::string_view bytes = text.bytes();
  const Range line = text.lineRange(text.lineOf(comment.start));
  if (comment.end < line.end) return comment;  // another comment follows
  Offset start = comment.start;
  while (start > line.start && (bytes[start - 1] == ' ' || bytes[start - 1] == '\t')) --start;
  const Offset first = line.start + (line.start == 0 ? text.bomLength() : 0);
  if (start > first) return {start, comment.end};
  Offset end = line.end;
  if (end < bytes.size() && bytes[end] == '\r') ++end;
  if (end < bytes.size() && bytes[end] == '\n') ++end;
  return {first, end};
}

// The line end behind a cell is ours and stands nowhere in the JSON.
std::vector<Edit> inNotebook(const python::Notebook& notebook, Edit edit) {
  for (const Range& cell : notebook.cells())
    if (edit.range.end == cell.end && edit.range.end > edit.range.start) --edit.range.end;
  return notebook.jsonEdits(edit);
}

}  // namespace

FileSuppressions FileSuppressions::of(const SourceText& text, FileKind kind) {
  FileSuppressions out(text, kind);
  if (!Suppressions::mayHaveSome(text.bytes())) return out;
  if (kind == FileKind::Notebook) {
    auto notebook = python::Notebook::parse(text);
    if (!notebook.ok()) return out;
    out.notebook_ = std::move(*notebook);
    out.code_ = SourceText(text.path(), out.notebook_->code());
  }
  out.comments_ = commentsOf(out.code(), kind);
  out.suppressions_ = Suppressions::parse(out.code(), out.comments_);
  return out;
}

bool FileSuppressions::covers(const Finding& finding) {
  if (suppressions_.all().empty()) return false;
  if (!notebook_) return suppressions_.covers(*text_, finding);
  Finding in_code;
  in_code.rule = finding.rule;
  in_code.range = notebook_->codeRange(finding.range);
  return suppressions_.covers(code_, in_code);
}

// Empty when the comment has to be removed by hand.
Range FileSuppressions::removal(const Suppression& unused) const {
  const std::string_view bytes = code().bytes();
  const auto comment = std::find_if(comments_.begin(), comments_.end(), [&](const Range& range) {
    return range.start <= unused.comment.start && unused.comment.start < range.end;
  });
  if (comment == comments_.end() || kind_ == FileKind::Environment) return {};
  if (bytes[comment->start] == '#') {
    // With its reason, up to somebody else's directive in the same comment.
    const std::string_view rest = code().slice({unused.comment.end, comment->end});
    const std::size_t next = std::min(rest.find('#'), rest.size());
    return withSurroundings(code(), {unused.comment.start, unused.comment.end + static_cast<Offset>(next)});
  }
  const std::string_view whole = code().slice(*comment);
  const bool has_other_text =
      code().slice({comment->start, unused.comment.start}).find_first_not_of('/') != std::string_view::npos;
  if (!whole.starts_with("//") || has_other_text || whole.find('\n') != std::string_view::npos) return {};
  return withSurroundings(code(), *comment);
}

std::vector<Finding> FileSuppressions::unused(const RuleRegistry& rules) const {
  std::vector<Finding> out;
  for (const Suppression& one : suppressions_.unused()) {
    Finding finding = rules.make("NPT0002");
    finding.range = notebook_ ? notebook_->jsonRange(one.comment) : one.comment;
    finding.subject = std::string(code().slice(one.comment));
    finding.message = "this suppression keeps nothing from being reported; remove it";
    finding.locate(*text_);
    const Edit edit{text_->path(), removal(one), ""};
    std::vector<Edit> edits;
    if (!edit.range.empty()) edits = notebook_ ? inNotebook(*notebook_, edit) : std::vector{edit};
    if (!edits.empty())
      finding.fixes.push_back(Fix{FixSafety::Safe, "remove the comment", {}, {}, {}, std::move(edits)});
    out.push_back(std::move(finding));
  }
  return out;
}

}  // namespace np::analyzer

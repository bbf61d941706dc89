// Jupyter notebooks (nbformat 4): the code cells as one Python text, and the way back to the bytes of the JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/result.h"
#include "analyzer/base/source_text.h"

namespace np::analyzer::python {

class Notebook {
 public:
  // Errors: "not-a-notebook" (no JSON, no cells), "nbformat" (another version), "not-python" (another kernel language).
  static Result<Notebook> parse(const SourceText& json);

  // The code cells, joined by line ends. What is not Python in them is masked (notebook_magics.h).
  const std::string& code() const { return code_; }
  // Where each code cell stands in the code.
  const std::vector<Range>& cells() const { return cells_; }
  std::string_view cellCode(std::size_t cell) const {
    return std::string_view(code_).substr(cells_[cell].start, cells_[cell].end - cells_[cell].start);
  }
  // Cells that were left out because a bracket or a string in them does not end.
  std::uint32_t unendedCells() const { return unended_cells_; }

  // Where a piece of the code stands in the JSON; it may span several strings.
  Range jsonRange(Range code) const;
  // The other way; of a place that is in no code cell, the next one that is.
  Offset codeOffset(Offset json) const;
  Range codeRange(Range json) const;
  // The edits of the JSON that make this edit of the code, one for every string that it touches; none when it reaches
  // beyond its cell.
  std::vector<Edit> jsonEdits(const Edit& edit) const;

 private:
  friend class NotebookReader;
  std::string code_;
  std::vector<Range> cells_;
  std::uint32_t unended_cells_ = 0;
  // By byte of code: where its character starts and ends in the JSON, and which string holds it (0: none).
  struct Origin {
    Offset start = 0, end = 0;
    std::uint32_t piece = 0;
  };
  std::vector<Origin> origin_;
};

// `text` as the inside of a JSON string.
std::string escapedForJson(const std::string& text);

}  // namespace np::analyzer::python

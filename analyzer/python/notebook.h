// Jupyter notebooks (nbformat 4): the code cells as one Python text, and the way back to the bytes of the JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/result.h"
#include "analyzer/base/source_text.h"

namespace np::analyzer::python {

class Notebook {
 public:
  // Errors: "not-a-notebook" (no JSON, no cells), "nbformat" (another version), "not-python" (another kernel language).
  static Result<Notebook> parse(const SourceText& json);

  // The code cells, joined by line ends. Magics, shell lines and cells of other languages are blanked.
  const std::string& code() const { return code_; }

  // Where a piece of the code stands in the JSON; it may span several strings.
  Range jsonRange(Range code) const;
  // The edit of the JSON that makes this edit of the code; none when it would reach over the end of a string.
  std::optional<Edit> jsonEdit(const Edit& edit) const;

 private:
  friend class NotebookReader;
  std::string code_;
  // By byte of code: where its character starts and ends in the JSON, and which string holds it (0: none).
  struct Origin {
    Offset start = 0, end = 0;
    std::uint32_t piece = 0;
  };
  std::vector<Origin> origin_;
  Offset json_size_ = 0;
};

// `text` as the inside of a JSON string.
std::string escapedForJson(const std::string& text);

}  // namespace np::analyzer::python

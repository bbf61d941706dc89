// A notebook is analysed as the one Python text of its code cells; what is found is then moved to the JSON, so that
// every consumer sees places in the file that is on disk.

#include <algorithm>

#include "analyzer/python/notebook.h"
#include "analyzer/rules/torch/analyze_python.h"

namespace np::analyzer {
namespace {

// The fix in the JSON; none when one of its edits has no place there.
std::optional<Fix> moved(const Fix& fix, const python::Notebook& notebook) {
  if (!fix.imports.empty()) return std::nullopt;  // where the import belongs is a question of cells
  Fix out = fix;
  out.edits.clear();
  for (const Edit& edit : fix.edits) {
    const std::vector<Edit> json = notebook.jsonEdits(edit);
    if (json.empty()) return std::nullopt;
    out.edits.insert(out.edits.end(), json.begin(), json.end());
  }
  return out;
}

void move(Finding& finding, const SourceText& json, const python::Notebook& notebook) {
  finding.range = notebook.jsonRange(finding.range);
  finding.locate(json);
  for (Related& step : finding.trace) {
    if (step.path != json.path()) continue;  // a place in another file
    step.range = notebook.jsonRange(step.range);
    step.start = json.position(step.range.start);
    step.end = json.position(step.range.end);
  }
  std::vector<Fix> fixes;
  for (const Fix& fix : finding.fixes)
    if (std::optional<Fix> kept = moved(fix, notebook)) fixes.push_back(std::move(*kept));
  if (fixes.size() < finding.fixes.size())
    finding.notes.push_back("its fix needs an import; in a notebook that is by hand");
  finding.fixes = std::move(fixes);
}

}  // namespace

PythonResult analyzeNotebook(const SourceText& json, const PythonContext& context) {
  PythonResult result;
  const Result<python::Notebook> notebook = python::Notebook::parse(json);
  if (!notebook.ok()) {
    result.skipped = notebook.error().message;
    return result;
  }
  const SourceText code(json.path(), notebook->code());
  result = analyzePython(code, context);
  if (!result.partial.empty()) result.partial += " of the joined code cells";
  if (result.partial.empty() && notebook->unendedCells() > 0)
    result.partial = "a bracket or a string does not end in its code cell";
  for (Finding& finding : result.findings) move(finding, json, *notebook);
  std::sort(result.findings.begin(), result.findings.end(), before);
  return result;
}

}  // namespace np::analyzer

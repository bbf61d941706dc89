// Finding, Fix and Edit: what the analysis says about one place, and how that place may be changed.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/source_text.h"

namespace np {

enum class Severity { Hint, Warning, Error };
enum class Effort { None, Minutes, Hours, Rewrite };
// How well the fact behind a rule is established. What is not `Documented` is never fixed automatically.
enum class Evidence { Documented, Inferred, PreBeta };
// Contract "Fix safety": Safe keeps today's CUDA and CPU behaviour; Unsafe is the intended change; Display is a sketch.
enum class FixSafety { Safe, Unsafe, Display };

const char* toString(Severity severity);
const char* toString(Effort effort);
const char* toString(Evidence evidence);
const char* toString(FixSafety safety);

// Replace `range` of `path` by `text`. An insertion has an empty range.
struct Edit {
  std::string path;
  Range range;
  std::string text;
  bool operator==(const Edit&) const = default;
  auto operator<=>(const Edit&) const = default;
};

struct Fix {
  FixSafety safety = FixSafety::Display;
  std::string title;
  std::string min_torch;  // "2.6", empty when any version will do
  // Fixes of one group are applied together or not at all (one device flow); empty: alone.
  std::string group;
  // Modules the new text needs, as `import` lines ("import torch"); the rewriter inserts them once, where none exists.
  std::vector<std::string> imports;
  std::vector<Edit> edits;
};

// A place that explains another: the steps of a trace, or a note.
struct Related {
  std::string path;
  Range range;
  Position start, end;
  std::string message;
};

struct Finding {
  std::string rule;     // "NPT3001"
  std::string name;     // "hard-coded-cuda-device"
  std::string subject;  // the construct, e.g. the API name
  Severity severity = Severity::Warning;
  Effort effort = Effort::Minutes;
  Evidence evidence = Evidence::Documented;
  std::string url;
  std::string path;
  Range range;
  Position start, end;  // filled from the SourceText by whoever creates the finding (see locate)
  std::string message;
  std::vector<std::string> notes;
  std::vector<Related> trace;  // how a value reached this place, first step first
  std::string fingerprint;     // filled by analyzer/api
  std::vector<Fix> fixes;

  void locate(const SourceText& text);
};

// Order of all output: path, offset, rule, subject.
bool before(const Finding& a, const Finding& b);

}  // namespace np

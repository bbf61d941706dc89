// The suppressions of one file: what they keep from being reported, and those that keep nothing (NPT0002).
#pragma once

#include <optional>
#include <vector>

#include "analyzer/project/suppressions.h"
#include "analyzer/project/walk.h"
#include "analyzer/python/notebook.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

class FileSuppressions {
 public:
  // Only real comments count: a string that looks like a suppression is part of the program. In a notebook a line is a
  // line of its code. `text` must outlive the object.
  static FileSuppressions of(const SourceText& text, FileKind kind);

  // True when one covers the finding, which then counts as used.
  bool covers(const Finding& finding);
  // A finding for each of ours that covered nothing, with a fix that takes the comment away where that is certain.
  std::vector<Finding> unused(const RuleRegistry& rules) const;

 private:
  FileSuppressions(const SourceText& text, FileKind kind) : text_(&text), kind_(kind) {}
  const SourceText& code() const { return notebook_ ? code_ : *text_; }
  Range removal(const Suppression& unused) const;

  const SourceText* text_;
  FileKind kind_;
  std::optional<python::Notebook> notebook_;
  SourceText code_;  // of the notebook
  std::vector<Range> comments_;
  Suppressions suppressions_;
};

}  // namespace np::analyzer

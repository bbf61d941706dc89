// Fingerprints: findings keep theirs when lines above them change.
#pragma once

#include <map>
#include <string>

#include "analyzer/base/finding.h"

namespace np::analyzer {

// Hash of rule, path, the finding's lines without white space, and how many equal ones came before in `findings`
// (ordered). `text` is the finding's file.
class Fingerprints {
 public:
  std::string next(const Finding& finding, const SourceText& text);

 private:
  std::map<std::string, int> seen_;
};

}  // namespace np::analyzer

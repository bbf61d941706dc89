// Staging: new contents beside their targets, put in place together.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::rewriter {

struct StagedFile {
  std::filesystem::path target;  // no link
  std::string temporary;         // name of the file beside it
  std::string before, after;
};

class Staging {
 public:
  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();  // removes what was not put in place

  // Writes `after` beside the target, with the target's permissions. False when that cannot be done.
  bool add(StagedFile file);
  // Renames all over their targets. When one cannot be replaced, or holds other bytes than `before`, those done already
  // get their old contents back. Errors: "write", "changed"; `wasRestored` tells whether every file is as it was.
  Result<void> commit();
  bool wasRestored() const { return restored_; }

 private:
  Result<void> replace(const StagedFile& file);
  bool putBack(const StagedFile& file);
  std::vector<StagedFile> files_;
  bool restored_ = true;
};

}  // namespace np::rewriter

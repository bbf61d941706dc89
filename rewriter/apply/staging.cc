// rename() replaces one file at once, but nothing replaces several: if one in the middle fails, the earlier ones are
// put back by the same way. What a crash between two renames leaves is taken back by the journal.

#include "rewriter/apply/staging.h"

#include "rewriter/apply/files.h"

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

fs::path beside(const StagedFile& file) { return file.target.parent_path() / file.temporary; }

}  // namespace

Staging::~Staging() {
  std::error_code ec;
  for (const StagedFile& file : files_) fs::remove(beside(file), ec);
}

bool Staging::add(StagedFile file) {
  if (!writeNewFile(beside(file), file.after, file.target)) return false;
  files_.push_back(std::move(file));
  return true;
}

Result<void> Staging::replace(const StagedFile& file) {
  const std::string shown = file.target.string();
  std::string now;
  if (!readFile(file.target, now) || now != file.before)
    return makeError("changed", "\"" + shown + "\" changed while it was being written; nothing was changed", shown);
  std::error_code ec;
  fs::rename(beside(file), file.target, ec);
  if (ec)
    return makeError("write", "cannot replace \"" + shown + "\": " + ec.message() + "; nothing was changed", shown);
  return {};
}

bool Staging::putBack(const StagedFile& file) {
  std::string now;
  std::error_code ec;
  if (!readFile(file.target, now) || now != file.after) return false;  // somebody else's text by now
  if (!writeNewFile(beside(file), file.before, file.target)) return false;
  fs::rename(beside(file), file.target, ec);
  return !ec;
}

Result<void> Staging::commit() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Result<void> replaced = replace(files_[i]);
    if (replaced.ok()) continue;
    Error error = replaced.error();
    for (std::size_t done = 0; done < i; ++done) {
      if (putBack(files_[done])) continue;
      restored_ = false;
      error.notes.push_back("\"" + files_[done].target.string() + "\" could not be put back: neuron-port fix --undo");
    }
    return error;
  }
  files_.clear();
  return {};
}

}  // namespace np::rewriter

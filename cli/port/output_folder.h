// The folder a port is written to: built under another name, and there only when complete.
#pragma once

#include <string>

#include "analyzer/base/result.h"

namespace np::cli {

class OutputFolder {
 public:
  // Checks that `out` is usable for a port of `source`. Errors (code "out-dir"): it exists and is not empty, one lies
  // inside the other, its parent cannot be written.
  static Result<OutputFolder> create(const std::string& source, const std::string& out);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();  // removes what was not committed

  const std::string& staging() const { return staging_; }
  // Copies the project: regular files, and links that stay inside it; no version control, environments or build output.
  Result<void> copyFrom(const std::string& source);
  // Writes a file (relative path), making folders. Error "out-dir" when the path leaves the folder.
  Result<void> write(const std::string& path, const std::string& text);
  bool exists(const std::string& path) const;
  // Gives the folder its name.
  Result<void> commit();

 private:
  OutputFolder(std::string out, std::string staging) : out_(std::move(out)), staging_(std::move(staging)) {}
  std::string out_, staging_;
};

}  // namespace np::cli

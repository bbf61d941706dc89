// The journal: what every fix replaced, newest last, so that fixes can be taken back one by one, and a fix that was
// killed half-way too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::rewriter {

struct JournalEntry {
  std::string path;        // relative to the root
  std::string temporary;   // name of the new text beside the file until it is in place
  std::string after_hash;  // of the new text
  std::string before;      // the old text
};

// A short name of a text's bytes.
std::string hashText(std::string_view text);

// One process at a time has the journal of a root. A step is prepared, begun before the first file is replaced, and
// finished after the last.
class Journal {
 public:
  // Makes the folder, and clears what a killed run left before it replaced anything. Errors: "write"; "busy" when
  // another process is at work there; "interrupted" when a begun step has to be taken back first.
  static Result<Journal> toAdd(const std::string& root);
  // Errors: "nothing-to-undo", "busy", "write".
  static Result<Journal> toTakeBack(const std::string& root);

  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  // Writes the step down; error "write".
  Result<void> prepare(const std::vector<JournalEntry>& entries) const;
  Result<void> begin() const;
  void finish() const;
  // Forgets the step that was prepared or begun.
  void abandon() const;

  // The step begun or finished last. Errors: "nothing-to-undo"; "journal" when it is damaged; "outside" when it names a
  // file outside the root.
  Result<std::vector<JournalEntry>> newest() const;
  void dropNewest() const;

 private:
  Journal(std::string root, std::filesystem::path folder, int lock)
      : root_(std::move(root)), folder_(std::move(folder)), lock_(lock) {}
  std::filesystem::path newestFolder() const;  // empty when there is none
  void clear(const std::filesystem::path& step) const;
  void removeWhenEmpty() const;

  std::string root_;
  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace np::rewriter

// Results of single files, kept from run to run: keyed by content, with a short cut for files that nobody touched. A
// result may depend on other files too (imports are followed): project() is the digest of all that it was made from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

// 128 bits of a fast hash; not meant to withstand somebody who makes collisions.
struct ContentHash {
  std::uint64_t low = 0, high = 0;
  bool operator==(const ContentHash&) const = default;
  auto operator<=>(const ContentHash&) const = default;
};
ContentHash hashOf(std::string_view bytes);
// Of several parts, in order.
ContentHash hashOf(const std::vector<std::string_view>& parts);

// What the file system says of a file; equal stamps mean that it was not written since.
struct FileStamp {
  std::uint64_t size = 0, inode = 0;
  std::int64_t modified_ns = 0, changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
// None for what is no readable regular file.
std::optional<FileStamp> stampOf(const std::string& file);

class ResultCache {
 public:
  // Results depend on more than the file: `context` is the hash of everything else (tool, options, other files). A
  // cache of another context, of another version or with damage is an empty one. `folder` need not exist.
  static ResultCache open(const std::string& folder, ContentHash context);

  struct Entry {
    FileStamp stamp;
    ContentHash content;
    std::string value;
  };

  // What is stored for a file that was not touched since; null otherwise. A file that was written at about the time of
  // storing could have changed within the clock's resolution: it is not taken.
  const Entry* untouched(std::string_view path, const FileStamp& stamp) const;
  // What is stored for a path, touched or not; null when there is nothing.
  const Entry* entry(std::string_view path) const;

  // The digest that was current when the cache was saved, and the one to save with.
  ContentHash project() const { return project_; }
  void setProject(ContentHash digest) { new_project_ = digest; }

  // Safe to call from several threads. What was neither found nor put in this run is forgotten by save().
  void put(const std::string& path, const FileStamp& stamp, const ContentHash& content, std::string value);
  void keep(const std::string& path);

  // Writes when something changed, by renaming a complete file; readers never see half of one. Errors: "io"; a run can
  // go on without its cache.
  Result<void> save();

 private:
  std::string folder_, file_;
  ContentHash context_, project_, new_project_;
  std::int64_t stored_ns_ = 0;
  std::map<std::string, Entry, std::less<>> old_;
  std::map<std::string, Entry, std::less<>> new_;
  std::vector<std::string> kept_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace np::analyzer

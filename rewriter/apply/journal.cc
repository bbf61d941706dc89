// ROOT/.neuron-port/undo holds a folder a step:
//
//   new       being written; no file was replaced yet
//   begun     written whole; files are being replaced
//   000001 …  done, oldest first
//
// Each has a manifest (hash of the new text, temporary name and path of every file) and the old texts by number. A
// folder gets its next name by rename, so a killed run leaves one of these states and nothing between.
//
// A checkout may bring a journal that somebody made up. Paths that leave the root are refused, links are not followed,
// and only names of our own pattern are removed.

#include "rewriter/apply/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "rewriter/apply/files.h"

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSteps = 20;
constexpr const char *kNew = "new", *kBegun = "begun", *kOld = "old";

Error writeError(const fs::path& path) {
  return makeError("write", "cannot write \"" + path.string() + "\"; nothing was changed", path.string());
}

Error nothingToUndo(const std::string& root) {
  return makeError("nothing-to-undo", "there is no fix to take back in \"" + root + "\"");
}

// Numbers of six digits and more, in order of age.
std::vector<fs::path> doneSteps(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code ec;
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    const std::string name = it->path().filename().string();
    if (name.size() == 6 && name.find_first_not_of("0123456789") == std::string::npos) out.push_back(it->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string nextName(const std::vector<fs::path>& existing) {
  int number = 0;
  if (!existing.empty()) {
    const std::string last = existing.back().filename().string();
    std::from_chars(last.data(), last.data() + last.size(), number);
  }
  const std::string digits = std::to_string(number + 1);
  return std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
}

bool isInside(const std::string& path) {
  const fs::path given(path);
  return !path.empty() && given.is_relative() &&
         std::none_of(given.begin(), given.end(), [](const fs::path& part) { return part == ".."; });
}

// Manifest: "HASH TEMPORARY PATH" and a NUL for every file; a path may hold anything else.
std::string manifestOf(const std::vector<JournalEntry>& entries) {
  std::string out;
  for (const JournalEntry& entry : entries) {
    out += entry.after_hash + " " + entry.temporary + " " + entry.path;
    out += '\0';
  }
  return out;
}

bool readManifest(const fs::path& step, std::vector<JournalEntry>& out) {
  std::string text;
  if (!readFile(step / "manifest", text) || (!text.empty() && text.back() != '\0')) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\0', at), first = text.find(' ', at);
    const std::size_t second = first == std::string::npos ? first : text.find(' ', first + 1);
    if (second == std::string::npos || second > end) return false;
    JournalEntry entry;
    entry.after_hash = text.substr(at, first - at);
    entry.temporary = text.substr(first + 1, second - first - 1);
    entry.path = text.substr(second + 1, end - second - 1);
    if (!isTemporaryName(entry.temporary)) return false;
    out.push_back(std::move(entry));
    at = end + 1;
  }
  return true;
}

// The folder, locked for us. It may not be a link: a repository could lead it anywhere.
Result<int> lock(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return writeError(folder);
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return makeError("busy", "another neuron-port is fixing \"" + folder.parent_path().parent_path().string() + "\"");
}

Result<void> checkNoLink(const fs::path& ours) {
  std::error_code ec;
  for (const fs::path& folder : {ours, ours / "undo"})
    if (fs::is_symlink(folder, ec))
      return makeError("write", "\"" + folder.string() + "\" is a link; remove it", folder.string());
  return {};
}

}  // namespace

std::string hashText(std::string_view text) {
  std::uint64_t h = 1469598103934665603ull;  // FNV-1a
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  std::ostringstream out;
  out << std::hex << h << "-" << std::dec << text.size();
  return out.str();
}

Journal::Journal(Journal&& other) noexcept
    : root_(std::move(other.root_)), folder_(std::move(other.folder_)), lock_(std::exchange(other.lock_, -1)) {}

Journal::~Journal() {
  if (lock_ >= 0) ::close(lock_);
}

Result<Journal> Journal::toAdd(const std::string& root) {
  const fs::path ours = fs::path(root) / ".neuron-port", folder = ours / "undo";
  NP_TRY(checkNoLink(ours));
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) return writeError(folder);
  if (!fs::exists(ours / ".gitignore", ec)) writeNewFile(ours / ".gitignore", "*\n");
  NP_ASSIGN(const int fd, lock(folder));
  Journal out(root, folder, fd);
  if (fs::exists(folder / kBegun, ec))
    return makeError("interrupted", "an earlier fix of \"" + root +
                                        "\" was interrupted; take it back with neuron-port fix --undo, then fix again");
  out.clear(folder / kNew);
  out.clear(folder / kOld);
  return out;
}

Result<Journal> Journal::toTakeBack(const std::string& root) {
  const fs::path ours = fs::path(root) / ".neuron-port", folder = ours / "undo";
  NP_TRY(checkNoLink(ours));
  std::error_code ec;
  if (!fs::is_directory(folder, ec)) return nothingToUndo(root);
  NP_ASSIGN(const int fd, lock(folder));
  Journal out(root, folder, fd);
  out.clear(folder / kNew);
  out.clear(folder / kOld);
  return out;
}

// With the texts that its run had laid beside their targets.
void Journal::clear(const fs::path& step) const {
  std::error_code ec;
  if (!fs::exists(fs::symlink_status(step, ec))) return;
  std::vector<JournalEntry> entries;
  if (readManifest(step, entries))
    for (const JournalEntry& entry : entries)
      if (isInside(entry.path)) fs::remove((fs::path(root_) / entry.path).parent_path() / entry.temporary, ec);
  fs::remove_all(step, ec);
}

Result<void> Journal::prepare(const std::vector<JournalEntry>& entries) const {
  std::error_code ec;
  const fs::path fresh = folder_ / kNew;
  if (!fs::create_directory(fresh, ec)) return writeError(fresh);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!writeNewFile(fresh / std::to_string(i), entries[i].before)) return writeError(fresh);
  if (!writeNewFile(fresh / "manifest", manifestOf(entries))) return writeError(fresh);
  return {};
}

Result<void> Journal::begin() const {
  std::error_code ec;
  fs::rename(folder_ / kNew, folder_ / kBegun, ec);
  if (ec) return writeError(folder_ / kBegun);
  return {};
}

void Journal::finish() const {
  std::error_code ec;
  const std::vector<fs::path> existing = doneSteps(folder_);
  fs::rename(folder_ / kBegun, folder_ / nextName(existing), ec);
  for (std::size_t i = 0; i + kMostSteps <= existing.size(); ++i) fs::remove_all(existing[i], ec);
}

void Journal::abandon() const {
  std::error_code ec;
  fs::remove_all(folder_ / kNew, ec);
  fs::remove_all(folder_ / kBegun, ec);
  removeWhenEmpty();
}

fs::path Journal::newestFolder() const {
  std::error_code ec;
  if (fs::is_directory(folder_ / kBegun, ec)) return folder_ / kBegun;
  const std::vector<fs::path> existing = doneSteps(folder_);
  return existing.empty() ? fs::path() : existing.back();
}

Result<std::vector<JournalEntry>> Journal::newest() const {
  const fs::path step = newestFolder();
  if (step.empty()) return nothingToUndo(root_);
  const auto damaged = [&](const std::string& what) {
    return makeError("journal", "cannot take back: \"" + step.string() + "\" " + what, step.string());
  };
  std::vector<JournalEntry> out;
  if (!readManifest(step, out)) return damaged("is damaged");
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!isInside(out[i].path))
      return makeError("outside", "\"" + out[i].path + "\" lies outside \"" + root_ + "\"; nothing was taken back");
    if (!readFile(step / std::to_string(i), out[i].before)) return damaged("lacks the text of \"" + out[i].path + "\"");
  }
  return out;
}

void Journal::dropNewest() const {
  std::error_code ec;
  const fs::path step = newestFolder();
  // First out of sight: what is deleted half-way must not be found again.
  fs::rename(step, folder_ / kOld, ec);
  fs::remove_all(ec ? step : folder_ / kOld, ec);
  removeWhenEmpty();
}

// Without a step the folder is of no use to anybody; other folders beside it keep theirs.
void Journal::removeWhenEmpty() const {
  if (!newestFolder().empty()) return;
  std::error_code ec;
  const fs::path ours = folder_.parent_path();
  fs::remove_all(folder_, ec);
  const bool alone = std::none_of(fs::directory_iterator(ours, ec), fs::directory_iterator(),
                                  [](const fs::directory_entry& e) { return e.path().filename() != ".gitignore"; });
  if (!ec && alone) fs::remove_all(ours, ec);
}

}  // namespace np::rewriter

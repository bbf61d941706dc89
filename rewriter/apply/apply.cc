// The order makes every interruption harmless: check, write the journal, stage, mark the step as begun, rename, mark it
// as done. Before the mark nothing was replaced; after it `undoTexts` knows both texts of every file and takes either.

#include "rewriter/apply/apply.h"

#include <filesystem>

#include "rewriter/apply/files.h"
#include "rewriter/apply/journal.h"
#include "rewriter/apply/staging.h"

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

Error writeError(const std::string& path) {
  return makeError("write", "cannot write \"" + path + "\"; nothing was changed", path);
}

// Where the file really is, when it may be replaced.
Result<fs::path> replaceable(const std::string& root, const std::string& path) {
  const std::string reason = whyNotReplaceable(root, path);
  if (!reason.empty()) return makeError("write", "\"" + path + "\" " + reason + "; nothing was changed", path);
  std::error_code ec;
  fs::path out = fs::canonical(fs::path(root) / path, ec);
  if (ec) return writeError(path);
  return out;
}

// Ends a step that could not be carried out. One that could not be put back whole stays for `undoTexts`.
void giveUp(const Journal& journal, const Staging& staging) {
  if (staging.wasRestored()) journal.abandon();
}

}  // namespace

Result<void> applyTexts(const std::string& root, const std::vector<NewText>& texts) {
  if (texts.empty()) return {};
  std::vector<StagedFile> files;
  std::vector<JournalEntry> entries;
  for (const NewText& text : texts) {
    NP_ASSIGN(const fs::path target, replaceable(root, text.path));
    std::string now;
    if (!readFile(target, now) || now != text.before)
      return makeError("changed", "\"" + text.path + "\" changed while it was being fixed; nothing was written",
                       text.path);
    files.push_back({target, temporaryName(), text.before, text.after});
    entries.push_back({text.path, files.back().temporary, hashText(text.after), text.before});
  }
  NP_ASSIGN(const Journal journal, Journal::toAdd(root));
  Staging staging;
  Result<void> done = journal.prepare(entries);
  for (std::size_t i = 0; done.ok() && i < files.size(); ++i)
    if (!staging.add(std::move(files[i]))) done = writeError(texts[i].path);
  if (done.ok()) done = journal.begin();
  if (done.ok()) done = staging.commit();
  if (done.ok())
    journal.finish();
  else
    giveUp(journal, staging);
  return done;
}

Result<std::vector<std::string>> undoTexts(const std::string& root) {
  NP_ASSIGN(const Journal journal, Journal::toTakeBack(root));
  NP_ASSIGN(const std::vector<JournalEntry> entries, journal.newest());
  Staging staging;
  std::vector<std::string> paths, reasons;
  for (const JournalEntry& entry : entries) {
    std::error_code ec;
    const fs::path shown = fs::path(root) / entry.path, target = fs::canonical(shown, ec);
    fs::remove(shown.parent_path() / entry.temporary, ec);  // of the run that was killed
    std::string now;
    const bool is_there = readFile(target, now);
    if (!is_there || (hashText(now) != entry.after_hash && now != entry.before)) {
      reasons.push_back("\"" + entry.path + "\" was " + (is_there ? "edited" : "removed") + " since the fix");
      continue;
    }
    paths.push_back(entry.path);
    if (now == entry.before) continue;
    NP_TRY(replaceable(root, entry.path));
    if (!staging.add({target, entry.temporary, now, entry.before})) return writeError(entry.path);
  }
  if (!reasons.empty()) {
    Error error = makeError("changed", reasons[0] + "; nothing was taken back");
    error.notes.assign(reasons.begin() + 1, reasons.end());
    return error;
  }
  NP_TRY(staging.commit());
  journal.dropNewest();
  return paths;
}

}  // namespace np::rewriter

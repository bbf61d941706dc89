// The journal is one folder: a manifest with a line per file (hash of the new text, path) and the old bytes numbered.
// It is complete before the first rename, so an interrupted run can be undone as well.

#include "rewriter/apply/apply.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "analyzer/base/process.h"

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

fs::path journal(const std::string& root) { return fs::path(root) / ".neuron-port/undo"; }

// A checkout may ship a manifest of its own: a path that leads out of the root, by "..", from "/" or through a link, is
// never written.
bool staysInside(const std::string& root, const fs::path& target) {
  std::error_code ec;
  const fs::path base = fs::weakly_canonical(root, ec);
  if (ec) return false;
  const fs::path inside = fs::weakly_canonical(target, ec).lexically_relative(base);
  return !ec && !inside.empty() && *inside.begin() != "..";
}

std::string hashText(std::string_view text) {
  std::uint64_t h = 1469598103934665603ull;  // FNV-1a
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  std::ostringstream out;
  out << std::hex << h << "-" << std::dec << text.size();
  return out.str();
}

bool readBytes(const fs::path& path, std::string& out) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  out = bytes.str();
  return static_cast<bool>(in);
}

bool writeBytes(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  return static_cast<bool>(out);
}

Error writeError(const std::string& path) {
  return makeError("write", "cannot write \"" + path + "\"; nothing was changed", path);
}

// Temporary files beside their targets; removed unless renamed.
class Staging {
 public:
  ~Staging() {
    std::error_code ec;
    for (const auto& [temporary, target] : files_) fs::remove(temporary, ec);
  }
  bool add(const fs::path& target, std::string_view bytes) {
    std::error_code ec;
    const fs::path real = fs::is_symlink(target, ec) ? fs::canonical(target, ec) : target;
    const fs::path temporary = real.parent_path() / (real.filename().string() + ".neuron-port-new");
    if (!writeBytes(temporary, bytes)) return false;
    files_.emplace_back(temporary, real);
    const fs::file_status status = fs::status(real, ec);
    if (!ec) fs::permissions(temporary, status.permissions(), ec);
    return true;
  }
  Result<void> commit() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      std::error_code ec;
      fs::rename(files_[i].first, files_[i].second, ec);
      if (ec)
        return makeError("write", "cannot replace \"" + files_[i].second.string() + "\": " + ec.message() +
                                      "; run neuron-port fix --undo");
    }
    files_.clear();
    return {};
  }

 private:
  std::vector<std::pair<fs::path, fs::path>> files_;
};

}  // namespace

Result<void> applyTexts(const std::string& root, const std::vector<NewText>& texts) {
  if (texts.empty()) return {};
  Staging staging;
  std::error_code ec;
  const fs::path folder = journal(root), fresh = folder.string() + ".new";
  fs::remove_all(fresh, ec);
  if (!fs::create_directories(fresh, ec)) return writeError(fresh.string());
  std::ofstream manifest(fresh / "manifest", std::ios::binary);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string now;
    const fs::path target = fs::path(root) / texts[i].path;
    if (!readBytes(target, now) || now != texts[i].before) {
      fs::remove_all(fresh, ec);
      return makeError("changed", "\"" + texts[i].path + "\" changed while it was being fixed; nothing was written",
                       texts[i].path);
    }
    if (!staging.add(target, texts[i].after) || !writeBytes(fresh / std::to_string(i), texts[i].before)) {
      fs::remove_all(fresh, ec);
      return writeError(texts[i].path);
    }
    manifest << hashText(texts[i].after) << " " << texts[i].path << "\n";
  }
  manifest.close();
  if (!manifest) return writeError((fresh / "manifest").string());
  fs::remove_all(folder, ec);
  fs::rename(fresh, folder, ec);
  if (ec) return writeError(folder.string());
  writeBytes(folder.parent_path() / ".gitignore", "*\n");
  return staging.commit();
}

Result<std::vector<std::string>> undoTexts(const std::string& root) {
  const fs::path folder = journal(root);
  std::string manifest;
  if (!fs::exists(folder / "manifest") || !readBytes(folder / "manifest", manifest))
    return makeError("nothing-to-undo", "there is no fix to take back in \"" + root + "\"");
  Staging staging;
  std::vector<std::string> paths;
  std::istringstream lines(manifest);
  std::string hash, path;
  for (std::size_t i = 0; lines >> hash && std::getline(lines >> std::ws, path); ++i) {
    std::string now, before;
    if (!staysInside(root, fs::path(root) / path))
      return makeError("outside", "\"" + path + "\" lies outside \"" + root + "\"; nothing was taken back", path);
    if (!readBytes(fs::path(root) / path, now) || !readBytes(folder / std::to_string(i), before))
      return writeError(path);
    if (hashText(now) != hash && now != before)
      return makeError("changed", "\"" + path + "\" was edited since the fix; take it back by hand or restore it first",
                       path);
    if (!staging.add(fs::path(root) / path, before)) return writeError(path);
    paths.push_back(path);
  }
  NP_TRY(staging.commit());
  std::error_code ec;
  fs::remove_all(folder, ec);
  return paths;
}

bool hasUncommittedChanges(const std::string& root) {
  ProcessRequest request;
  // Hooks and monitors of an untrusted repository are not run.
  request.argv = {"git",
                  "-c",
                  "core.fsmonitor=false",
                  "-c",
                  "core.hooksPath=/dev/null",
                  "-C",
                  root,
                  "status",
                  "--porcelain",
                  "--untracked-files=no",
                  "--",
                  "."};
  request.timeout = std::chrono::seconds(30);
  const auto result = runProcess(request);
  return result.ok() && result->exit_code == 0 && !result->out.empty();
}

}  // namespace np::rewriter

// Staged beside its final place, so that the last step is one rename on one file system.

#include "cli/port/output_folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace np::cli {
namespace {

namespace fs = std::filesystem;

Error outError(const std::string& message, const std::string& path) { return makeError("out-dir", message, path); }

bool isInside(const fs::path& inner, const fs::path& outer) {
  const fs::path relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

bool leftOut(const std::string& name) {
  static const std::set<std::string> kNames = {".git",          ".hg",         ".svn",         ".venv", "venv",
                                               "node_modules",  "__pycache__", ".tox",         ".nox",  ".mypy_cache",
                                               ".pytest_cache", ".ruff_cache", ".neuron-port", "build", "dist"};
  return kNames.contains(name) || name.ends_with(".egg-info");
}

}  // namespace

Result<OutputFolder> OutputFolder::create(const std::string& source, const std::string& out) {
  std::error_code ec;
  const fs::path from = fs::weakly_canonical(source, ec), to = fs::weakly_canonical(fs::absolute(out), ec);
  if (isInside(to, from))
    return outError("output folder \"" + out + "\" lies inside the project \"" + source + "\"; choose one outside",
                    out);
  if (isInside(from, to))
    return outError("the project \"" + source + "\" lies inside output folder \"" + out + "\"; choose another", out);
  if (fs::exists(to, ec) && (!fs::is_directory(to, ec) || !fs::is_empty(to, ec)))
    return outError("output folder \"" + out + "\" exists and is not empty; remove it or choose another", out);
  const fs::path staging =
      to.parent_path() / (to.filename().string() + ".neuron-port-partial-" + std::to_string(getpid()));
  if (!fs::create_directories(staging, ec) || access(staging.c_str(), W_OK) != 0)
    return outError("cannot write output folder \"" + out + "\"" + (ec ? ": " + ec.message() : ""), out);
  return OutputFolder(to.string(), staging.string());
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : out_(std::move(other.out_)), staging_(std::move(other.staging_)) {
  other.staging_.clear();
}

OutputFolder::~OutputFolder() {
  std::error_code ec;
  if (!staging_.empty()) fs::remove_all(staging_, ec);
}

Result<void> OutputFolder::copyFrom(const std::string& source) {
  std::error_code ec;
  const fs::path root = fs::weakly_canonical(source, ec);
  for (auto it = fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied, ec);
       it != fs::recursive_directory_iterator(); it.increment(ec)) {
    if (ec) return makeError("io", "cannot read \"" + root.string() + "\": " + ec.message());
    const fs::path relative = it->path().lexically_relative(root), target = fs::path(staging_) / relative;
    if (leftOut(it->path().filename().string())) {
      it.disable_recursion_pending();
      continue;
    }
    if (it->is_symlink(ec)) {
      // A link that leaves the project would make OUT depend on, or write into, something else.
      const fs::path end = fs::weakly_canonical(it->path(), ec);
      if (!isInside(end, root) || fs::is_directory(end, ec)) continue;
    }
    if (it->is_directory(ec))
      fs::create_directories(target, ec);
    else if (it->is_regular_file(ec))
      fs::copy_file(it->path(), target, ec);
    if (ec) return makeError("io", "cannot copy \"" + relative.string() + "\": " + ec.message());
  }
  return {};
}

Result<void> OutputFolder::write(const std::string& path, const std::string& text) {
  const fs::path relative = fs::path(path).lexically_normal();
  if (relative.empty() || relative.is_absolute() || *relative.begin() == "..")
    return outError("\"" + path + "\" would lie outside the output folder", path);
  const fs::path target = fs::path(staging_) / relative;
  std::error_code ec;
  fs::create_directories(target.parent_path(), ec);
  if (fs::is_symlink(target, ec)) fs::remove(target, ec);
  std::ofstream out(target, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) return outError("cannot write \"" + path + "\"", path);
  return {};
}

bool OutputFolder::exists(const std::string& path) const {
  std::error_code ec;
  return fs::exists(fs::path(staging_) / path, ec);
}

Result<void> OutputFolder::commit() {
  std::error_code ec;
  fs::remove(out_, ec);  // an empty folder
  fs::rename(staging_, out_, ec);
  if (ec) return outError("cannot name the output folder \"" + out_ + "\": " + ec.message(), out_);
  staging_.clear();
  return {};
}

}  // namespace np::cli

// Precedence: command line, then configuration file, then defaults. Lists of `ignore` and `exclude` add up; `select`
// replaces.

#include "cli/commands/project_request.h"

#include <filesystem>
#include <iostream>
#include <iterator>

#include "analyzer/base/source_text.h"
#include "analyzer/config/config.h"
#include "analyzer/config/config_tree.h"
#include "analyzer/project/changed_files.h"
#include "cli/commands/project_root.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;

void append(std::vector<std::string>& into, const std::vector<std::string>& from) {
  into.insert(into.end(), from.begin(), from.end());
}

std::string folderOf(const std::string& file) {
  const fs::path parent = fs::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

// The path, relative to the root, of the file that standard input stands for.
Result<std::string> standInName(const std::string& file, const std::string& root) {
  if (file.empty()) return std::string("stdin.py");
  std::error_code ec;
  const fs::path whole = fs::weakly_canonical(fs::absolute(folderOf(file), ec), ec) / fs::path(file).filename();
  const std::string name = whole.lexically_relative(root).generic_string();
  analyzer::FileKind kind{};
  if (name.empty() || name.starts_with("..") || !analyzer::fileKind(name, kind))
    return makeError("usage", "standard input cannot stand for \"" + file + "\": no kind of file that is analysed");
  return name;
}

}  // namespace

Result<analyzer::AnalyzeRequest> projectRequest(Invocation& invocation) {
  analyzer::AnalyzeRequest out;
  const bool from_stdin = invocation.paths.size() == 1 && invocation.paths[0] == "-";
  const std::vector<std::string> named = from_stdin ? std::vector<std::string>{} : invocation.paths;
  std::error_code ec;
  for (const std::string& path : named)
    if (!fs::exists(path, ec)) return makeError("not-found", "no such file or directory \"" + path + "\"");
  const std::vector<std::string> place =
      invocation.stdin_filename.empty() ? named : std::vector<std::string>{folderOf(invocation.stdin_filename)};
  if (!fs::is_directory(place.empty() ? "." : place[0], ec) && from_stdin)
    return makeError("not-found", "no folder \"" + place[0] + "\" for the file \"" + invocation.stdin_filename + "\"");
  out.root = projectRoot(place);

  analyzer::Config config;
  if (!invocation.config.empty()) {
    NP_ASSIGN(config, analyzer::loadConfig(invocation.config));
  } else if (!invocation.isolated) {
    NP_ASSIGN(config, analyzer::discoverConfig(out.root));
    out.root_config = config;
  }
  if (invocation.fail_on.empty()) invocation.fail_on = config.fail_on;
  if (invocation.target.empty()) invocation.target = config.target;

  out.walk.exclude = config.exclude;
  append(out.walk.exclude, invocation.exclude);
  out.walk.force_exclude = invocation.force_exclude;
  if (from_stdin) {
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    if (!isValidUtf8(text)) return makeError("not-utf8", "standard input is not valid UTF-8");
    NP_ASSIGN(const std::string name, standInName(invocation.stdin_filename, out.root));
    out.overlay[name] = std::move(text);
    out.walk.paths = {"-"};
  } else {
    out.walk.paths = invocation.paths;
    if (out.walk.paths.empty()) out.walk.paths = {"."};
  }
  if (!invocation.since.empty()) {
    NP_ASSIGN(out.walk.only, analyzer::changedSince(out.root, invocation.since));
    out.walk.only.push_back("\x01");  // an empty list would mean no restriction
  }
  out.command_line = {invocation.select, invocation.extend_select, invocation.ignore};
  out.selection = analyzer::selectionFor(config, out.command_line);
  out.neuron_target = invocation.target == "neuron";
  out.min_torch = config.min_torch;
  out.jobs = invocation.jobs;
  out.strict = invocation.strict;
  return out;
}

}  // namespace np::cli

// Walks a project: which files there are and what kind each is.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

// Environment: what says which versions and settings a project runs with (requirements, Dockerfile, workflow …).
enum class FileKind { Python, Notebook, Cuda, CppHeader, Cpp, Build, Environment };

struct ProjectFile {
  std::string path;  // relative to the root, '/' separators
  FileKind kind = FileKind::Python;
};

struct WalkOptions {
  std::vector<std::string> paths;    // files or folders, relative to the working directory or absolute; empty: the root
  std::vector<std::string> exclude;  // gitignore patterns
  bool force_exclude = false;        // exclude also what `paths` names
  std::vector<std::string> only;     // when not empty: only these files (relative to the root)
};

// A file or folder that is there but cannot be looked at: no permission, a link that leads nowhere.
struct Unreadable {
  std::string path;
  std::string reason;
};

struct Walk {
  std::string root;                      // absolute
  std::vector<ProjectFile> files;        // sources, ordered by path
  std::vector<ProjectFile> environment;  // files of kind Environment, ordered by path
  std::vector<Unreadable> unreadable;    // ordered by path
};

// The project root of a path: the nearest folder at or above it with pyproject.toml, setup.py, .git or
// neuron-port.toml; the path itself (or its folder) when there is none.
std::string findProjectRoot(const std::string& path);

// Errors: "not-found" for a path that does not exist, "no-sources" for a folder without anything to analyse. Symbolic
// links to folders are not followed; a file reached twice is listed once. Faults of single files are in `unreadable`.
Result<Walk> walkProject(const std::string& root, const WalkOptions& options);

// Environment files beyond this size are data.
inline constexpr std::size_t kLargestEnvironmentBytes = 512u << 10;

// The kind by name; false when the file is none of ours.
bool fileKind(const std::string& path, FileKind& kind);

}  // namespace np::analyzer

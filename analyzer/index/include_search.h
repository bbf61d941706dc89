// Which folders a file's #includes are found in when no compile command says so.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace np::analyzer {

// Headers named by the #include directives of `bytes`, in order; conditions are not evaluated.
std::vector<std::string> includedNames(std::string_view bytes);

// The files of a project and what each includes.
class IncludeSearch {
 public:
  // `path` is relative to the root, with forward slashes.
  void add(const std::string& path, std::vector<std::string> included);

  // Folders, relative to the root, that must be searched besides `given` so that everything `path` includes, directly
  // or through headers of the project, is found where the project has such a file. Of several files that a name can
  // mean, the nearest to the includer is taken; the folders stand in the order of need.
  std::vector<std::string> foldersFor(const std::string& path, const std::vector<std::string>& given) const;

 private:
  std::string nearest(const std::string& includer, const std::string& name) const;

  std::map<std::string, std::vector<std::string>> included_;       // path → names
  std::map<std::string, std::vector<std::string>> paths_by_last_;  // last part of the path → paths
};

}  // namespace np::analyzer

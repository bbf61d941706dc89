// A list of patterns, each as one would say it. JSON files are mostly data, so only those with a telling name count.

#include "analyzer/project/environment_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "analyzer/project/ignore.h"

namespace np::analyzer {
namespace {

constexpr std::array<std::string_view, 27> kNames = {"*requirements*.txt",
                                                     "*constraints*.txt",
                                                     "*requirements*.in",
                                                     "*constraints*.in",
                                                     "pyproject.toml",
                                                     "setup.cfg",
                                                     "tox.ini",
                                                     "pipfile",
                                                     ".python-version",
                                                     "dockerfile",
                                                     "dockerfile.*",
                                                     "*.dockerfile",
                                                     "containerfile",
                                                     "*.sh",
                                                     "*.bash",
                                                     "*.slurm",
                                                     "*.sbatch",
                                                     "*.yml",
                                                     "*.yaml",
                                                     "*.toml",
                                                     "*config*.json",
                                                     "*ds_*.json",
                                                     "ds*.json",
                                                     "*deepspeed*.json",
                                                     "accelerate*.json",
                                                     "hparams*.json",
                                                     "train*.json"};

}  // namespace

bool isEnvironmentName(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  if (std::any_of(kNames.begin(), kNames.end(), [&](std::string_view glob) { return globMatches(glob, name); }))
    return true;
  // requirements/base.txt
  const std::string_view folder = path.substr(0, path.size() - std::min(path.size(), name.size() + 1));
  const bool in_requirements = folder == "requirements" || folder.ends_with("/requirements");
  return in_requirements && (name.ends_with(".txt") || name.ends_with(".in"));
}

}  // namespace np::analyzer

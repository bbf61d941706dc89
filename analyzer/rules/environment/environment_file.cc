// Kinds by name, and findings at places in the text.

#include "analyzer/rules/environment/environment_file.h"

namespace np::analyzer {
namespace {

bool hasAny(std::string_view text, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

EnvironmentKind environmentKind(std::string_view path) {
  const auto slash = path.rfind('/');
  const std::string name = lowered(slash == std::string_view::npos ? path : path.substr(slash + 1));
  const std::string folder = lowered(slash == std::string_view::npos ? "" : path.substr(0, slash));
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  const bool yaml = ends(".yml") || ends(".yaml");
  if (name == "pyproject.toml" || name == "pipfile") return EnvironmentKind::Pyproject;
  if (name == "setup.cfg") return EnvironmentKind::SetupCfg;
  if (name == ".python-version" || name == "runtime.txt") return EnvironmentKind::PythonVersion;
  if (name.starts_with("dockerfile") || ends(".dockerfile") || name.starts_with("containerfile"))
    return EnvironmentKind::Dockerfile;
  if ((ends(".txt") || ends(".in")) &&
      (hasAny(name, {"requirement", "constraint"}) || folder.ends_with("requirements")))
    return EnvironmentKind::Requirements;
  if (yaml &&
      (name.starts_with("environment") || name.starts_with("conda") || name.starts_with("env.") || name == "env.yaml"))
    return EnvironmentKind::Conda;
  if (yaml && hasAny(folder, {".github/workflows"})) return EnvironmentKind::Workflow;
  if (yaml) return EnvironmentKind::Yaml;
  for (std::string_view end : {".sh", ".bash", ".slurm", ".sbatch", ".zsh"})
    if (ends(end)) return EnvironmentKind::Shell;
  if (ends(".toml")) return EnvironmentKind::Toml;
  if (ends(".json") && hasAny(name, {"config", "ds_", "deepspeed", "accelerate", "hparams", "train", "zero"}))
    return EnvironmentKind::Json;
  return EnvironmentKind::None;
}

Range EnvironmentFile::rangeOf(std::string_view place) const {
  const auto start = static_cast<Offset>(place.data() - text_.bytes().data());
  return {start, static_cast<Offset>(start + place.size())};
}

Finding* EnvironmentFile::add(std::string_view rule, std::string_view place, std::string subject, std::string message) {
  const Range range = rangeOf(place);
  for (const Finding& finding : findings_)
    if (finding.rule == rule && finding.range == range) return nullptr;
  if (full()) return nullptr;
  Finding finding = registry_.make(rule);
  finding.path = text_.path();
  finding.range = range;
  finding.subject = std::move(subject);
  finding.message = std::move(message);
  finding.locate(text_);
  findings_.push_back(std::move(finding));
  return &findings_.back();
}

void EnvironmentFile::sketch(Finding& finding, std::string_view place, std::string replacement,
                             std::string title) const {
  Fix fix;
  fix.safety = FixSafety::Display;
  fix.title = std::move(title);
  fix.edits.push_back({text_.path(), rangeOf(place), std::move(replacement)});
  finding.fixes.push_back(std::move(fix));
}

}  // namespace np::analyzer

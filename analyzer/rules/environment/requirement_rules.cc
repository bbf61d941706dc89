// NPT5101 python-version-wall, NPT5102 torch-version-wall, NPT5103 cuda-build-of-torch, NPT5104 cuda-only-requirement
//
// TorchNeuron ships for Python 3.12 to 3.14 and torch 2.13 and 2.14. A project that pins something older cannot be
// installed beside it whatever its code looks like, so these come first in every report. Requirements are looked for
// where files of the kind write them: lines, list items, quoted strings of TOML, words after `pip install`.

#include <cctype>

#include "analyzer/rules/environment/distributions.h"
#include "analyzer/rules/environment/environment_file.h"
#include "analyzer/rules/environment/versions.h"

namespace np::analyzer {
namespace {

struct Requirement {
  std::string_view whole, name, specifier;
};

bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.'; }

// "torch[extra] >=1.13,<2 ; marker", "pytorch=1.13=py3_cuda", "torch==2.1.0+cu118".
Requirement readRequirement(std::string_view text) {
  text = trimmed(text);
  Requirement out{text, {}, {}};
  std::size_t end = 0;
  while (end < text.size() && isNameChar(text[end])) ++end;
  out.name = text.substr(0, end);
  std::string_view rest = trimmed(text.substr(end));
  if (rest.starts_with('[')) {
    const auto close = rest.find(']');
    rest = close == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(close + 1));
  }
  rest = trimmed(rest.substr(0, rest.find(';')));
  if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
  out.specifier = rest;
  return out;
}

// "; sys_platform == 'darwin'": Neuron's machines run Linux.
bool isForOtherSystem(std::string_view requirement) {
  const auto marker = requirement.find(';');
  if (marker == std::string_view::npos) return false;
  const std::string text = lowered(requirement.substr(marker));
  for (std::string_view system : {"darwin", "win32", "windows", "aarch64", "arm64"})
    if (text.find(system) != std::string::npos && text.find("!=") == std::string::npos &&
        text.find(" or ") == std::string::npos)
      return true;
  return false;
}

void torchRequirement(EnvironmentFile& file, const Requirement& requirement) {
  const std::string_view specifier = requirement.specifier;
  const auto local = specifier.find("+cu");
  if (local != std::string_view::npos || specifier.find("cuda") != std::string_view::npos)
    file.add("NPT5103", requirement.whole, std::string(requirement.whole),
             "names a CUDA build; neuron takes the plain build of torch");
  if (specifier.empty() || admitsNeuronTorch(specifier.substr(0, local))) return;
  Finding* finding = file.add("NPT5102", requirement.whole, std::string(requirement.whole),
                              "TorchNeuron needs torch 2.13 or 2.14, which this does not admit");
  if (finding) file.sketch(*finding, specifier, ">=2.13,<2.15", "allow torch 2.13 and 2.14");
}

void pythonRequirement(EnvironmentFile& file, std::string_view place, std::string_view specifier) {
  specifier = unquoted(trimmed(specifier));
  if (specifier.empty() || specifier.find_first_of("0123456789") == std::string_view::npos ||
      admitsNeuronPython(specifier))
    return;
  Finding* finding = file.add("NPT5101", place, std::string(place),
                              "TorchNeuron needs Python 3.12, 3.13 or 3.14, which this does not admit");
  if (finding && file.kind() == EnvironmentKind::Pyproject)
    file.sketch(*finding, specifier, ">=3.12,<3.15", "allow Python 3.12 to 3.14");
}

void judge(EnvironmentFile& file, const Requirement& requirement) {
  if (requirement.name.size() < 2 || isForOtherSystem(requirement.whole)) return;
  const std::string name = normalisedName(requirement.name);
  if (name == "torch" || name == "pytorch" || name == "torch-cpu") return torchRequirement(file, requirement);
  if (name == "python" || name == "python-version")
    return pythonRequirement(file, requirement.whole, requirement.specifier);
  if (isCudaToolkit(name)) {
    file.add("NPT5103", requirement.whole, std::string(requirement.name), "brings CUDA; neuron needs none of it");
  } else if (const Distribution* known = cudaDistribution(name)) {
    if (Finding* finding = file.add("NPT5104", requirement.whole, std::string(requirement.name),
                                    "needs CUDA; on neuron: " + std::string(known->instead)))
      finding->severity = known->severity;
  } else if (requirement.specifier.find("+cu") != std::string_view::npos) {
    file.add("NPT5103", requirement.whole, std::string(requirement.whole),
             "names a CUDA build; neuron takes the plain build");
  }
}

// Package indexes of CUDA builds: ".../whl/cu118". Words do not reach over '=' and so on, which URLs hold.
void indexOf(EnvironmentFile& file, std::string_view line) {
  for (std::size_t at = line.find("/whl/cu"); at != std::string_view::npos; at = line.find("/whl/cu", at + 1)) {
    std::size_t start = line.find_last_of(" =\"'", at), end = line.find_first_of(" \"'", at);
    start = start == std::string_view::npos ? 0 : start + 1;
    const std::string_view url = line.substr(start, end == std::string_view::npos ? end : end - start);
    if (at + 7 < line.size() && std::isdigit(static_cast<unsigned char>(line[at + 7])))
      file.add("NPT5103", url, std::string(url), "an index of CUDA builds; neuron takes the plain build of torch");
  }
}

// `pip install A B==1`, also with uv, poetry, conda and mamba.
void installCommand(EnvironmentFile& file, std::string_view line) {
  std::size_t at = std::string_view::npos;
  for (std::string_view verb :
       {"pip install", "pip3 install", "uv add", "conda install", "mamba install", "poetry add"})
    if (const auto found = line.find(verb); found != std::string_view::npos) at = std::min(at, found + verb.size());
  if (at == std::string_view::npos) return;
  std::string_view rest = line.substr(at);
  rest = rest.substr(0, rest.find_first_of("&|;"));
  while (!rest.empty()) {
    rest = trimmed(rest);
    const char quote = !rest.empty() && (rest[0] == '"' || rest[0] == '\'') ? rest[0] : 0;
    const auto end = quote ? rest.find(quote, 1) : rest.find_first_of(" \t");
    const std::string_view word =
        quote ? rest.substr(1, end == std::string_view::npos ? end : end - 1) : rest.substr(0, end);
    if (!word.starts_with('-') && word.find("://") == std::string_view::npos &&
        word.find('/') == std::string_view::npos)
      judge(file, readRequirement(word));
    if (end == std::string_view::npos) return;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// Every quoted string of a TOML line; `name = "spec"` of Poetry's tables.
void tomlLine(EnvironmentFile& file, std::string_view line, std::string_view table) {
  const auto equals = line.find('=');
  const std::string_view key =
      equals == std::string_view::npos ? std::string_view{} : unquoted(trimmed(line.substr(0, equals)));
  const bool states_python = key == "requires-python" || key == "python_requires" ||
                             (table == "requires" && (key == "python_version" || key == "python_full_version"));
  if (states_python) return pythonRequirement(file, trimmed(line), line.substr(equals + 1));
  const bool is_table =
      table.find("dependencies") != std::string_view::npos || table == "packages" || table == "dev-packages";
  const bool lists = table.starts_with("project") || table.starts_with("build-system") ||
                     table.starts_with("dependency-groups") || table.find("dependencies") != std::string_view::npos;
  if (is_table && !key.empty() && key.find(' ') == std::string_view::npos &&
      trimmed(line.substr(equals + 1)).starts_with('"')) {
    const std::string_view spec = unquoted(trimmed(line.substr(equals + 1)));
    return judge(file, {trimmed(line), key, spec == "*" ? std::string_view{} : spec});
  }
  if (is_table && trimmed(line.substr(equals == std::string_view::npos ? 0 : equals + 1)).starts_with('{')) {
    const auto version = line.find("version");
    const auto open = line.find('"', version), close = line.find('"', open + 1);
    const bool has =
        version != std::string_view::npos && open != std::string_view::npos && close != std::string_view::npos;
    return judge(file, {trimmed(line), key, has ? line.substr(open + 1, close - open - 1) : std::string_view{}});
  }
  if (!lists || key == "name" || key == "description" || key == "keywords") return;
  for (std::size_t open = line.find('"'); open != std::string_view::npos; open = line.find('"', open)) {
    const auto close = line.find('"', open + 1);
    if (close == std::string_view::npos) return;
    judge(file, readRequirement(line.substr(open + 1, close - open - 1)));
    open = close + 1;
  }
}

// `python-version: ["3.8", "3.9"]`: one that TorchNeuron knows is enough.
void workflowPython(EnvironmentFile& file, std::string_view line) {
  const auto key = line.find("python-version");
  if (key == std::string_view::npos) return;
  const auto colon = line.find(':', key);
  if (colon == std::string_view::npos) return;
  const std::string_view value = trimmed(line.substr(colon + 1));
  bool any = false, admitted = false;
  for (std::string_view word : wordsOf(value)) {
    if (word.empty() || !std::isdigit(static_cast<unsigned char>(word.front()))) continue;
    any = true;
    admitted = admitted || admitsNeuronPython(word);
  }
  if (any && !admitted)
    if (Finding* finding = file.add("NPT5101", trimmed(line), std::string(value),
                                    "runs on no Python that TorchNeuron knows (3.12 to 3.14)"))
      finding->severity = Severity::Hint;
}

std::string_view listItem(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("- ")) return {};
  return unquoted(trimmed(line.substr(2)));
}

}  // namespace

void requirementRules(EnvironmentFile& file) {
  std::string_view table;
  for (const EnvironmentLine& one : file.lines()) {
    if (file.full()) return;
    const std::string_view line = trimmed(one.text);
    if (line.empty()) continue;
    indexOf(file, line);
    switch (file.kind()) {
      case EnvironmentKind::Requirements:
        if (!line.starts_with('-') && line.find("://") == std::string_view::npos) judge(file, readRequirement(line));
        break;
      case EnvironmentKind::Pyproject:
        if (line.starts_with('[') && line.ends_with(']') && line.find('"') == std::string_view::npos &&
            line.find(',') == std::string_view::npos)
          table = trimmed(line.substr(line.find_first_not_of('['), line.find(']') - line.find_first_not_of('[')));
        else
          tomlLine(file, line, table);
        break;
      case EnvironmentKind::SetupCfg:
        if (line.starts_with("python_requires")) {
          pythonRequirement(file, line, line.substr(std::min(line.size(), line.find('=') + 1)));
        } else if (one.text.starts_with(' ') || one.text.starts_with('\t')) {
          if (line.find(' ') == std::string_view::npos || line.find_first_of("<>=~") != std::string_view::npos)
            judge(file, readRequirement(line));
        }
        break;
      case EnvironmentKind::Conda:
        if (const std::string_view item = listItem(line); !item.empty() && !item.ends_with(':'))
          judge(file, readRequirement(item));
        break;
      case EnvironmentKind::PythonVersion:
        pythonRequirement(file, line, line.starts_with("python-") ? line.substr(7) : line);
        break;
      case EnvironmentKind::Workflow:
        workflowPython(file, line);
        installCommand(file, line);
        break;
      case EnvironmentKind::Dockerfile:
      case EnvironmentKind::Shell:
      case EnvironmentKind::Yaml:
        installCommand(file, line);
        break;
      default:
        break;
    }
  }
}

}  // namespace np::analyzer

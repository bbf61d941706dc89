// The commonest result (nothing found, nothing left out, no suppression) is the empty string, so that ten thousand of
// them cost a walk and a stat each. Findings are kept as before selection and suppression: these need no analysis.

#include "analyzer/api/kept_results.h"

#include "analyzer/project/stored_result.h"

namespace np::analyzer {

std::string encodeKept(const KeptResult& result) {
  const PythonResult& python = result.python;
  const std::string rest = encode({python.findings, python.partial, python.skipped, python.unknown_calls});
  if (rest.empty() && !result.needs_text) return "";
  return (result.needs_text ? "T" : "-") + rest;
}

std::optional<KeptResult> decodeKept(std::string_view bytes) {
  KeptResult out;
  if (bytes.empty()) return out;
  if (bytes[0] != 'T' && bytes[0] != '-') return std::nullopt;
  auto stored = decode(bytes.substr(1));
  if (!stored) return std::nullopt;
  out.needs_text = bytes[0] == 'T';
  out.python = {std::move(stored->findings), std::move(stored->partial), std::move(stored->skipped),
                stored->unknown_calls};
  return out;
}

ContentHash digestOf(const std::vector<std::pair<std::string, ContentHash>>& files) {
  std::string all;
  for (const auto& [path, content] : files) {
    all.append(path).push_back('\0');
    all.append(reinterpret_cast<const char*>(&content), sizeof content);
  }
  return hashOf(all);
}

ContentHash keptContext(const std::string& tool, const std::string& root, const PythonContext& context) {
  std::string modules;
  for (const std::string& name : context.cuda_modules) modules.append(name).push_back('\0');
  const std::string target = context.target == Target::Neuron ? "neuron" : "accelerator";
  return hashOf(std::vector<std::string_view>{tool, root, target, context.pin.text(), modules});
}

}  // namespace np::analyzer

// Reads the API table. A row with a fix must be documented: what is not documented is never changed automatically.

#include "analyzer/rules/torch/api_table.h"

#include <nlohmann/json.hpp>

#include "analyzer/rules/torch/torch_cuda_api_data.h"

namespace np::analyzer {
namespace {

using Json = nlohmann::json;

std::string text(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Evidence evidenceOf(const Json& json) {
  const std::string evidence = text(json, "evidence");
  if (evidence == "documented") return Evidence::Documented;
  return evidence == "pre-beta" ? Evidence::PreBeta : Evidence::Inferred;
}

Severity severityOf(const Json& json, Severity otherwise) {
  const std::string severity = text(json, "severity");
  if (severity == "hint") return Severity::Hint;
  return severity == "warning" ? Severity::Warning : otherwise;
}

Result<ApiRow> readRow(const Json& json) {
  ApiRow row;
  row.name = text(json, "name");
  row.category = text(json, "category");
  row.kind = text(json, "class");
  row.accelerator = text(json, "accelerator");
  row.neuron = text(json, "neuron");
  row.note = text(json, "note");
  row.min_torch = text(json, "min_torch");
  if (row.name.empty() || row.category.empty() || row.kind.empty())
    return makeError("api-table", "row \"" + row.name + "\" lacks name, category or class");
  row.evidence = evidenceOf(json);
  row.severity = severityOf(json, Severity::Warning);
  const auto fix = json.find("fix");
  if (fix == json.end()) return row;
  if (row.evidence != Evidence::Documented || row.accelerator.empty())
    return makeError("api-table",
                     "row \"" + row.name + "\" has a fix without documented evidence or without a replacement");
  row.fix = ApiFix{text(*fix, "safety") == "safe" ? FixSafety::Safe : FixSafety::Unsafe, fix->value("arguments", 0),
                   text(*fix, "absent")};
  return row;
}

}  // namespace

Result<ApiTable> ApiTable::load() { return parse(kTorchCudaApi); }

Result<ApiTable> ApiTable::parse(std::string_view json) {
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !document.contains("rows") || !document["rows"].is_array())
    return makeError("api-table", "the API table is not JSON with a list \"rows\"");
  ApiTable table;
  for (const Json& item : document["rows"]) {
    NP_ASSIGN(ApiRow row, readRow(item));
    const std::string name = row.name;
    if (!table.rows_.emplace(name, std::move(row)).second)
      return makeError("api-table", "row \"" + name + "\" is there twice");
  }
  if (!document.contains("packages") || !document["packages"].is_array())
    return makeError("api-table", "the API table lacks the list \"packages\"");
  for (const Json& item : document["packages"])
    table.packages_[text(item, "module")] = {text(item, "module"), text(item, "instead"), evidenceOf(item),
                                             severityOf(item, Severity::Error)};
  return table;
}

const CudaPackage* ApiTable::package(std::string_view module) const {
  while (!module.empty()) {
    const auto found = packages_.find(module);
    if (found != packages_.end()) return &found->second;
    const auto dot = module.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    module = module.substr(0, dot);
  }
  return nullptr;
}

const ApiRow* ApiTable::find(std::string_view name) const {
  while (!name.empty()) {
    const auto found = rows_.find(name);
    if (found != rows_.end()) return &found->second;
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    name = name.substr(0, dot);
  }
  return nullptr;
}

}  // namespace np::analyzer

// Readers and writers that facts_json.cc and host_function_json.cc share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/base/report/report.h"
#include "analyzer/cuda/host_function.h"

namespace np::analyzer::json {

using Json = nlohmann::ordered_json;

Json rangeToJson(const SourceRange& range);
SourceRange rangeFrom(const Json& json);
Json hostFunctionToJson(const HostFunction& function);
HostFunction hostFunctionFrom(const Json& json);

// The value of a key, or the type's empty value.
template <class T>
T get(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? T{} : found->get<T>();
}

template <class T, class Convert>
Json listToJson(const std::vector<T>& items, Convert convert) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(convert(item));
  return out;
}

template <class T, class Convert>
std::vector<T> listFrom(const Json& json, const char* key, Convert convert) {
  std::vector<T> out;
  if (const auto found = json.find(key); found != json.end())
    for (const Json& item : *found) out.push_back(convert(item));
  return out;
}

}  // namespace np::analyzer::json

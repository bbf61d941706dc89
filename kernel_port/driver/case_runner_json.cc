// Shared by the verbs: request in, session out.

#include "kernel_port/driver/case_runner.h"

namespace np::kernel_port::driver {
namespace {

Error wrongKey(const std::string& key, const std::string& wanted) {
  return makeError("request", "key \"" + key + "\" of the request is not " + wanted);
}

Json placeJson(const simt::SourcePlace& place) {
  Json position = {{"line", place.line}, {"column", place.column}};
  return {{"path", place.path}, {"function", place.function}, {"start", position}, {"end", position}};
}

}  // namespace

Result<std::string> textOr(const Json& request, const std::string& key, const std::string& otherwise) {
  auto found = request.find(key);
  if (found == request.end()) return otherwise;
  if (!found->is_string()) return wrongKey(key, "a string");
  return found->get<std::string>();
}

Result<uint64_t> numberOr(const Json& request, const std::string& key, uint64_t otherwise) {
  auto found = request.find(key);
  if (found == request.end()) return otherwise;
  if (!found->is_number_unsigned()) return wrongKey(key, "a number that is not negative");
  return found->get<uint64_t>();
}

Result<std::vector<std::string>> listOr(const Json& request, const std::string& key) {
  std::vector<std::string> out;
  auto found = request.find(key);
  if (found == request.end()) return out;
  if (!found->is_array()) return wrongKey(key, "a list of strings");
  for (const Json& item : *found) {
    if (!item.is_string()) return wrongKey(key, "a list of strings");
    out.push_back(item.get<std::string>());
  }
  return out;
}

Result<Session> openSession(const Json& request) {
  NP_ASSIGN(std::string path, textOr(request, "launch", ""));
  if (path.empty()) return makeError("request", "key \"launch\" of the request is missing");
  NP_ASSIGN(launch::LaunchFile file, launch::readLaunchFile(path));
  CompileOptions options;
  NP_ASSIGN(const std::string only, textOr(request, "only", ""));
  if (!only.empty()) NP_TRY(launch::selectKernel(file, only));
  NP_ASSIGN(options.source, textOr(request, "source", ""));
  if (options.source.empty()) options.source = file.source;
  NP_ASSIGN(options.includes, listOr(request, "includes"));
  NP_ASSIGN(options.defines, listOr(request, "defines"));
  NP_ASSIGN(options.std, textOr(request, "std", options.std));
  NP_ASSIGN(options.worker.executable, textOr(request, "worker", ""));
  for (const launch::Launch& launch : file.launches) options.kernels.push_back(launch.kernel);
  NP_ASSIGN(DeviceModule module, DeviceModule::compile(options));
  NP_ASSIGN(simt::Executor executor, simt::Executor::create(module, options.kernels));
  Session session{std::move(file), std::move(executor), std::nullopt, {}};
  NP_ASSIGN(const std::string engine, textOr(request, "engine", "checked"));
  if (engine != "checked" && engine != "fast")
    return makeError("request", "engine \"" + engine + "\" does not exist; it is \"checked\" or \"fast\"");
  if (engine == "fast") {
    NP_ASSIGN(session.fast, fast::FastExecutor::create(module, options.kernels));
  }
  NP_ASSIGN(session.seed, numberOr(request, "seed", 0));
  NP_ASSIGN(session.step_limit, numberOr(request, "step_limit", simt::RunOptions().step_limit));
  if (auto found = request.find("cases"); found != request.end()) {
    if (!found->is_array()) return wrongKey("cases", "a list of case numbers");
    for (const Json& item : *found) {
      if (!item.is_number_unsigned() || item.get<uint64_t>() >= session.file.cases.size())
        return makeError(
            "request",
            "case " + item.dump() + " does not exist; the launch file has " + std::to_string(session.file.cases.size()),
            path);
      session.cases.push_back(item.get<size_t>());
    }
  } else {
    for (size_t k = 0; k < session.file.cases.size(); ++k) session.cases.push_back(k);
  }
  return session;
}

Json toJson(const simt::Defect& defect) {
  Json out = {{"kind", name(defect.kind)},        {"message", defect.message},
              {"kernel", defect.kernel},          {"object", defect.object},
              {"range", placeJson(defect.place)}, {"other_range", nullptr},
              {"thread", defect.thread},          {"block", defect.block},
              {"values", defect.values},          {"count", defect.count}};
  if (defect.other.line != 0) out["other_range"] = placeJson(defect.other);
  return out;
}

Json sizesJson(const launch::LaunchFile& file, const std::vector<int64_t>& values) {
  Json out = Json::object();
  for (size_t k = 0; k < values.size(); ++k) out[file.size_names[k]] = values[k];
  return out;
}

}  // namespace np::kernel_port::driver

// `run`: executes every case and writes inputs and outputs as .npy files. The folder of a case is made beside its final
// place and renamed when it is complete, so that an error leaves nothing half written.

#include <algorithm>
#include <filesystem>

#include "kernel_port/driver/case_runner.h"
#include "kernel_port/launch/npy.h"

namespace np::kernel_port::driver {
namespace {

namespace fs = std::filesystem;

bool isOutput(launch::Role role) { return role == launch::Role::Out || role == launch::Role::InOut; }
bool isInput(launch::Role role) { return role == launch::Role::In || role == launch::Role::InOut; }

Result<void> makeFolder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) return makeError("io", "cannot create \"" + path.string() + "\": " + failed.message(), path.string());
  return {};
}

Result<void> readInputs(const fs::path& folder, const launch::CasePlan& plan,
                        std::vector<launch::HostBuffer>& buffers) {
  for (size_t k = 0; k < buffers.size(); ++k) {
    if (!isInput(plan.buffers[k].role)) continue;
    NP_ASSIGN(buffers[k], launch::readNpy((folder / (buffers[k].name + ".npy")).string(), plan.buffers[k]));
  }
  return {};
}

Result<void> replaceFolder(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::remove_all(to, failed);
  if (!failed) fs::rename(from, to, failed);
  if (failed) return makeError("io", "cannot write \"" + to.string() + "\": " + failed.message(), to.string());
  return {};
}

struct FastRequest {
  bool trust = false;
  fast::FastOptions options;
};

// The fast engine checks nothing: unless the request says "trust", the same case must first run clean in the checked
// one.
Result<Json> runFast(Session& session, const launch::CasePlan& plan, std::vector<launch::HostBuffer>& buffers,
                     const FastRequest& fast) {
  if (!fast.trust) {
    auto copies = buffers;
    simt::RunOptions options;
    options.step_limit = session.step_limit;
    NP_ASSIGN(auto checked, session.executor.run(session.file, plan, copies, options));
    if (!checked.defects.empty() || checked.stopped)
      return makeError("defects", "the checked engine found defects, so the fast one does not run; see `kernel check`",
                       session.file.path);
  }
  NP_ASSIGN(auto ran, session.fast->run(session.file, plan, buffers, fast.options));
  Json kernels = Json::array();
  for (const fast::FastKernel& kernel : ran.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"from_cache", kernel.from_cache},
                       {"compile_seconds", kernel.compile_seconds},
                       {"run_seconds", kernel.run_seconds}});
  return Json{{"engine", "fast"}, {"seconds", ran.seconds}, {"complete", true},
              {"printed", ""},    {"kernels", kernels},     {"defects", Json::array()}};
}

Result<Json> runChecked(Session& session, const launch::CasePlan& plan, std::vector<launch::HostBuffer>& buffers) {
  simt::RunOptions options;
  options.step_limit = session.step_limit;
  NP_ASSIGN(auto ran, session.executor.run(session.file, plan, buffers, options));
  Json out = {{"engine", "checked"},      {"seconds", ran.seconds}, {"instructions", ran.steps},
              {"complete", !ran.stopped}, {"printed", ran.printed}, {"defects", Json::array()}};
  for (const simt::Defect& defect : ran.defects) out["defects"].push_back(toJson(defect));
  return out;
}

Result<FastRequest> readFast(const Json& request) {
  FastRequest out;
  NP_ASSIGN(const uint64_t trust, numberOr(request, "trust", 0));
  out.trust = trust != 0;
  NP_ASSIGN(const std::string schedule, textOr(request, "schedule", "sequential"));
  using fast::Schedule;
  if (schedule != "sequential" && schedule != "parallel" && schedule != "permuted")
    return makeError(
        "request", "schedule \"" + schedule + "\" does not exist; it is \"sequential\", \"parallel\" or \"permuted\"");
  out.options.schedule = schedule == "parallel"   ? Schedule::Parallel
                         : schedule == "permuted" ? Schedule::Permuted
                                                  : Schedule::Sequential;
  NP_ASSIGN(out.options.seed, numberOr(request, "seed", 0));
  NP_ASSIGN(const uint64_t fmad, numberOr(request, "fmad", 0));
  out.options.contract = fmad != 0;
  NP_ASSIGN(const uint64_t avx2, numberOr(request, "avx2", 0));
  out.options.avx512 = avx2 == 0;
  NP_ASSIGN(out.options.cache_folder, textOr(request, "cache", ""));
  return out;
}

Result<Json> runCase(Session& session, size_t index, const std::string& inputs, const std::string& out_dir,
                     const FastRequest& fast) {
  NP_ASSIGN(launch::CasePlan plan, planCase(session.file, session.file.cases[index]));
  NP_ASSIGN(auto buffers, makeInputs(session.file, plan, session.seed));
  if (!inputs.empty()) NP_TRY(readInputs(fs::path(inputs) / std::to_string(index) / "in", plan, buffers));
  const fs::path target = fs::path(out_dir) / std::to_string(index);
  const fs::path partial = fs::path(out_dir) / (std::to_string(index) + ".partial");
  if (!out_dir.empty()) {
    NP_TRY(makeFolder(partial / "in"));
    NP_TRY(makeFolder(partial / "out"));
    for (size_t k = 0; k < buffers.size(); ++k)
      if (isInput(plan.buffers[k].role))
        NP_TRY(launch::writeNpy((partial / "in" / (buffers[k].name + ".npy")).string(), buffers[k]));
  }
  auto ran = session.fast ? runFast(session, plan, buffers, fast) : runChecked(session, plan, buffers);
  if (!ran.ok()) {
    std::error_code ignored;
    if (!out_dir.empty()) fs::remove_all(partial, ignored);
    return ran.error();
  }
  if (!out_dir.empty()) {
    for (size_t k = 0; k < buffers.size(); ++k)
      if (isOutput(plan.buffers[k].role))
        NP_TRY(launch::writeNpy((partial / "out" / (buffers[k].name + ".npy")).string(), buffers[k]));
    NP_TRY(replaceFolder(partial, target));
  }
  Json out = std::move(*ran);
  out["case"] = index;
  out["sizes"] = sizesJson(session.file, plan.values);
  return out;
}

}  // namespace

Result<Json> runVerb(const Json& request) {
  NP_ASSIGN(std::string out_dir, textOr(request, "out_dir", ""));
  NP_ASSIGN(std::string inputs, textOr(request, "inputs", ""));
  NP_ASSIGN(Session session, openSession(request));
  NP_ASSIGN(const FastRequest fast, readFast(request));
  if (!out_dir.empty()) NP_TRY(makeFolder(out_dir));
  Json reply = {{"source", session.file.source}, {"cases", Json::array()}};
  for (const size_t index : session.cases) {
    NP_ASSIGN(Json ran, runCase(session, index, inputs, out_dir, fast));
    reply["cases"].push_back(std::move(ran));
  }
  return reply;
}

}  // namespace np::kernel_port::driver

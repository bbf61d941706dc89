// `check`: every case under several schedules of blocks, warps and lanes. Defects of all schedules are joined; outputs
// that differ between schedules are reported as order dependence (float sums by atomics differ in their last bits, so
// floats are compared with a tolerance of a few roundings, integers exactly). IR blocks that no case executed are
// listed.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernel_port/driver/case_runner.h"

namespace np::kernel_port::driver {
namespace {

struct Schedule {
  simt::Order order;
  uint64_t seed;
};

bool close(launch::ElementType type, double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (!isFloat(type)) return false;
  const double unit = type == launch::ElementType::F64    ? 0x1p-53
                      : type == launch::ElementType::F32  ? 0x1p-24
                      : type == launch::ElementType::BF16 ? 0x1p-8
                                                          : 0x1p-11;
  return std::fabs(a - b) <= 64 * unit * std::max({1.0, std::fabs(a), std::fabs(b)});
}

// The first element that differs between two schedules, as text; empty when none does.
std::string difference(const launch::HostBuffer& a, const launch::HostBuffer& b) {
  const int64_t size = byteSize(a.type);
  for (int64_t k = 0; k < a.elements(); ++k) {
    const double x = loadElement(a.type, &a.bytes[k * size]), y = loadElement(b.type, &b.bytes[k * size]);
    if (!close(a.type, x, y))
      return "\"" + a.name + "\"[" + std::to_string(k) + "] is " + std::to_string(x) + " or " + std::to_string(y);
  }
  return "";
}

}  // namespace

Result<Json> checkVerb(const Json& request) {
  NP_ASSIGN(uint64_t shuffles, numberOr(request, "orders", 1));
  NP_ASSIGN(Session session, openSession(request));
  std::vector<Schedule> schedules = {{simt::Order::Sequential, 0}, {simt::Order::Reversed, 0}};
  for (uint64_t k = 0; k < std::min<uint64_t>(shuffles, 100); ++k)
    schedules.push_back({simt::Order::Shuffled, session.seed + k + 1});

  Json reply = {{"source", session.file.source}, {"cases", Json::array()}, {"unexecuted", Json::array()}};
  std::map<std::pair<std::string, std::string>, size_t> unexecuted;  // in how many cases
  for (const size_t index : session.cases) {
    NP_ASSIGN(launch::CasePlan plan, planCase(session.file, session.file.cases[index]));
    NP_ASSIGN(const auto inputs, makeInputs(session.file, plan, session.seed));
    Json out = {{"case", index},
                {"sizes", sizesJson(session.file, plan.values)},
                {"seconds", 0.0},
                {"instructions", 0},
                {"complete", true},
                {"defects", Json::array()},
                {"order_dependent", Json::array()}};
    std::vector<launch::HostBuffer> first;
    std::set<std::tuple<std::string, std::string, std::string>> seen;
    double seconds = 0;
    for (size_t k = 0; k < schedules.size(); ++k) {
      std::vector<launch::HostBuffer> buffers = inputs;
      simt::RunOptions options;
      options.order = schedules[k].order;
      options.seed = schedules[k].seed;
      options.step_limit = session.step_limit;
      NP_ASSIGN(simt::RunResult ran, session.executor.run(session.file, plan, buffers, options));
      seconds += ran.seconds;
      if (k == 0) out["instructions"] = ran.steps;
      if (ran.stopped) out["complete"] = false;
      for (const simt::Defect& defect : ran.defects) {
        // The same pair of places the other way round is the same race.
        const std::string a = defect.place.text(), b = defect.other.text();
        if (seen.insert({std::string(name(defect.kind)), std::min(a, b), std::max(a, b)}).second)
          out["defects"].push_back(toJson(defect));
      }
      if (k == 0) {
        for (const auto& block : ran.unexecuted) ++unexecuted[{block.kernel, block.place.text()}];
        first = std::move(buffers);
        continue;
      }
      for (size_t b = 0; b < buffers.size() && !ran.stopped; ++b) {
        if (plan.buffers[b].role == launch::Role::Scratch) continue;
        const std::string text = difference(first[b], buffers[b]);
        if (!text.empty()) out["order_dependent"].push_back({{"buffer", buffers[b].name}, {"message", text}});
      }
    }
    out["seconds"] = seconds;
    reply["cases"].push_back(std::move(out));
  }
  for (const auto& [where, count] : unexecuted)
    if (count == session.cases.size())
      reply["unexecuted"].push_back({{"kernel", where.first}, {"place", where.second}});
  return reply;
}

}  // namespace np::kernel_port::driver

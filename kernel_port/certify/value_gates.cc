// Each gate says in its detail how much it looked at: a gate that compared nothing has not passed.

#include "kernel_port/certify/value_gates.h"

#include <cmath>
#include <set>

#include "kernel_port/certify/compare.h"
#include "kernel_port/certify/values.h"

namespace np::kernel_port::certify {
namespace {

std::string element(const std::string& buffer, std::size_t i) { return buffer + "[" + std::to_string(i) + "] (flat)"; }

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

bool isOutput(launch::Role role) { return role == launch::Role::Out || role == launch::Role::InOut; }

struct Tally {
  std::size_t compared = 0, unbounded = 0;
  std::string enough() const {
    return std::to_string(compared) + " elements" +
           (unbounded ? ", " + std::to_string(unbounded) + " without a finite rounding bound" : "");
  }
  // At least half of what there is must be decidable.
  bool tooFew() const { return compared == 0 || unbounded > compared; }
};

}  // namespace

namespace {

// The Spec gives an element that the kernel left alone the value that it has: the same as not writing it.
bool keeps(double before, double after) { return before == after || (std::isnan(before) && std::isnan(after)); }

}  // namespace

Gate writeSetGate(const std::vector<Trial>& trials) {
  std::size_t checked = 0;
  for (const Trial& trial : trials) {
    if (trial.run.writes.empty()) continue;
    for (std::size_t i = 0; i < trial.run.writes.size(); ++i) {
      const simt::WriteSet& set = trial.run.writes[i];
      const launch::Role role = trial.plan.buffers[i].role;
      if (role == launch::Role::Scratch) continue;
      const auto spec = trial.exact.find(set.buffer);
      const spec::Array after = role == launch::Role::InOut ? toArray(trial.outputs[i]) : spec::Array{};
      for (std::size_t k = 0; k < set.stores.size(); ++k) {
        const bool written = set.stores[k] > 0 || set.atomics[k] > 0;
        const bool expected =
            isOutput(role) && spec != trial.exact.end() && k < spec->second.written.size() && spec->second.written[k];
        if (written != expected &&
            !(expected && role == launch::Role::InOut && keeps(after.data[k], spec->second.values.data[k])))
          return {"write_set", false,
                  element(set.buffer, k) +
                      (written ? " is written but not by the Spec" : " is written by the Spec but not by the kernel") +
                      " at " + trial.text()};
        ++checked;
      }
    }
  }
  return {"write_set", checked > 0, std::to_string(checked) + " elements"};
}

Gate differentialGate(const std::vector<Trial>& trials) {
  Tally tally;
  std::set<std::vector<std::int64_t>> shapes;
  for (const Trial& trial : trials) {
    for (std::size_t i = 0; i < trial.outputs.size(); ++i) {
      if (!isOutput(trial.plan.buffers[i].role)) continue;
      const launch::HostBuffer& buffer = trial.outputs[i];
      const auto spec = trial.exact.find(buffer.name);
      if (spec == trial.exact.end()) return {"differential", false, "the Spec does not define \"" + buffer.name + "\""};
      const spec::Array cuda = toArray(buffer);
      for (std::size_t k = 0; k < cuda.data.size(); ++k) {
        if (!spec->second.written[k]) continue;
        const double exact = spec->second.values.data[k];
        const double native = trial.native.at(buffer.name).values.data[k];
        const Agreement verdict = agreesWithSpec(cuda.data[k], exact, native, spec->second.bound[k], buffer.type);
        if (verdict == Agreement::No)
          return {"differential", false,
                  element(buffer.name, k) + ": kernel " + number(cuda.data[k]) + ", Spec " + number(exact) +
                      ", in its own precision " + number(native) + ", bound " + number(spec->second.bound[k]) + " at " +
                      trial.text()};
        ++(verdict == Agreement::Yes ? tally.compared : tally.unbounded);
      }
    }
    shapes.insert(trial.plan.values);
  }
  return {"differential",
          !tally.tooFew() && (shapes.size() >= 3 || trials.empty() || trials.front().plan.values.empty()),
          std::to_string(shapes.size()) + " shapes, " + std::to_string(trials.size()) + " runs, " + tally.enough()};
}

Gate shadowGate(const std::vector<Trial>& trials, const std::vector<TileResults>& tiles) {
  Tally tally;
  double worst = 0;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Trial& trial = trials[t];
    for (std::size_t i = 0; i < trial.outputs.size(); ++i) {
      const launch::HostBuffer& buffer = trial.outputs[i];
      const auto tile = tiles[t].find(buffer.name);
      if (!isOutput(trial.plan.buffers[i].role) || tile == tiles[t].end()) continue;
      const spec::Output& spec = trial.exact.at(buffer.name);
      const spec::Array cuda = toArray(buffer);
      if (tile->second.size() != cuda.data.size())
        return {"shadow", false,
                "\"" + buffer.name + "\" has " + std::to_string(tile->second.size()) + " elements on the tile side, " +
                    std::to_string(cuda.data.size()) + " on the kernel's"};
      for (std::size_t k = 0; k < cuda.data.size(); ++k) {
        const double exact = spec.written[k] ? spec.values.data[k] : cuda.data[k];
        const double bound = spec.written[k] ? spec.bound[k] : 0;
        const Agreement verdict = tileAgrees(tile->second[k], cuda.data[k], exact, bound, buffer.type);
        if (verdict == Agreement::No)
          return {"shadow", false,
                  element(buffer.name, k) + ": tile " + number(tile->second[k]) + ", kernel " + number(cuda.data[k]) +
                      ", float64 " + number(exact) + ", bound " + number(bound) + " at " + trial.text()};
        ++(verdict == Agreement::Yes ? tally.compared : tally.unbounded);
        if (trial.kind == DataKind::Ordinary && bound > 0 && std::isfinite(bound) && std::isfinite(exact))
          worst = std::max(worst, std::fabs(tile->second[k] - exact) / bound);
      }
    }
  }
  return {"shadow", !tally.tooFew(), tally.enough() + ", largest error " + number(worst) + " of the rounding bound"};
}

}  // namespace np::kernel_port::certify

// Runs every gate in the order in which a failure says most: the source first (a racy kernel makes every later number
// meaningless), then Spec against executor, then the tile program.

#include "kernel_port/certify/certify.h"

#include <algorithm>

#include "kernel_port/certify/sizes.h"
#include "kernel_port/certify/source_gates.h"
#include "kernel_port/certify/tile_gates.h"
#include "kernel_port/certify/value_gates.h"

namespace np::kernel_port::certify {
namespace {

constexpr DataKind kSpecial[] = {DataKind::Zeros, DataKind::Tiny, DataKind::Large, DataKind::Negative,
                                 DataKind::NonFinite};

// Which runs: every given size with two seeds, special values at the two first ones, fresh sizes with a seed of their
// own.
struct Planned {
  std::vector<std::int64_t> sizes;
  DataKind kind;
  std::uint64_t seed;
  bool fresh;
};

std::vector<Planned> planTrials(const TrialSizes& sizes, const CertifyOptions& options) {
  std::vector<Planned> out;
  for (const auto& values : sizes.given)
    for (std::uint64_t s = 0; s < 2; ++s) out.push_back({values, DataKind::Ordinary, options.seed + s, false});
  for (std::size_t i = 0; i < sizes.given.size() && i < 2; ++i)
    for (DataKind kind : kSpecial) out.push_back({sizes.given[i], kind, options.seed, false});
  for (const auto& values : sizes.fresh) out.push_back({values, DataKind::Ordinary, options.seed + 2, true});
  return out;
}

class Certifier {
 public:
  Certifier(const Subject& subject, const CertifyOptions& options) : subject_(subject), options_(options) {}

  Result<Certificate> run() {
    auto sizes = trialSizes(*subject_.file, *subject_.spec, options_.seed * 977 + 13);
    if (!sizes.ok()) {
      out_.reason = PortReason{
          sizes.error().code, sizes.error().message, {}, "leave that case out of the launch file, or port it by hand"};
      return std::move(out_);
    }
    sizes_ = std::move(*sizes);
    out_.sizes = sizes_.given;
    out_.sizes.insert(out_.sizes.end(), sizes_.fresh.begin(), sizes_.fresh.end());
    add(subject_.symbolic, "NPT2934", true, "the formula does not hold at a size that was held out",
        "report this kernel");
    NP_TRY(runTrials());
    if (!out_.passed()) return std::move(out_);
    add(subject_.coverage, "NPT2932", false, "part of the kernel was never executed, so nothing is known about it",
        "give sizes or data in the launch file that reach the line, or remove the branch");
    add(writeSetGate(trials_), "NPT2935", true, "the Spec writes other elements than the kernel", "report this kernel");
    add(differentialGate(finiteTrials(subject_.lift_assumes_finite)), "NPT2936", true,
        "the Spec and the kernel disagree", "report this kernel");
    if (subject_.program != nullptr) NP_TRY(tileGates());
    return std::move(out_);
  }

 private:
  void add(Gate gate, const std::string& code, bool ours, const std::string& what, const std::string& advice) {
    if (!gate.passed && !out_.reason) {
      out_.reason = PortReason{code, what + ": " + gate.detail, {}, advice};
      out_.ours = ours;
    }
    out_.gates.push_back(std::move(gate));
  }

  Result<void> runTrials() {
    for (const Planned& planned : planTrials(sizes_, options_)) {
      simt::RunOptions run;
      run.record_writes = true;
      auto ran = runSource(*subject_.file, *subject_.executor, planned.sizes, planned.kind, planned.seed, run);
      if (!ran.ok() && !planned.fresh) return ran.error();
      if (!ran.ok()) {
        // A size that nobody named and nothing forbids does not run.
        add({"race", false, ran.error().message}, "NPT2933", false, "the kernel does not run at a size that is allowed",
            "state the sizes the kernel is meant for in the launch file's `where`");
        return {};
      }
      Trial trial = std::move(*ran);
      trial.fresh = planned.fresh;
      if (!trial.run.defects.empty()) {
        const PortReason reason = defectReason(trial.run.defects.front());
        out_.defects = trial.run.defects;
        add({"race", false, reason.message + " at " + trial.text()}, reason.code, false, reason.message, reason.advice);
        out_.reason->where = reason.where;
        return {};
      }
      NP_TRY(evaluate(trial, *subject_.file, *subject_.spec));
      trials_.push_back(std::move(trial));
    }
    return {};
  }

  // Trials whose data a side was proved for. A side that assumes finite inputs is not asked about inf and NaN.
  std::vector<Trial> finiteTrials(bool finite_only) const {
    std::vector<Trial> out;
    for (const Trial& trial : trials_)
      if (!finite_only || trial.kind != DataKind::NonFinite) out.push_back(trial);
    return out;
  }

  Result<void> tileGates() {
    Gate tile = tileGate(subject_, options_, sizes_.given, sizes_.fresh);
    const bool legal = tile.passed;
    add(std::move(tile), "NPT2937", true, "the tile program breaks a hardware rule", "report this kernel");
    if (!legal) return {};
    const std::vector<Trial> trials = finiteTrials(subject_.tile_assumes_finite || subject_.lift_assumes_finite);
    std::vector<TileResults> results(trials.size());
    for (std::size_t t = 0; t < trials.size(); ++t) {
      tile::Bindings bound;
      for (const auto& [name, value] : trials[t].plan.sizes) bound[name] = value;
      const auto flat = tile::instantiate(*subject_.program, bound);
      if (!flat.ok()) continue;  // the entry guard refuses these sizes
      auto result = tileResults(*subject_.program, *flat, *subject_.file, trials[t]);
      if (!result.ok()) {
        add({"shadow", false, result.error().message + " at " + trials[t].text()}, "NPT2938", true,
            "the tile program fails on the interpreter", "report this kernel");
        return {};
      }
      results[t] = std::move(*result);
    }
    addShadow(trials, results);
    std::vector<std::vector<std::int64_t>> traced = sizes_.given;
    if (!sizes_.fresh.empty()) traced.push_back(sizes_.fresh.back());
    add(roundtripGate(subject_, options_, traced), "NPT2939", true,
        "the emitted text is not the program that was checked", "report this kernel");
    return {};
  }

  // A tile program that is right on ordinary data and differs at subnormal or huge values is no wrong formula: the chip
  // has no division, and a reciprocal overflows below 2^-126. Such a kernel is unsafe to translate, not broken.
  void addShadow(const std::vector<Trial>& trials, const std::vector<TileResults>& results) {
    Gate all = shadowGate(trials, results);
    bool ours = true;
    if (!all.passed) {
      std::vector<Trial> ordinary;
      std::vector<TileResults> of_ordinary;
      for (std::size_t t = 0; t < trials.size(); ++t) {
        if (trials[t].kind != DataKind::Ordinary) continue;
        ordinary.push_back(trials[t]);
        of_ordinary.push_back(results[t]);
      }
      ours = !shadowGate(ordinary, of_ordinary).passed;
    }
    if (ours)
      add(std::move(all), "NPT2938", true, "the tile program and the kernel disagree", "report this kernel");
    else
      add(std::move(all), "NPT2938", false, "the tile program gives another result at the ends of the number range",
          "keep divisors and intermediate values away from them (add an epsilon, subtract the maximum), or keep this "
          "kernel on CUDA");
  }

  const Subject& subject_;
  const CertifyOptions& options_;
  TrialSizes sizes_;
  std::vector<Trial> trials_;
  Certificate out_;
};

}  // namespace

Result<Certificate> certify(const Subject& subject, const CertifyOptions& options) {
  return Certifier(subject, options).run();
}

}  // namespace np::kernel_port::certify

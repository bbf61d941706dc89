// The gates: what must hold before a kernel counts as translated (docs/architecture.md, "Gates").
//
//   NP_ASSIGN(SourceCheck source, checkSource(file, executor, seed));          // the kernel itself: race, order
//   if (!source.sound()) → refused;
//   … lift, schedule, emit …
//   NP_ASSIGN(Certificate certificate, certify(subject, options));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "kernel_port/launch/launch_file.h"
#include "kernel_port/simt/run.h"
#include "kernel_port/spec/spec.h"
#include "runtime/tile/hardware.h"
#include "runtime/tile/program.h"

namespace np::kernel_port::certify {

// Everything a certificate is about.
struct Subject {
  const launch::LaunchFile* file = nullptr;
  const simt::Executor* executor = nullptr;
  const spec::Spec* spec = nullptr;
  Gate symbolic;  // what the lifter found at its held-out sizes
  // Every basic block of the simplified IR ran while lifting. The unoptimised IR is no measure: a branch on a constant
  // argument of an inlined function leaves blocks that no run can reach.
  Gate coverage;
  bool lift_assumes_finite = false;  // the Spec holds for finite inputs only
  // The tile side; null when the Spec could not be scheduled.
  const tile::TileProgram* program = nullptr;
  bool tile_assumes_finite = false;
  std::string module_file;  // the emitted module
  std::string entry;
};

struct CertifyOptions {
  std::uint64_t seed = 1;
  tile::Hardware hardware;
  std::string python;       // interpreter for the roundtrip gate
  std::string python_path;  // folder with the package nki
  std::string library_dir;  // folder with libneuron_port_tile.so
};

struct Certificate {
  std::vector<Gate> gates;
  std::vector<std::vector<std::int64_t>> sizes;
  // Why the translation does not stand: the first gate that failed. `ours` tells whose fault it is: a racy kernel is
  // refused, a wrong translation is a failure of ours.
  std::optional<PortReason> reason;
  bool ours = false;
  std::vector<simt::Defect> defects;
  bool passed() const { return !reason.has_value(); }
};

// The source alone at the launch file's cases: race and order. Errors: those of the executor.
struct SourceCheck {
  std::vector<Gate> gates;
  std::optional<PortReason> reason;
  std::vector<simt::Defect> defects;
  bool sound() const { return !reason.has_value(); }
};
Result<SourceCheck> checkSource(const launch::LaunchFile& file, const simt::Executor& executor, std::uint64_t seed);

Result<Certificate> certify(const Subject& subject, const CertifyOptions& options);

}  // namespace np::kernel_port::certify

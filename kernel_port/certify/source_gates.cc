// Gates about the CUDA kernel itself: `race` and `order`. A kernel that fails one has no meaning that could be
// translated.

#include <cmath>
#include <cstring>

#include "kernel_port/certify/source_gates.h"

#include "kernel_port/certify/compare.h"
#include "kernel_port/certify/values.h"

namespace np::kernel_port::certify {
namespace {

std::string advice(const simt::Defect& defect) {
  switch (defect.kind) {
    case simt::DefectKind::Race:
      return "order the two accesses: a __syncthreads() between line " + std::to_string(defect.other.line) +
             " and line " + std::to_string(defect.place.line) + ", or an atomic";
    case simt::DefectKind::Bounds:
      return "guard the index, or state the sizes the kernel is meant for in the launch file's `where`";
    case simt::DefectKind::Uninitialised:
      return "write the element before it is read on every path";
    case simt::DefectKind::DivergentBarrier:
      return "let every thread of the block reach the same barrier";
    case simt::DefectKind::InactiveLane:
      return "name only lanes that take part in the mask";
    default:
      return "correct the kernel, or state the sizes it is meant for in the launch file's `where`";
  }
}

SourceRange rangeOf(const simt::SourcePlace& place) {
  SourceRange out;
  out.path = place.path;
  out.start = out.end = {std::max(place.line, 1u), std::max(place.column, 1u), 0};
  return out;
}

bool sameBytes(const std::vector<launch::HostBuffer>& a, const std::vector<launch::HostBuffer>& b,
               const launch::CasePlan& plan) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const launch::Role role = plan.buffers[i].role;
    if (role == launch::Role::Scratch) continue;
    if (a[i].bytes != b[i].bytes) return false;
  }
  return true;
}

// Largest difference of two float results in units of the last place of the larger one; infinity for integers or kinds.
double worstUlps(const launch::HostBuffer& a, const launch::HostBuffer& b) {
  if (a.bytes == b.bytes) return 0;
  if (!launch::isFloat(a.type)) return INFINITY;
  const double unit = a.type == launch::ElementType::F16    ? 0x1p-11
                      : a.type == launch::ElementType::BF16 ? 0x1p-8
                      : a.type == launch::ElementType::F64  ? 0x1p-53
                                                            : 0x1p-24;
  const spec::Array x = toArray(a), y = toArray(b);
  double worst = 0, scale = 0;
  for (double v : x.data)
    if (std::isfinite(v)) scale = std::max(scale, std::fabs(v));
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    if (std::isnan(x.data[i]) && std::isnan(y.data[i])) continue;
    if (!std::isfinite(x.data[i]) || !std::isfinite(y.data[i])) {
      if (x.data[i] != y.data[i]) return INFINITY;
      continue;
    }
    worst = std::max(worst, std::fabs(x.data[i] - y.data[i]) / (unit * std::max(scale, 1e-300)));
  }
  return worst;
}

}  // namespace

PortReason defectReason(const simt::Defect& defect) {
  PortReason out;
  out.code = "NPT2901";
  out.message = defect.message;
  if (defect.other.line)
    out.message += " (lines " + std::to_string(defect.other.line) + " and " + std::to_string(defect.place.line) + ")";
  out.where = rangeOf(defect.place);
  out.advice = advice(defect);
  return out;
}

Result<SourceCheck> checkSource(const launch::LaunchFile& file, const simt::Executor& executor, std::uint64_t seed) {
  SourceCheck out;
  std::size_t orders = 0, reassociated = 0;
  for (const std::vector<std::int64_t>& sizes : file.cases) {
    NP_ASSIGN(const Trial base, runSource(file, executor, sizes, DataKind::Ordinary, seed, {}));
    if (!base.run.defects.empty()) {
      out.defects = base.run.defects;
      out.reason = defectReason(base.run.defects.front());
      out.gates.push_back({"race", false, out.reason->message + " at " + base.text()});
      return out;
    }
    for (const auto& [order, order_seed] : {std::pair(simt::Order::Reversed, 0), std::pair(simt::Order::Shuffled, 1),
                                            std::pair(simt::Order::Shuffled, 2)}) {
      simt::RunOptions options;
      options.order = order;
      options.seed = static_cast<std::uint64_t>(order_seed);
      NP_ASSIGN(const Trial other, runSource(file, executor, sizes, DataKind::Ordinary, seed, options));
      if (!other.run.defects.empty()) {
        out.defects = other.run.defects;
        out.reason = defectReason(other.run.defects.front());
        out.gates.push_back({"race", false, out.reason->message + " under another order at " + other.text()});
        return out;
      }
      ++orders;
      if (sameBytes(base.outputs, other.outputs, base.plan)) continue;
      double worst = 0;
      for (std::size_t i = 0; i < base.outputs.size(); ++i)
        if (base.plan.buffers[i].role != launch::Role::Scratch)
          worst = std::max(worst, worstUlps(base.outputs[i], other.outputs[i]));
      // A sum of n terms in another order moves by at most 2n roundings of its largest partial sum.
      std::int64_t terms = 1;
      for (const launch::BufferPlan& b : base.plan.buffers) terms = std::max(terms, b.elements);
      if (worst > 2.0 * static_cast<double>(terms)) {
        out.reason = PortReason{"NPT2931",
                                "the result depends on the order in which blocks and warps run",
                                {},
                                "make the update independent of order (an atomic add, or one writer)"};
        out.gates.push_back({"race", true, std::to_string(file.cases.size()) + " cases"});
        out.gates.push_back({"order", false, "differs at " + other.text()});
        return out;
      }
      ++reassociated;
    }
  }
  out.gates.push_back({"race", true, std::to_string(file.cases.size()) + " cases in checked mode, no defect"});
  out.gates.push_back(
      {"order", true,
       std::to_string(orders) + " permuted runs" +
           (reassociated ? ", " + std::to_string(reassociated) + " equal up to rounding" : ", bitwise equal")});
  return out;
}

}  // namespace np::kernel_port::certify

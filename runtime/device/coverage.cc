// Counters of the ops that ran. An op's kernel keeps a pointer to its record, so that counting is a few plain adds on
// the thread's own sheet. Clearing moves the point that is counted from; counters only grow, so no thread is in the
// way.
//
// Call sites are kept as code objects and turned into text only when a report asks. A set of shape hashes answers from
// a small table of recent ones first: a training step repeats its shapes.

#include "runtime/device/coverage.h"

#include <c10/core/ScalarType.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/profiler/combined_traceback.h>

#include <algorithm>

namespace np::device {
namespace {

constexpr int kSitesOfSynchronisations = 256;

uint64_t bit(c10::ScalarType type) { return uint64_t{1} << static_cast<int>(type); }
const uint64_t kFloat64 = bit(c10::ScalarType::Double);
const uint64_t kInt64 = bit(c10::ScalarType::Long);
const uint64_t kComplex =
    bit(c10::ScalarType::ComplexHalf) | bit(c10::ScalarType::ComplexFloat) | bit(c10::ScalarType::ComplexDouble);

}  // namespace

void ShapeSet::add(uint64_t hash) {
  hash |= 1;  // 0 marks an empty slot
  auto& slot = recent_[(hash >> 1) % kRecent];
  if (slot.load(std::memory_order_relaxed) == hash) return;
  slot.store(hash, std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  auto place = std::lower_bound(sorted_.begin(), sorted_.end(), hash);
  if (sorted_.size() >= kCapacity || (place != sorted_.end() && *place == hash)) return;
  sorted_.insert(place, hash);
  count_.store(sorted_.size(), std::memory_order_relaxed);
}

void ShapeSet::clear() {
  std::lock_guard lock(mutex_);
  sorted_.clear();
  for (auto& slot : recent_) slot = 0;
  count_ = 0;
}

void OpRecord::count() {
  ThreadCounts& counts = threadCounts(number);
  counts.bump(Count::Calls);
  if (torch::autograd::get_current_graph_task_id() >= 0) counts.bump(Count::BackwardCalls);
  if (sites_wanted_.load(std::memory_order_relaxed) > 0) keepSite();
}

void OpRecord::keepSite() {
  if (sites_wanted_.fetch_sub(1, std::memory_order_relaxed) <= 0) return;
  auto stack = torch::CapturedTraceback::gather(/*python=*/true, /*script=*/false, /*cpp=*/false);
  std::lock_guard lock(stacks_mutex_);
  stacks_.push_back(std::move(stack));
}

void OpRecord::add(const CallFacts& facts) {
  ThreadCounts& counts = threadCounts(number);
  counts.bump(Count::BytesIn, facts.bytes_in);
  counts.bump(Count::BytesOut, facts.bytes_out);
  if (facts.types & (kFloat64 | kInt64 | kComplex)) {
    if (facts.types & kFloat64) counts.bump(Count::Float64Calls);
    if (facts.types & kInt64) counts.bump(Count::Int64Calls);
    if (facts.types & kComplex) counts.bump(Count::ComplexCalls);
  }
  shapes.add(facts.shapes);
}

CountTotals OpRecord::sinceClear() const {
  CountTotals totals = totalCounts(number);
  for (size_t k = 0; k < kCounts; ++k) totals[k] -= at_clear_[k];
  return totals;
}

OpRecord& Coverage::record(const std::string& name) {
  std::lock_guard lock(mutex_);
  TORCH_CHECK(records_.size() < kMaxRecords || records_.count(name), "more than ", kMaxRecords, " different ops");
  auto [found, is_new] = records_.try_emplace(name, name, static_cast<uint32_t>(records_.size()));
  if (is_new) applyTable(found->second);
  return found->second;
}

void Coverage::setTable(const std::vector<std::string>& names, const std::vector<int64_t>& placements,
                        const std::vector<bool>& synchronises) {
  std::lock_guard lock(mutex_);
  table_.clear();
  for (size_t k = 0; k < names.size(); ++k) table_[names[k]] = {static_cast<Placement>(placements[k]), synchronises[k]};
  for (auto& [name, record] : records_) applyTable(record);
}

void Coverage::applyTable(OpRecord& record) const {
  auto row = table_.find(record.name);
  if (row == table_.end()) row = table_.find(record.name.substr(0, record.name.find('.')));
  record.placement = row == table_.end() ? Placement::Unknown : row->second.placement;
  record.synchronises = row != table_.end() && row->second.synchronises;
  record.sites_wanted_ = record.synchronises ? kSitesOfSynchronisations : 1;
}

std::vector<std::string> Coverage::lines() const {
  std::vector<std::string> lines;
  std::lock_guard lock(mutex_);
  for (const auto& [name, record] : records_) {
    const CountTotals totals = record.sinceClear();
    if (!totals[static_cast<size_t>(Count::Calls)]) continue;
    std::string line = name + "\t" + std::to_string(static_cast<int>(record.placement.load())) + "\t" +
                       std::to_string(int{record.synchronises.load()});
    for (const uint64_t total : totals) line += "\t" + std::to_string(total);
    line += "\t" + std::to_string(record.shapes.count());
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> Coverage::stacks(const std::string& name) {
  OpRecord& asked = record(name);
  std::vector<std::shared_ptr<torch::CapturedTraceback>> kept;
  {
    std::lock_guard lock(asked.stacks_mutex_);
    kept = asked.stacks_;
  }
  std::vector<torch::CapturedTraceback*> plain;
  for (const auto& stack : kept) plain.push_back(stack.get());
  const torch::SymbolizedTracebacks symbols = torch::symbolize(plain);
  std::vector<std::string> texts;
  for (const auto& stack : symbols.tracebacks) {
    std::string& text = texts.emplace_back();
    for (uint64_t index : stack) {
      const auto& frame = symbols.all_frames[index];
      text += frame.filename + ":" + std::to_string(frame.lineno) + ":" + frame.funcname + "\n";
    }
  }
  return texts;
}

void Coverage::clear() {
  std::lock_guard lock(mutex_);
  for (auto& [name, record] : records_) {
    record.at_clear_ = totalCounts(record.number);
    record.shapes.clear();
    record.sites_wanted_ = record.synchronises ? kSitesOfSynchronisations : 1;
    std::lock_guard stacks_lock(record.stacks_mutex_);
    record.stacks_.clear();
  }
}

Coverage& coverage() {
  static auto* process_coverage = new Coverage;
  return *process_coverage;
}

void admit(OpRecord& record) {
  const Placement placement = record.placement.load(std::memory_order_relaxed);
  if (placement < Placement::Fallback) return;
  const Policy policy = coverage().policy();
  if (policy == Policy::Silent) return;
  const char* what = placement == Placement::Fallback ? "runs on the CPU there, with copies both ways (fallback)"
                                                      : "is rejected there";
  TORCH_CHECK_NOT_IMPLEMENTED(policy != Policy::Strict, "'", record.name, "' is not an op of Trainium: it ", what,
                              "; replace it, or move the computation to the CPU with .cpu(). The policy is strict");
  if (record.warned.exchange(true)) return;
  // Without a place of ours: Python names the user's line.
  c10::warn(c10::Warning(c10::UserWarning(), c10::SourceLocation{nullptr, nullptr, 0},
                         c10::str("'", record.name, "' is not an op of Trainium: it ", what,
                                  "; the device report counts its calls and bytes"),
                         /*verbatim=*/false));
}

void admitTypes(const OpRecord& record, uint64_t types) {
  if (!(types & (kFloat64 | kComplex)) || coverage().policy() != Policy::Strict) return;
  TORCH_CHECK_NOT_IMPLEMENTED(!(types & kFloat64), "'", record.name,
                              "' was called with float64, which Trainium computes in float32; convert with .float(). "
                              "The policy is strict");
  TORCH_CHECK_NOT_IMPLEMENTED(!(types & kComplex), "'", record.name,
                              "' was called with complex numbers, which Trainium lacks; compute with "
                              "torch.view_as_real. The policy is strict");
}

void noteMemoryFormat(c10::MemoryFormat format) {
  if (format != c10::MemoryFormat::ChannelsLast && format != c10::MemoryFormat::ChannelsLast3d) return;
  static OpRecord& record = coverage().record("neuron::channels_last");
  TORCH_CHECK_NOT_IMPLEMENTED(
      coverage().policy() != Policy::Strict,
      "a tensor was asked for in channels_last, and Trainium has contiguous tensors only; leave "
      "the memory format away. The policy is strict");
  record.count();
}

}  // namespace np::device

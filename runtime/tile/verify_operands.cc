// Rules that hold for operands of every instruction: where they live, how they are viewed, which engine reads them.
#include <algorithm>
#include <unordered_set>

#include "runtime/tile/checker.h"
#include "runtime/tile/engine.h"
#include "runtime/tile/storage.h"

namespace np::tile {
namespace {

constexpr size_t kMaxFreeDims = 4, kMaxDmaDims = 5;
constexpr int64_t kMaxSize = 65535, kMaxStep = 32767;

size_t realDims(const FlatView& view, size_t from) {
  return static_cast<size_t>(std::count_if(view.dims.begin() + static_cast<int64_t>(from), view.dims.end(),
                                           [](FlatDim d) { return d.size > 1; }));
}

// First and last element that a view touches.
std::pair<int64_t, int64_t> reach(const FlatView& view) {
  int64_t low = view.offset, high = view.offset;
  for (const FlatDim& dim : view.dims) (dim.step < 0 ? low : high) += dim.step * (dim.size - 1);
  return {low, high};
}

// Cheap answer for the common case: two column ranges of one tile.
bool freeRangesApart(const FlatView& a, const FlatView& b, int64_t pitch) {
  const auto range = [pitch](FlatView view) {
    view.offset %= pitch;
    view.dims[0].size = 1;
    return reach(view);
  };
  const auto [a_low, a_high] = range(a);
  const auto [b_low, b_high] = range(b);
  return a_high < b_low || b_high < a_low;
}

template <class Run>
void forEachElement(const FlatView& view, Run run) {
  forEachRun(view.dims.data(), view.dims.size(), view.offset, [&](int64_t first, int64_t step, int64_t count) {
    for (int64_t i = 0; i < count; ++i) run(first + i * step);
    return true;
  });
}

// Sufficient, not necessary: sorted by step, each dimension steps over all that the smaller ones reach.
bool isNested(const FlatView& view) {
  std::vector<FlatDim> dims;
  for (const FlatDim& dim : view.dims) {
    if (dim.size > 1) dims.push_back({std::abs(dim.step), dim.size});
  }
  std::sort(dims.begin(), dims.end(), [](FlatDim a, FlatDim b) { return a.step < b.step; });
  int64_t span = 0;
  for (const FlatDim& dim : dims) {
    if (dim.step <= span) return false;
    span += dim.step * (dim.size - 1);
  }
  return true;
}

}  // namespace

void Checker::checkOperands(const FlatInstruction& i) {
  const auto arguments = schemaOf(i.opcode).arguments;
  const FlatView* dst = i.view("dst");
  for (size_t a = 0; a < arguments.size(); ++a) {
    const auto* view = std::get_if<FlatView>(&i.arguments[a]);
    if (!view) continue;
    if (i.opcode == Opcode::kDmaCopy)
      checkDmaView(*view, arguments[a].name);
    else
      checkEngineView(*view, arguments[a].name);
    if (arguments[a].access == Access::kRead)
      checkOverlap(*dst, *view);
    else
      checkDestination(*view);
  }
  checkEngineMemory(i, engineOf(i));
}

void Checker::checkEngineView(const FlatView& view, std::string_view argument) {
  const std::string what = std::string(argument) + " " + name(view);
  if (!require(memory(view) != Memory::kHbm, "memory", what + " lies in HBM, copy it to SBUF first")) return;
  if (!require(view.index.empty(), "gather", what + " is indirect, which only dma_copy takes")) return;
  const int64_t pitch = buffer(view).partitionPitch();
  const int64_t start = view.offset / pitch, count = view.partitions();
  require(view.dims[0].step == pitch, "broadcast-partition", what + " does not take its partitions one by one");
  const bool legal = count > 64   ? start == 0
                     : count > 32 ? start == 0 || start == 64
                                  : start == 0 || start == 32 || start == 64 || start == 96;
  require(legal, "start-partition",
          what + " has " + std::to_string(count) + " partitions from partition " + std::to_string(start));
  require(realDims(view, 1) <= kMaxFreeDims, "free-dims",
          what + " has " + std::to_string(realDims(view, 1)) + " free dimensions");
  for (size_t d = 1; d < view.dims.size(); ++d) {
    require(view.dims[d].size <= kMaxSize && std::abs(view.dims[d].step) <= kMaxStep, "free-range",
            what + " has a dimension of " + std::to_string(view.dims[d].size) + " elements, step " +
                std::to_string(view.dims[d].step));
  }
}

void Checker::checkDmaView(const FlatView& view, std::string_view argument) {
  const std::string what = std::string(argument) + " " + name(view);
  require(memory(view) != Memory::kPsum, "memory", what + " lies in PSUM, which DMA cannot reach");
  require(realDims(view, 0) <= kMaxDmaDims, "free-dims",
          what + " has " + std::to_string(realDims(view, 0)) + " dimensions");
  if (memory(view) == Memory::kSbuf) {
    require(view.dims[0].step == buffer(view).partitionPitch(), "broadcast-partition",
            what + " does not take its partitions one by one");
  }
  if (!view.index.empty()) checkGather(view);
}

void Checker::checkGather(const FlatView& view) {
  const FlatView& index = view.index.front();
  const int64_t pitch = buffer(view).partitionPitch();
  require(memory(view) == Memory::kHbm, "gather", name(view) + " is indirect but not in HBM");
  require(memory(index) == Memory::kSbuf && (index.dtype == Dtype::kI32 || index.dtype == Dtype::kU32) &&
              index.perPartition() == 1 && index.partitions() == view.dims[0].size && index.index.empty() &&
              index.partitions() <= hardware_.partitions,
          "gather", "the index " + name(index) + " must be a (P,1) SBUF tile of i32 or u32, one row each");
  require(view.dims[0].size == 1 || view.dims[0].step == pitch, "gather",
          name(view) + " steps " + std::to_string(view.dims[0].step) + " elements a row, its rows have " +
              std::to_string(pitch));
  require(view.offset < pitch, "gather", name(view) + " starts beyond its first row");
}

void Checker::checkDestination(const FlatView& view) {
  require(!buffer(view).is_input, "read-only", name(view) + " is an input");
  bool once = isNested(view);
  const bool small = view.elements() <= 1 << 22;
  if (!once && small &&
      std::none_of(view.dims.begin(), view.dims.end(), [](FlatDim d) { return d.step == 0 && d.size > 1; })) {
    std::unordered_set<int64_t> seen;
    once = true;
    forEachElement(view, [&](int64_t element) { once = once && seen.insert(element).second; });
  }
  require(once, "write-once", name(view) + " is written twice at the same place by one instruction");
}

void Checker::checkOverlap(const FlatView& dst, const FlatView& src) {
  if (dst.buffer != src.buffer) return;
  if (dst.offset == src.offset && dst.dims == src.dims && dst.index.empty() && src.index.empty()) return;
  if (memory(dst) != Memory::kHbm && freeRangesApart(dst, src, buffer(dst).partitionPitch())) return;
  const auto [dst_low, dst_high] = reach(dst);
  const auto [src_low, src_high] = reach(src);
  if (dst_high < src_low || src_high < dst_low) return;
  std::unordered_set<int64_t> written;
  forEachElement(dst, [&](int64_t element) { written.insert(element); });
  bool apart = dst.index.empty() && src.index.empty();
  forEachElement(src, [&](int64_t element) { apart = apart && !written.contains(element); });
  require(apart, "overlap", name(dst) + " is read and written by one instruction at shifted places");
}

void Checker::checkScalar(const FlatInstruction& i, std::string_view argument, int64_t partitions, bool bitwise) {
  const FlatView* view = i.view(argument);
  if (!view) return;
  require(view->perPartition() == 1 && view->partitions() == partitions, "scalar-operand",
          std::string(argument) + " " + name(*view) + " must be (" + std::to_string(partitions) + ", 1)");
  require(bitwise ? !isFloat(view->dtype) : view->dtype == Dtype::kF32, "scalar-operand",
          std::string(argument) + " " + name(*view) + " is " + dtypeName(view->dtype) + ", it must be " +
              (bitwise ? "an integer type" : "f32"));
}

Engine Checker::engineOf(const FlatInstruction& i) {
  const std::span<const Engine> possible = enginesOf(i.opcode);
  const int index = argumentIndex(i.opcode, "engine");
  const Engine* asked = index >= 0 ? std::get_if<Engine>(&i.arguments[static_cast<size_t>(index)]) : nullptr;
  if (asked) {
    require(std::find(possible.begin(), possible.end(), *asked) != possible.end(), "engine",
            std::string(engineName(*asked)) + " cannot run it");
  }
  return chooseEngine(program_, i);
}

void Checker::checkEngineMemory(const FlatInstruction& i, Engine engine) {
  if (engine != Engine::kGpsimd) return;
  for (const FlatArgument& argument : i.arguments) {
    const auto* view = std::get_if<FlatView>(&argument);
    if (view)
      require(memory(*view) != Memory::kPsum, "memory", name(*view) + " lies in PSUM, which GpSimd cannot reach");
  }
}

}  // namespace np::tile

// Event-driven cost model: one in-order queue per engine and 16 DMA queues; an instruction starts when its engine is
// free and the buffers it reads and writes are ready (def-use per buffer, as semaphores are). Cycle formulas are the
// ones AWS documented for NKI (Beta 1, still the only ones) with the performance modes of the later chips; the loss of
// short DMA descriptors is a fit to three documented points (256 B severe, 2 KiB good, 4 KiB full).
//
// Not modelled: contention of engines for SBUF and PSUM ports, HBM shared between cores, instruction fetch.
#include "runtime/tile/cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tile/engine.h"
#include "runtime/tile/schema.h"

namespace np::tile {
namespace {

constexpr double kHalfRateRun = 256;  // bytes of a descriptor at which a DMA queue runs at half its rate

class Model {
 public:
  Model(const FlatProgram& program, const Hardware& hardware) : program_(program), hardware_(hardware) {}

  // Cycles without start-up, by the documented formulas.
  double cycles(const FlatInstruction& i, Engine engine) const;
  double gigahertz(Engine engine) const {
    switch (engine) {
      case Engine::kTensor:
        return hardware_.tensor_ghz;
      case Engine::kScalar:
        return hardware_.scalar_ghz;
      case Engine::kGpsimd:
        return hardware_.gpsimd_ghz;
      default:
        return hardware_.vector_ghz;
    }
  }
  Memory memory(const FlatView& view) const { return program_.buffers[static_cast<size_t>(view.buffer)].memory; }
  int64_t dmaBytes(const FlatInstruction& i) const {
    const FlatView &dst = *i.view("dst"), &src = *i.view("src");
    return dst.elements() * std::max(dtypeBytes(dst.dtype), dtypeBytes(src.dtype));
  }
  // Queues that a DMA is spread over: each serves 8 partitions.
  int dmaQueues(const FlatInstruction& i) const {
    int64_t rows = 1;
    for (const char* side : {"dst", "src"}) {
      if (memory(*i.view(side)) == Memory::kSbuf) rows = std::max(rows, i.view(side)->partitions());
    }
    const auto queues = static_cast<int64_t>(hardware_.dma_engines);
    return static_cast<int>(std::clamp((rows + 7) / 8, int64_t{1}, queues));
  }
  // Share of the full rate that contiguous runs of this length reach.
  double dmaEfficiency(const FlatInstruction& i) const {
    const double run = static_cast<double>(std::min(runBytes(*i.view("dst")), runBytes(*i.view("src"))));
    return run / (run + kHalfRateRun);
  }

 private:
  bool isHalf(const FlatView& view) const { return view.dtype == Dtype::kF16 || view.dtype == Dtype::kBf16; }
  double vectorCopyCycles(const FlatView& dst, const FlatView& src, Engine engine) const {
    const auto n = static_cast<double>(dst.perPartition());
    if (engine != Engine::kVector || !isHalf(dst) || !isHalf(src)) return n;
    const bool psum = memory(dst) == Memory::kPsum || memory(src) == Memory::kPsum;
    const bool contiguous = dst.dims.back().step == 1 && src.dims.back().step == 1;
    return !psum && contiguous ? n / 4 : !psum || contiguous ? n / 2 : n;
  }
  static int64_t runBytes(const FlatView& view) {
    int64_t run = 1;
    for (size_t d = view.dims.size(); d-- > 0 && (view.dims[d].step == run || view.dims[d].size == 1);) {
      run *= view.dims[d].size;
    }
    return run * dtypeBytes(view.dtype);
  }

  const FlatProgram& program_;
  const Hardware& hardware_;
};

double Model::cycles(const FlatInstruction& i, Engine engine) const {
  const FlatView& dst = *i.view("dst");
  const auto n = static_cast<double>(dst.perPartition());
  const double least = hardware_.min_cycles;
  switch (i.opcode) {
    case Opcode::kActivation:
      return std::max(least, n) + (i.view("reduce_res") ? hardware_.reduce_read_cycles : 0);
    case Opcode::kTensorScalarReduce:
      return std::max(least, n) + hardware_.reduce_read_cycles;
    case Opcode::kTensorCopy:
      return std::max(least, vectorCopyCycles(dst, *i.view("src"), engine));
    case Opcode::kTensorScalar:
      return std::max(least, vectorCopyCycles(dst, *i.view("data"), engine) * (engine == Engine::kGpsimd ? 4 : 1));
    case Opcode::kMemset:
      return std::max(least, isHalf(dst) && *i.number("value") == 0 ? n / 2 : n);
    case Opcode::kTensorTensor: {
      const FlatView &a = *i.view("data1"), &b = *i.view("data2");
      if (engine == Engine::kGpsimd) return hardware_.gpsimd_start_cycles + 2 * n;
      const bool psum = memory(a) == Memory::kPsum || memory(b) == Memory::kPsum;
      const bool half = isHalf(a) && isHalf(b) && isHalf(dst);
      return std::max(least, half && !psum ? n / 2 : psum ? n : 2 * n);
    }
    case Opcode::kScalarTensorTensor:
    case Opcode::kTensorTensorScan:
      return std::max(least, 2 * n);
    case Opcode::kTensorCopyPredicated: {
      const bool psum =
          memory(*i.view("predicate")) == Memory::kPsum || (i.view("src") && memory(*i.view("src")) == Memory::kPsum);
      return std::max(least, psum ? n : 2 * n);
    }
    case Opcode::kSelectReduce:
      return std::max(least, 2 * n);
    case Opcode::kTensorReduce: {
      const FlatView& data = *i.view("data");
      const auto read = static_cast<double>(data.perPartition());
      return std::max(least, isHalf(data) && isHalf(dst) ? read / 2 : read);
    }
    case Opcode::kReciprocal:
      return std::max(least, 8 * n);
    case Opcode::kAffineSelect:
    case Opcode::kIota:
      return hardware_.gpsimd_start_cycles + n;
    case Opcode::kNcNGather:
      return hardware_.gpsimd_start_cycles * std::ceil(n / 512) + n;
    case Opcode::kMax8:
      return std::max(least, static_cast<double>(i.view("src")->perPartition()));
    case Opcode::kNcFindIndex8:
      return std::max(least, static_cast<double>(i.view("data")->perPartition()));
    case Opcode::kNcMatmul: {
      const FlatView& moving = *i.view("moving");
      const auto m = static_cast<double>(i.view("stationary")->perPartition());
      const bool onezero = i.flag("is_stationary_onezero") || i.flag("is_moving_onezero");
      const double passes = moving.dtype == Dtype::kF32 ? (onezero ? 2 : 4) : 1;
      return std::max(std::min(least, m), static_cast<double>(moving.perPartition())) * passes;
    }
    case Opcode::kNcTranspose: {
      const FlatView& data = *i.view("data");
      const auto rows = static_cast<double>(data.partitions()), columns = static_cast<double>(data.perPartition());
      if (engine == Engine::kVector) return std::max(least, n);
      return std::max(rows, std::min(least, columns)) * (data.dtype == Dtype::kF32 ? 2 : 1);
    }
    case Opcode::kDmaCopy:
      return 0;
  }
  return 0;
}

// One pass over the program with a clock per queue.
class Timeline {
 public:
  Timeline(const FlatProgram& program, const Hardware& hardware, bool pessimistic)
      : program_(program),
        hardware_(hardware),
        model_(program, hardware),
        pessimistic_(pessimistic),
        written_(program.buffers.size(), 0),
        read_(program.buffers.size(), 0),
        loads_free_(static_cast<size_t>(hardware.dma_engines), 0),
        stores_free_(loads_free_) {}

  double run() {
    double end = 0;
    for (const FlatInstruction& i : program_.instructions) end = std::max(end, place(i));
    return std::max(end, dma_busy_ + (dma_busy_ > 0 ? hardware_.dma_start_ns : 0));
  }

 private:
  double ready(const FlatInstruction& i) const {
    double out = 0;
    const auto arguments = schemaOf(i.opcode).arguments;
    for (size_t a = 0; a < arguments.size(); ++a) {
      const auto* view = std::get_if<FlatView>(&i.arguments[a]);
      if (!view) continue;
      const auto id = static_cast<size_t>(view->buffer);
      out = std::max(out, written_[id]);
      if (arguments[a].access != Access::kRead) out = std::max(out, read_[id]);
      for (const FlatView& index : view->index) out = std::max(out, written_[static_cast<size_t>(index.buffer)]);
    }
    return out;
  }

  double place(const FlatInstruction& i) {
    const Engine engine = chooseEngine(program_, i);
    const double end = engine == Engine::kDma ? placeDma(i) : placeCompute(i, engine);
    const auto arguments = schemaOf(i.opcode).arguments;
    for (size_t a = 0; a < arguments.size(); ++a) {
      const auto* view = std::get_if<FlatView>(&i.arguments[a]);
      if (!view) continue;
      auto& mark = arguments[a].access == Access::kRead ? read_ : written_;
      double& at = mark[static_cast<size_t>(view->buffer)];
      at = std::max(at, end);
    }
    return end;
  }

  double placeCompute(const FlatInstruction& i, Engine engine) {
    double cycles = model_.cycles(i, engine);
    double& free = engine_free_[static_cast<size_t>(engine)];
    const double ready_at = ready(i);
    const bool waits = ready_at > free;
    if (pessimistic_)
      cycles += hardware_.access_cycles + hardware_.small_cycles;
    else if (waits)
      cycles += hardware_.access_cycles;
    return free = std::max(free, ready_at) + cycles / model_.gigahertz(engine);
  }

  double placeDma(const FlatInstruction& i) {
    const int queues = model_.dmaQueues(i);
    const double rate = hardware_.dma_bytes_per_ns * queues * model_.dmaEfficiency(i);
    const double move = static_cast<double>(model_.dmaBytes(i)) / rate;
    dma_busy_ += move * queues / hardware_.dma_engines;
    // Loads and stores have rings of their own: a store that waits does not hold up the next load. That both share the
    // bandwidth is accounted for at the end.
    std::vector<double>& queue_free = model_.memory(*i.view("src")) == Memory::kHbm ? loads_free_ : stores_free_;
    std::partial_sort(queue_free.begin(), queue_free.begin() + queues, queue_free.end());
    const double free = queue_free[static_cast<size_t>(queues) - 1];
    // The start-up of one DMA hides behind the transfer of another, unless nothing is hidden.
    const double begin = pessimistic_ ? std::max(free, ready(i)) + hardware_.dma_start_ns
                                      : std::max(free, ready(i) + hardware_.dma_start_ns);
    std::fill_n(queue_free.begin(), queues, begin + move);
    return begin + move;
  }

  const FlatProgram& program_;
  const Hardware& hardware_;
  Model model_;
  bool pessimistic_;
  std::vector<double> written_, read_;  // ns, per buffer
  std::array<double, 7> engine_free_{};
  std::vector<double> loads_free_, stores_free_;
  double dma_busy_ = 0;
};

}  // namespace

Cost estimateCost(const FlatProgram& program, const Hardware& hardware) {
  const Model model(program, hardware);
  Cost out;
  out.instructions = static_cast<int64_t>(program.instructions.size());
  for (const FlatInstruction& i : program.instructions) {
    const Engine engine = chooseEngine(program, i);
    double ns = 0;
    if (engine == Engine::kDma) {
      out.dma_bytes += model.dmaBytes(i);
      ++out.dma_count;
      ns = static_cast<double>(model.dmaBytes(i)) / (hardware.dma_engines * hardware.dma_bytes_per_ns);
    } else {
      ns = model.cycles(i, engine) / model.gigahertz(engine);
    }
    out.busy_us[engineName(engine)] += ns / 1000;
  }
  for (const auto& [name, busy] : out.busy_us) {
    if (busy > out.low_us) out.low_us = busy, out.bound = name;
  }
  out.estimate_us = std::max(out.low_us, Timeline(program, hardware, false).run() / 1000);
  out.high_us = std::max(out.estimate_us, Timeline(program, hardware, true).run() / 1000);
  return out;
}

Roofline roofline(const FlatProgram& program, const Hardware& hardware) {
  double bytes = 0, tensor_ns = 0;
  for (const FlatBuffer& buffer : program.buffers) {
    if (buffer.is_input || buffer.is_output) bytes += static_cast<double>(buffer.elements() * dtypeBytes(buffer.dtype));
  }
  for (const FlatInstruction& i : program.instructions) {
    if (i.opcode != Opcode::kNcMatmul) continue;
    const FlatView &stationary = *i.view("stationary"), &moving = *i.view("moving");
    const double products = static_cast<double>(stationary.elements()) * static_cast<double>(moving.perPartition());
    const double per_ns = static_cast<double>(hardware.partitions * hardware.stationary_free) * hardware.tensor_ghz;
    tensor_ns += products / per_ns * (moving.dtype == Dtype::kF32 ? 4 : 1);
  }
  return {bytes / (hardware.dma_engines * hardware.dma_bytes_per_ns) / 1000, tensor_ns / 1000};
}

}  // namespace np::tile

// A case: buffers copied to aligned memory, each launch compiled for its block size and run, outputs copied back when
// all went well, so that an error leaves the caller's buffers as they were.

#include "kernel_port/simt/fast/fast_executor.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <thread>

#include "kernel_port/frontend/prepare.h"
#include "kernel_port/simt/arguments.h"
#include "kernel_port/simt/fast/compiled_kernel.h"

namespace np::kernel_port::fast {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Free {
  void operator()(uint8_t* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<uint8_t, Free>;

Memory aligned(uint64_t bytes) {
  return Memory(static_cast<uint8_t*>(std::aligned_alloc(128, (bytes + 127) / 128 * 128 + 128)));
}

struct Launch {
  const CompiledKernel* kernel = nullptr;
  const launch::LaunchPlan* plan = nullptr;
  std::vector<std::vector<uint8_t>> arguments;
};

Outcome runBlocks(const Launch& launch, Fibers& fibers, State& state, void** arguments, int64_t first, int64_t end) {
  const CompiledKernel& kernel = *launch.kernel;
  if (!kernel.waits) return runStraight(kernel.run, arguments, state, first, end);
  state.fibers = &fibers;
  return fibers.run(kernel.run, arguments, state, first, end, kernel.workers, kernel.warp);
}

std::vector<int64_t> permutation(int64_t count, uint64_t seed) {
  std::vector<int64_t> out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  uint64_t x = seed * 0x9e3779b97f4a7c15 + 1;
  for (size_t k = out.size(); k > 1; --k) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    std::swap(out[k - 1], out[x % k]);
  }
  return out;
}

// One operating-system thread's share.
struct Worker {
  Fibers fibers;
  Memory arena;
  State state;
};

class Launcher {
 public:
  explicit Launcher(const FastOptions& options) : options_(options) {}

  Outcome run(const Launch& launch) {
    std::vector<void*> arguments;
    for (const auto& bytes : launch.arguments) arguments.push_back(const_cast<uint8_t*>(bytes.data()));
    const auto& grid = launch.plan->grid;
    const int64_t blocks = grid[0] * grid[1] * grid[2];
    const auto prepare = [&](Worker& worker) {
      const uint64_t size = launch.kernel->static_shared + static_cast<uint64_t>(launch.plan->shared);
      worker.arena = aligned(size);
      std::memset(worker.arena.get(), 0xff, size);
      worker.state.arena = worker.arena.get();
      for (int axis = 0; axis < 3; ++axis) worker.state.grid[axis] = static_cast<uint32_t>(grid[axis]);
    };
    if (options_.schedule == Schedule::Parallel) return parallel(launch, arguments, blocks, prepare);
    Worker worker;
    prepare(worker);
    if (options_.schedule == Schedule::Sequential)
      return runBlocks(launch, worker.fibers, worker.state, arguments.data(), 0, blocks);
    for (const int64_t block : permutation(blocks, options_.seed)) {
      const Outcome outcome = runBlocks(launch, worker.fibers, worker.state, arguments.data(), block, block + 1);
      if (outcome != Outcome::Finished) return outcome;
    }
    return Outcome::Finished;
  }

 private:
  template <class Prepare>
  Outcome parallel(const Launch& launch, std::vector<void*>& arguments, int64_t blocks, const Prepare& prepare) {
    const unsigned wanted = options_.threads ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
    const auto count = static_cast<unsigned>(std::min<int64_t>(wanted, std::max<int64_t>(1, blocks)));
    // Shares are handed out in chunks: rows of a triangular problem are not equally long.
    const int64_t chunk = std::max<int64_t>(1, blocks / (int64_t{count} * 8));
    std::atomic<int64_t> next{0};
    std::atomic<int> worst{static_cast<int>(Outcome::Finished)};
    std::vector<std::thread> threads;
    const auto work = [&] {
      Worker worker;
      prepare(worker);
      for (;;) {
        const int64_t first = next.fetch_add(chunk);
        if (first >= blocks || worst != static_cast<int>(Outcome::Finished)) return;
        const Outcome outcome =
            runBlocks(launch, worker.fibers, worker.state, arguments.data(), first, std::min(blocks, first + chunk));
        if (outcome != Outcome::Finished) worst = static_cast<int>(outcome);
      }
    };
    for (unsigned k = 1; k < count; ++k) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    return static_cast<Outcome>(worst.load());
  }

  const FastOptions& options_;
};

}  // namespace

struct FastExecutor::Impl {
  std::string bitcode;
  std::vector<simt::KernelEntry> kernels;
  std::map<std::string, CompiledKernel> compiled;

  Result<FastResult> attempt(const launch::LaunchFile& file, const launch::CasePlan& plan,
                             std::vector<launch::HostBuffer>& buffers, const FastOptions& options);
  Result<const CompiledKernel*> get(const simt::KernelEntry& kernel, const launch::LaunchPlan& plan,
                                    const FastOptions& options, FastKernel& note);
};

FastExecutor::FastExecutor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FastExecutor::FastExecutor(FastExecutor&&) noexcept = default;
FastExecutor& FastExecutor::operator=(FastExecutor&&) noexcept = default;
FastExecutor::~FastExecutor() = default;

Result<FastExecutor> FastExecutor::create(const DeviceModule& source, const std::vector<std::string>& kernels) {
  NP_ASSIGN(DeviceModule module, source.clone());
  auto impl = std::make_unique<Impl>();
  if (kernels.empty()) {
    for (const analyzer::DeviceKernel& kernel : module.kernels()) impl->kernels.push_back({kernel, 0});
  }
  for (const std::string& name : kernels) {
    NP_ASSIGN(const analyzer::DeviceKernel* kernel, module.get(name));
    impl->kernels.push_back({*kernel, 0});
    impl->kernels.back().facts.name = name;
  }
  inlineDeviceFunctions(module);
  llvm::raw_string_ostream stream(impl->bitcode);
  llvm::WriteBitcodeToFile(module.module(), stream);
  stream.flush();
  return FastExecutor(std::move(impl));
}

Result<const CompiledKernel*> FastExecutor::Impl::get(const simt::KernelEntry& kernel, const launch::LaunchPlan& plan,
                                                      const FastOptions& options, FastKernel& note) {
  KernelRequest request;
  request.symbol = kernel.facts.symbol;
  for (int axis = 0; axis < 3; ++axis) request.block[axis] = static_cast<uint32_t>(plan.block[axis]);
  std::string key = request.symbol;
  for (const uint32_t extent : request.block) key += " " + std::to_string(extent);
  for (const bool value : {options.contract, options.avx512, options.schedule == Schedule::Parallel})
    key += value ? " 1" : " 0";
  auto found = compiled.find(key);
  if (found == compiled.end()) {
    const auto start = Clock::now();
    NP_ASSIGN(CompiledKernel made, compileKernel(bitcode, request, options));
    note.compile_seconds = since(start);
    found = compiled.emplace(key, std::move(made)).first;
  }
  note.from_cache = found->second.from_cache;
  return &found->second;
}

Result<FastResult> FastExecutor::Impl::attempt(const launch::LaunchFile& file, const launch::CasePlan& plan,
                                               std::vector<launch::HostBuffer>& buffers, const FastOptions& options) {
  std::vector<Memory> memory;
  for (const launch::HostBuffer& buffer : buffers) {
    memory.push_back(aligned(buffer.bytes.size()));
    std::memcpy(memory.back().get(), buffer.bytes.data(), buffer.bytes.size());
  }
  FastResult out;
  for (size_t k = 0; k < plan.launches.size(); ++k) {
    Launch launch;
    launch.plan = &plan.launches[k];
    const std::string where = file.path + "#/launches/" + std::to_string(k);
    const simt::KernelEntry* kernel = nullptr;
    for (const simt::KernelEntry& entry : kernels)
      if (entry.facts.name == launch.plan->kernel) kernel = &entry;
    if (!kernel)
      return makeError("no-kernel", "kernel \"" + launch.plan->kernel + "\" does not exist", where + "/kernel");
    FastKernel note;
    note.name = kernel->facts.name;
    NP_ASSIGN(launch.kernel, get(*kernel, *launch.plan, options, note));
    NP_ASSIGN(launch.arguments, simt::packArguments(
                                    *kernel, *launch.plan, plan,
                                    [&](int index) { return reinterpret_cast<uint64_t>(memory[index].get()); }, where));
    const auto start = Clock::now();
    const Outcome outcome = Launcher(options).run(launch);
    note.run_seconds = since(start);
    out.seconds += note.run_seconds;
    out.kernels.push_back(std::move(note));
    if (outcome == Outcome::Trapped)
      return makeError(
          "trap", "kernel \"" + kernel->facts.name + "\" trapped or an assertion failed; run it checked to see where",
          where);
    if (outcome == Outcome::Deadlocked)
      return makeError(
          "deadlock",
          "threads of kernel \"" + kernel->facts.name + "\" wait for each other; run it checked to see where", where);
  }
  for (size_t k = 0; k < buffers.size(); ++k)
    std::memcpy(buffers[k].bytes.data(), memory[k].get(), buffers[k].bytes.size());
  return out;
}

Result<FastResult> FastExecutor::run(const launch::LaunchFile& file, const launch::CasePlan& plan,
                                     std::vector<launch::HostBuffer>& buffers, const FastOptions& options) {
  if (buffers.size() != plan.buffers.size())
    return makeError("arguments", "expected " + std::to_string(plan.buffers.size()) + " buffers", file.path);
  return impl_->attempt(file, plan, buffers, options);
}

}  // namespace np::kernel_port::fast

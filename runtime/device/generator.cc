// The device's generator.
//
// CPU kernels need a CPU generator, whose state is 5 kB and sequential. Here each random op draws one 64-bit seed from
// (seed, offset) with the splitmix64 finaliser and runs on a throw-away CPU generator with that seed. So the state
// stays 16 bytes, does not depend on how many numbers an op drew, and the user's CPU generator is left alone. The
// numbers differ from those of a CPU run with the same seed, and from Trainium's: both by design.

#include "runtime/device/generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <c10/core/GeneratorImpl.h>

#include <cstring>

namespace np::device {
namespace {

constexpr size_t kStateBytes = 16;
constexpr uint64_t kOffsetStep = 4;  // offsets are multiples of 4, as Philox based trackers expect

class NeuronGenerator final : public c10::GeneratorImpl {
 public:
  explicit NeuronGenerator(c10::DeviceIndex index)
      : GeneratorImpl(c10::Device(kNeuron, index), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)) {}

  void set_current_seed(uint64_t seed) override {
    seed_ = seed;
    offset_ = 0;
  }
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override {
    set_current_seed(c10::detail::getNonDeterministicRandom());
    return seed_;
  }
  void set_offset(uint64_t offset) override { offset_ = offset; }
  uint64_t get_offset() const override { return offset_; }

  void set_state(const c10::TensorImpl& from) override {
    TORCH_CHECK(from.device().is_cpu() && from.dtype() == caffe2::TypeMeta::Make<uint8_t>() && from.is_contiguous() &&
                    from.numel() == static_cast<int64_t>(kStateBytes),
                "a neuron generator's state is a CPU byte tensor of 16 elements, got ", from.numel(), " of ",
                from.dtype());
    auto* bytes = static_cast<const char*>(from.data());
    std::memcpy(&seed_, bytes, 8);
    std::memcpy(&offset_, bytes + 8, 8);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    auto tensor = at::detail::empty_cpu({static_cast<int64_t>(kStateBytes)}, at::kByte);
    auto* bytes = static_cast<char*>(tensor.data_ptr());
    std::memcpy(bytes, &seed_, 8);
    std::memcpy(bytes + 8, &offset_, 8);
    return tensor.getIntrusivePtr();
  }

  // The next op's seed; the caller holds the lock.
  uint64_t next() {
    uint64_t mixed = seed_ + 0x9E3779B97F4A7C15ull * (offset_ + 1);
    offset_ += kOffsetStep;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
    return mixed ^ (mixed >> 31);
  }

 private:
  NeuronGenerator* clone_impl() const override {
    auto* copy = new NeuronGenerator(device_.index());
    copy->seed_ = seed_;
    copy->offset_ = offset_;
    return copy;
  }

  uint64_t seed_ = c10::default_rng_seed_val;
  uint64_t offset_ = 0;
};

}  // namespace

const at::Generator& defaultGenerator(c10::DeviceIndex device) {
  static const auto* generators = [] {
    auto* all = new std::vector<at::Generator>;
    for (int index = 0; index < state().space.deviceCount(); ++index)
      all->push_back(makeNeuronGenerator(static_cast<c10::DeviceIndex>(index)));
    return all;
  }();
  return (*generators)[static_cast<size_t>(resolveDevice({kNeuron, device}).index())];
}

at::Generator makeNeuronGenerator(c10::DeviceIndex device) {
  return at::make_generator<NeuronGenerator>(resolveDevice({kNeuron, device}).index());
}

uint64_t nextSeed(const at::Generator& generator) {
  TORCH_CHECK(generator.device().type() == kNeuron, "Expected a 'neuron' device type for generator but found '",
              generator.device().type(), "'");
  auto* implementation = static_cast<NeuronGenerator*>(generator.unsafeGetGeneratorImpl());
  std::lock_guard lock(implementation->mutex_);
  return implementation->next();
}

at::Generator nextCpuGenerator(const at::Generator& generator) {
  return at::detail::createCPUGenerator(nextSeed(generator));
}

}  // namespace np::device

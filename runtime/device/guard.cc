// Current device, streams and events.
//
// A stream is a number, an event a moment in one stream's work; what waiting means is up to the stream board (in sync
// mode nothing: every op is complete when its call returns). Streams and the current device belong to a thread, as on a
// CUDA device; autograd's threads get theirs through here.

#include "runtime/device/guard.h"

#include <c10/core/DeviceCapability.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>
#include <chrono>

#include "runtime/device/device_state.h"

namespace np::device {
namespace {

struct EventRecord {
  std::chrono::steady_clock::time_point time;
  bool timing;
  StreamPoint point;
};

StreamKey keyOf(const c10::Stream& stream) { return {stream.device_index(), stream.id()}; }

c10::Stream streamOn(c10::DeviceIndex index, c10::StreamId id) {
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(kNeuron, index), id);
}

c10::DeviceIndex indexOf(c10::Device device) { return resolveDevice(device).index(); }

class NeuronGuard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return kNeuron; }
  c10::Device getDevice() const override { return {kNeuron, threadState().device}; }
  void setDevice(c10::Device device) const override { threadState().device = indexOf(device); }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.has_index()) threadState().device = device.index();
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return isOpen() ? static_cast<c10::DeviceIndex>(state().space.deviceCount()) : 0;
  }
  c10::DeviceCapability getDeviceCapability(c10::Device) const override {
    c10::DeviceCapability capability;
    capability.capability_data.capability_bits = 0;
    auto& types = capability.capability_data.supported_scalar_types;
    // What the chip's data paths handle; other types run here too, computed by the host.
    types.has_Float = types.has_Half = types.has_BFloat16 = types.has_Bool = 1;
    types.has_Char = types.has_Byte = types.has_Short = types.has_Int = 1;
    return capability;
  }

  c10::Stream getStream(c10::Device device) const override {
    const auto index = indexOf(device);
    return streamOn(index, threadState().streams[static_cast<size_t>(index)]);
  }
  c10::Stream getDefaultStream(c10::Device device) const override { return streamOn(indexOf(device), 0); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return getNewStream(device, 0); }
  c10::Stream getNewStream(c10::Device device, int) const override { return streamOn(indexOf(device), ++last_stream_); }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    const c10::Stream before = getStream(stream.device());
    threadState().streams[static_cast<size_t>(stream.device_index())] = stream.id();
    return before;
  }
  void* getStreamNativeHandle(const c10::Stream stream) const override {
    return reinterpret_cast<void*>(static_cast<intptr_t>(stream.id()));
  }
  bool queryStream(const c10::Stream& stream) const override { return state().streams.queryStream(keyOf(stream)); }
  void synchronizeStream(const c10::Stream& stream) const override { state().streams.synchronizeStream(keyOf(stream)); }
  void synchronizeDevice(const c10::DeviceIndex index) const override {
    state().streams.synchronizeDevice(indexOf({kNeuron, index}));
  }
  bool isStreamCapturing(const c10::Stream&) const override { return false; }
  // Nobody asks for this but the reducer of DDP, which also waits for the stream.
  void recordDataPtrOnStream(const c10::DataPtr&, const c10::Stream&) const override {}

  void record(void** event, const c10::Stream& stream, const c10::DeviceIndex,
              const c10::EventFlag flag) const override {
    if (!*event) *event = new EventRecord{{}, flag == c10::EventFlag::BACKEND_DEFAULT, {}};
    auto* recorded = static_cast<EventRecord*>(*event);
    recorded->time = std::chrono::steady_clock::now();
    recorded->point = state().streams.record(keyOf(stream));
  }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
    delete static_cast<EventRecord*>(event);
  }
  void block(void* event, const c10::Stream& stream) const override {
    if (event) state().streams.wait(keyOf(stream), static_cast<EventRecord*>(event)->point);
  }
  bool queryEvent(void* event) const override {
    return !event || state().streams.query(static_cast<EventRecord*>(event)->point);
  }
  void synchronizeEvent(void* event) const override {
    if (event) state().streams.synchronize(static_cast<EventRecord*>(event)->point);
  }
  double elapsedTime(void* first, void* second, const c10::DeviceIndex) const override {
    TORCH_CHECK(first && second, "Both events must be recorded before calculating elapsed time.");
    auto* from = static_cast<EventRecord*>(first);
    auto* to = static_cast<EventRecord*>(second);
    TORCH_CHECK(from->timing && to->timing, "Both events must be created with argument 'enable_timing=True'.");
    return std::chrono::duration<double, std::milli>(to->time - from->time).count();
  }

 private:
  mutable std::atomic<c10::StreamId> last_stream_{0};
};

}  // namespace

void registerGuard() { c10::impl::DeviceGuardImplRegistrar registrar(kNeuron, new NeuronGuard); }

}  // namespace np::device

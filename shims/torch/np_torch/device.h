// DeviceType, Device, DispatchKey, Stream, and the guards that do not name CUDA.
#pragma once
#pragma clang system_header
#include "scalar_type.h"

namespace c10 {
enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  MKLDNN = 2,
  OPENGL = 3,
  OPENCL = 4,
  IDEEP = 5,
  HIP = 6,
  FPGA = 7,
  MAIA = 8,
  XLA = 9,
  Vulkan = 10,
  Metal = 11,
  XPU = 12,
  MPS = 13,
  Meta = 14,
  HPU = 15,
  VE = 16,
  Lazy = 17,
  IPU = 18,
  MTIA = 19,
  PrivateUse1 = 20
};
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP, kXPU = DeviceType::XPU;
constexpr DeviceType kMeta = DeviceType::Meta, kMPS = DeviceType::MPS, kXLA = DeviceType::XLA, kHPU = DeviceType::HPU;
constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;
using DeviceIndex = int8_t;
std::string DeviceTypeName(DeviceType type, bool lower_case = false);
std::ostream& operator<<(std::ostream& out, DeviceType type);

struct Device {
  Device(DeviceType type, DeviceIndex index = -1);
  Device(const std::string& text);
  Device(const char* text);
  DeviceType type() const noexcept;
  DeviceIndex index() const noexcept;
  bool has_index() const noexcept;
  void set_index(DeviceIndex index);
  bool is_cuda() const noexcept;
  bool is_cpu() const noexcept;
  bool is_meta() const noexcept;
  bool is_mps() const noexcept;
  bool is_xpu() const noexcept;
  bool is_hip() const noexcept;
  bool is_privateuseone() const noexcept;
  std::string str() const;
  bool operator==(const Device& other) const noexcept;
  bool operator!=(const Device& other) const noexcept;
  friend std::ostream& operator<<(std::ostream& out, const Device& device);
};

enum class DispatchKey : uint16_t {
  Undefined,
  CPU,
  CUDA,
  HIP,
  XLA,
  MPS,
  XPU,
  HPU,
  Meta,
  PrivateUse1,
  SparseCPU,
  SparseCUDA,
  QuantizedCPU,
  QuantizedCUDA,
  BackendSelect,
  Python,
  Autograd,
  AutogradCPU,
  AutogradCUDA,
  AutogradXPU,
  AutogradMPS,
  AutogradMeta,
  AutogradPrivateUse1,
  AutogradOther,
  ADInplaceOrView,
  Autocast,
  AutocastCPU,
  AutocastCUDA,
  CatchAll,
  Functionalize,
  FuncTorchBatched,
  CompositeImplicitAutograd,
  CompositeExplicitAutograd,
  Tracer
};

using StreamId = int64_t;
class Stream {
 public:
  Device device() const noexcept;
  StreamId id() const noexcept;
  void synchronize() const;
};
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device);
  ~DeviceGuard();
};
class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard();
  explicit OptionalDeviceGuard(std::optional<Device> device);
  ~OptionalDeviceGuard();
};
class InferenceMode {
 public:
  InferenceMode(bool enabled = true);
};
struct AutoGradMode {
  AutoGradMode(bool enabled);
  ~AutoGradMode();
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
namespace impl {
struct ExcludeDispatchKeyGuard {
  ExcludeDispatchKeyGuard(DispatchKey key);
  ~ExcludeDispatchKeyGuard();
};
}  // namespace impl
}  // namespace c10

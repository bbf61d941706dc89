#pragma once
// Device memory as addresses: what a neuron tensor shows as its data pointer is a constant away from where the bytes
// are.

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyzer/base/result.h"

namespace np::device {

struct AddressSpaceOptions {
  int device_count = 1;
  size_t bytes_per_device = size_t{24} << 30;  // a logical NeuronCore of trn2 owns a quarter of the chip's 96 GiB
  bool host_readable = false;                  // device addresses are the bytes' own: nothing is guarded
};

// Two reserved ranges of equal size: the guarded one (no access, what programs see) and the backing one (ordinary
// memory).
class AddressSpace {
 public:
  // Reserves both ranges; nothing is committed until it is touched.
  static Result<AddressSpace> reserve(const AddressSpaceOptions& options);

  // Whether the address is one that programs see.
  bool isDeviceAddress(const void* address) const { return within(address, device_base_); }
  // Whether the address lies in the backing memory.
  bool isHostAddress(const void* address) const { return within(address, host_base_); }
  // The backing address of a device address; null stays null.
  void* toHost(const void* device) const { return device ? shifted(device, host_base_ - device_base_) : nullptr; }
  // The device address of a backing address; null stays null.
  void* toDevice(const void* host) const { return host ? shifted(host, device_base_ - host_base_) : nullptr; }
  // The device that owns a device address or a backing address.
  int deviceOf(const void* address) const;
  // First backing byte of a device.
  char* hostBegin(int device) const { return host_base_ + bytes_per_device_ * static_cast<size_t>(device); }

  size_t bytesPerDevice() const { return bytes_per_device_; }
  int deviceCount() const { return device_count_; }
  bool isGuarded() const { return host_base_ != device_base_; }

 private:
  bool within(const void* address, const char* base) const {
    auto* byte = static_cast<const char*>(address);
    return byte >= base && byte < base + bytes_per_device_ * static_cast<size_t>(device_count_);
  }
  static void* shifted(const void* address, ptrdiff_t distance) {
    return const_cast<char*>(static_cast<const char*>(address)) + distance;
  }

  char* host_base_ = nullptr;
  char* device_base_ = nullptr;
  size_t bytes_per_device_ = 0;
  int device_count_ = 0;
};

}  // namespace np::device

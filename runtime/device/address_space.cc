// Reserves the address ranges behind device memory.
//
// A device pointer must fault when host code follows it, without a system call per op and for every thread at once. So
// the range that programs see is never backed at all (PROT_NONE for the life of the process), and kernels, which run on
// the host, add a constant to reach the bytes. Both ranges are lazy: 24 GiB of device memory cost nothing until used.
// The ranges are never given back: storages may outlive every static destructor.

#include "runtime/device/address_space.h"

#include <sys/mman.h>

namespace np::device {
namespace {

char* reserveRange(size_t bytes, int protection) {
  void* range = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range == MAP_FAILED ? nullptr : static_cast<char*>(range);
}

}  // namespace

Result<AddressSpace> AddressSpace::reserve(const AddressSpaceOptions& options) {
  const size_t total = options.bytes_per_device * static_cast<size_t>(options.device_count);
  const std::string advice =
      std::to_string(total >> 20) +
      " MiB of address space for device memory; lower NEURON_PORT_DEVICE_MEMORY_MB or NEURON_RT_NUM_CORES";
  AddressSpace space;
  space.bytes_per_device_ = options.bytes_per_device;
  space.device_count_ = options.device_count;
  space.host_base_ = reserveRange(total, PROT_READ | PROT_WRITE);
  if (!space.host_base_) return Error{"device-memory", "cannot reserve " + advice};
  space.device_base_ = options.host_readable ? space.host_base_ : reserveRange(total, PROT_NONE);
  if (!space.device_base_) return Error{"device-memory", "cannot guard " + advice};
  return space;
}

int AddressSpace::deviceOf(const void* address) const {
  const char* base = isDeviceAddress(address) ? device_base_ : host_base_;
  return static_cast<int>(static_cast<size_t>(static_cast<const char*>(address) - base) / bytes_per_device_);
}

}  // namespace np::device

#pragma once
// Random numbers of the device: a 16-byte state (seed, offset), as the real device and DTensor's tracker have it.

#include <ATen/core/Generator.h>

#include "runtime/device/device_state.h"

namespace np::device {

// The device's own generator; the index must exist.
const at::Generator& defaultGenerator(c10::DeviceIndex device);
// A new generator with the default seed.
at::Generator makeNeuronGenerator(c10::DeviceIndex device);
// A CPU generator for one op, seeded from the state, which advances. Throws for a generator of another device.
at::Generator nextCpuGenerator(const at::Generator& generator);
// The seed such a generator would get.
uint64_t nextSeed(const at::Generator& generator);

}  // namespace np::device

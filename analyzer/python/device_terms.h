// The raw material of device values: one term for each way that a value may have come about.
#pragma once

#include <string>
#include <vector>

#include "analyzer/python/device_values.h"

namespace np::analyzer::python {

struct DeviceTerm {
  Device device = Device::Unknown;
  int index = -1;              // of Cuda
  std::string name;            // not empty: the value is what this name of another file holds ("pkg.config.DEVICE",
                               // ".config.get_device()"), and `device` says nothing
  std::vector<Related> trace;  // origin first

  bool sameAs(const DeviceTerm& other) const {
    return device == other.device && index == other.index && name == other.name;
  }
};
using DeviceTerms = std::vector<DeviceTerm>;

// Steps of a trace beyond these are left out, and so are further terms of one value.
inline constexpr std::size_t kMostSteps = 8, kMostTerms = 12;

// Adds what is new; the first trace of equal terms stays. A value with too many terms becomes Unknown as well.
void join(DeviceTerms& into, DeviceTerms terms);

// The value of terms whose names are all resolved.
DeviceValue valueOf(const DeviceTerms& terms);

// "cuda:1" → Cuda 1; Unknown for words that name no device.
DeviceTerm termOfWord(std::string_view word);

}  // namespace np::analyzer::python

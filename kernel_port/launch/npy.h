// NumPy's .npy files: one array each, as `numpy.save` and `numpy.load` handle them.
#pragma once

#include <string>

#include "analyzer/base/result.h"
#include "kernel_port/launch/inputs.h"

namespace np::kernel_port::launch {

// The file's bytes; bf16 is stored as its uint16 bit pattern, bool as one byte.
std::string toNpy(const HostBuffer& buffer);

// Reads an array that must have `expected`'s type and extent; errors (code "npy") name what differs.
Result<HostBuffer> fromNpy(const std::string& data, const BufferPlan& expected, const std::string& path);

// The same on files; writing replaces an existing file whole. Errors: "io".
Result<void> writeNpy(const std::string& path, const HostBuffer& buffer);
Result<HostBuffer> readNpy(const std::string& path, const BufferPlan& expected);

}  // namespace np::kernel_port::launch

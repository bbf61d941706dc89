#pragma once
// The three allocators that PyTorch asks: device memory, CPU memory during a kernel, pinned host memory.

#include <c10/core/Allocator.h>

namespace np::device {

// Device memory on the thread's current device; also serves torch.accelerator's memory statistics.
c10::Allocator* deviceAllocator();
// CPU memory: from the device's pool while a kernel runs in this thread, else from PyTorch's own allocator.
c10::Allocator* kernelAllocator();

// Tells PyTorch about all three. Replaces the process's CPU allocator by kernelAllocator().
void registerAllocators();

}  // namespace np::device

#pragma once
// The device guard: how PyTorch reads and sets the current device and stream, and records events.

namespace np::device {

void registerGuard();

}  // namespace np::device

#pragma once
// What PyTorch's accelerator-neutral code asks of the device.

namespace np::device {

void registerHooks();

}  // namespace np::device

// Resource limits of the process that runs device code of an analysed repository.
#pragma once

namespace np::kernel_port::driver {

// Caps memory, CPU time, file size and core dumps; limits that are already lower stay. Children inherit them.
void limitResources();

}  // namespace np::kernel_port::driver

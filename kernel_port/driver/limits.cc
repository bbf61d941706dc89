// Interpreted code cannot reach the process, so the limits guard against running away: 16 GiB of address space (shadow
// memory reserves far more than it touches), an hour of CPU, 8 GiB a file, no core dumps.

#include "kernel_port/driver/limits.h"

#include <sys/resource.h>

#include <algorithm>

namespace np::kernel_port::driver {
namespace {

void cap(int resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, value);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

}  // namespace

void limitResources() {
  cap(RLIMIT_AS, rlim_t{16} << 30);
  cap(RLIMIT_CPU, 3600);
  cap(RLIMIT_FSIZE, rlim_t{8} << 30);
  cap(RLIMIT_CORE, 0);
}

}  // namespace np::kernel_port::driver

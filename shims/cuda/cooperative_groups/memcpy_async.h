// Asynchronous copies of cooperative groups, done at once by the group's threads.
#pragma once
#pragma clang system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T>
NP_FN void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size()) to[i] = from[i];
}
template <class Group>
NP_FN void wait(const Group& group) {
  group.sync();
}
template <unsigned int STAGE, class Group>
NP_FN void wait_prior(const Group& group) {
  group.sync();
}
}  // namespace cooperative_groups

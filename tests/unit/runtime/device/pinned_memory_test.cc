#include "runtime/device/pinned_memory.h"

#include <gtest/gtest.h>

namespace np::device {
namespace {

TEST(PinnedMemory, KnowsItsBlocksAndNothingElse) {
  PinnedMemory memory;
  auto* block = static_cast<char*>(memory.allocate(100));
  EXPECT_TRUE(memory.holds(block));
  EXPECT_TRUE(memory.holds(block + 99));
  EXPECT_FALSE(memory.holds(block - 1));
  EXPECT_FALSE(memory.holds(block + 128));
  int local = 0;
  EXPECT_FALSE(memory.holds(&local));
  memory.release(block);
  EXPECT_FALSE(memory.holds(block));
}

}  // namespace
}  // namespace np::device

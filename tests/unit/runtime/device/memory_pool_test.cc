#include "runtime/device/memory_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "runtime/device/address_space.h"

namespace np::device {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

class MemoryPoolTest : public testing::Test {
 protected:
  MemoryPoolTest()
      : space_(AddressSpace::reserve({.device_count = 1, .bytes_per_device = 64 * kMiB}).value()),
        pool_(space_.hostBegin(0), 64 * kMiB) {}

  AddressSpace space_;
  MemoryPool pool_;
};

TEST_F(MemoryPoolTest, BlocksAreAlignedAndReused) {
  void* block = pool_.allocate(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  pool_.release(block);
  EXPECT_EQ(pool_.allocate(1000), block);
}

TEST_F(MemoryPoolTest, CountsWhatWasAskedFor) {
  void* small = pool_.allocate(10);
  void* large = pool_.allocate(3 * kMiB);
  EXPECT_EQ(pool_.stats().allocated, 10 + 3 * kMiB);
  pool_.release(large);
  EXPECT_EQ(pool_.stats().allocated, 10u);
  EXPECT_EQ(pool_.stats().allocated_peak, 10 + 3 * kMiB);
  pool_.resetPeak();
  EXPECT_EQ(pool_.stats().allocated_peak, 10u);
  pool_.release(small);
  EXPECT_EQ(pool_.stats().allocations, 2u);
  EXPECT_EQ(pool_.stats().releases, 2u);
}

TEST_F(MemoryPoolTest, FullDeviceGivesNullAndRecovers) {
  EXPECT_EQ(pool_.allocate(65 * kMiB), nullptr);
  EXPECT_EQ(pool_.allocate(SIZE_MAX - 8), nullptr);
  void* most = pool_.allocate(60 * kMiB);
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(pool_.allocate(10 * kMiB), nullptr);
  EXPECT_EQ(pool_.stats().out_of_memory, 3u);
  pool_.release(most);
  EXPECT_NE(pool_.allocate(62 * kMiB), nullptr);
}

TEST_F(MemoryPoolTest, NeighboursMerge) {
  std::vector<void*> blocks;
  for (int k = 0; k < 6; ++k) blocks.push_back(pool_.allocate(10 * kMiB));
  ASSERT_EQ(pool_.allocate(10 * kMiB), nullptr);
  for (int k : {1, 3, 2}) pool_.release(blocks[k]);
  EXPECT_EQ(pool_.allocate(29 * kMiB), blocks[1]);
}

TEST_F(MemoryPoolTest, TrimGivesPagesBackAndZeroesThem) {
  auto* block = static_cast<char*>(pool_.allocate(8 * kMiB));
  std::memset(block, 7, 8 * kMiB);
  void* above = pool_.allocate(2 * kMiB);
  pool_.release(block);
  EXPECT_GE(pool_.stats().reserved, 10 * kMiB);
  pool_.trim();
  EXPECT_LT(pool_.stats().reserved, 3 * kMiB);
  auto* again = static_cast<char*>(pool_.allocate(8 * kMiB));
  EXPECT_EQ(again, block);
  EXPECT_EQ(std::count(again, again + 8 * kMiB, 0), static_cast<ptrdiff_t>(8 * kMiB));
  EXPECT_GE(pool_.stats().reserved, 10 * kMiB);
  pool_.release(above);
}

// Against a plain model: live blocks never overlap, keep their bytes, and reserved covers allocated at every step.
TEST_F(MemoryPoolTest, RandomUseKeepsTheInvariants) {
  std::mt19937 random(1);
  struct Live {
    size_t bytes;
    unsigned char fill;
  };
  std::map<unsigned char*, Live> live;
  size_t allocated = 0;
  for (int step = 0; step < 6000; ++step) {
    const bool release = !live.empty() && random() % 5 < 2 + (allocated > 40 * kMiB);
    if (release) {
      auto victim = std::next(live.begin(), static_cast<ptrdiff_t>(random() % live.size()));
      auto [block, entry] = *victim;
      ASSERT_EQ(block[0], entry.fill);
      ASSERT_EQ(block[entry.bytes - 1], entry.fill);
      pool_.release(block);
      allocated -= entry.bytes;
      live.erase(victim);
    } else {
      const size_t bytes = 1 + random() % (random() % 20 == 0 ? 3 * kMiB : 20000);
      auto* block = static_cast<unsigned char*>(pool_.allocate(bytes));
      if (!block) continue;
      auto next = live.lower_bound(block);
      if (next != live.end()) ASSERT_LE(block + bytes, next->first);
      if (next != live.begin()) ASSERT_LE(std::prev(next)->first + std::prev(next)->second.bytes, block);
      const auto fill = static_cast<unsigned char>(step);
      block[0] = block[bytes - 1] = fill;
      live[block] = {bytes, fill};
      allocated += bytes;
    }
    if (step % 500 == 0) pool_.trim();
    const MemoryStats stats = pool_.stats();
    ASSERT_EQ(stats.allocated, allocated);
    ASSERT_GE(stats.reserved, stats.allocated);
  }
}

TEST_F(MemoryPoolTest, ThreadsMayAllocateAndReleaseEachOthersBlocks) {
  std::vector<void*> blocks(4000);
  auto fill = [&](size_t from) {
    for (size_t k = from; k < blocks.size(); k += 2) blocks[k] = pool_.allocate(64 + k % 700);
  };
  auto drain = [&](size_t from) {
    for (size_t k = from; k < blocks.size(); k += 2) pool_.release(blocks[k]);
  };
  std::thread a(fill, 0), b(fill, 1);
  a.join();
  b.join();
  std::sort(blocks.begin(), blocks.end());
  EXPECT_EQ(std::unique(blocks.begin(), blocks.end()), blocks.end());
  std::thread c(drain, 0), d(drain, 1);
  c.join();
  d.join();
  EXPECT_EQ(pool_.stats().allocated, 0u);
}

}  // namespace
}  // namespace np::device

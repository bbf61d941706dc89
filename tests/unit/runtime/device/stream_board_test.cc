#include "runtime/device/stream_board.h"

#include <gtest/gtest.h>

namespace np::device {
namespace {

const StreamKey kMain{0, 0}, kSide{0, 7}, kOther{0, 8};

TEST(StreamBoard, PutOffWorkRunsWhenItsStreamIsObserved) {
  StreamBoard board;
  board.setMode(StreamMode::Async);
  int ran = 0;
  board.defer(kSide, [&] { ++ran; });
  board.launch(kMain);
  EXPECT_EQ(ran, 0);
  board.launch(kSide);
  EXPECT_EQ(ran, 1);
  board.defer(kSide, [&] { ++ran; });
  board.synchronizeDevice(1);
  EXPECT_EQ(ran, 1);
  board.synchronizeDevice(0);
  EXPECT_EQ(ran, 2);
}

TEST(StreamBoard, AWaitRunsWhatItWaitsFor) {
  StreamBoard board;
  board.setMode(StreamMode::Async);
  int ran = 0;
  board.defer(kSide, [&] { ran = 1; });
  const StreamPoint point = board.record(kSide);
  board.defer(kSide, [&] { ran = 2; });
  board.wait(kMain, point);
  EXPECT_EQ(ran, 0);
  board.launch(kMain);
  EXPECT_EQ(ran, 1);  // up to the point, not further
}

TEST(StreamBoard, AskingIsProgress) {
  StreamBoard board;
  board.setMode(StreamMode::Chaos);
  int ran = 0;
  board.defer(kSide, [&] { ++ran; });
  const StreamPoint point = board.record(kSide);
  EXPECT_FALSE(board.query(point));
  EXPECT_EQ(ran, 1);
  EXPECT_TRUE(board.query(point));
}

class Uses : public ::testing::Test {
 protected:
  Uses() { board.setMode(StreamMode::Chaos); }
  std::string use(StreamKey key, bool writes) {
    board.launch(key);
    return board.use(memory, key, writes);
  }
  StreamBoard board;
  MemoryUses memory;
};

TEST_F(Uses, OfOneStreamAreInOrder) {
  EXPECT_EQ(use(kMain, true), "");
  EXPECT_EQ(use(kMain, false), "");
  EXPECT_EQ(use(kMain, true), "");
}

TEST_F(Uses, AReadOfAnotherStreamNeedsAWait) {
  use(kSide, true);
  EXPECT_NE(use(kMain, false).find("the default stream reads memory that stream 7 wrote"), std::string::npos);
  board.wait(kMain, board.record(kSide));
  EXPECT_EQ(use(kMain, false), "");
}

TEST_F(Uses, AWriteNeedsAllReadsToBeOver) {
  use(kMain, true);
  board.wait(kSide, board.record(kMain));
  EXPECT_EQ(use(kSide, false), "");
  EXPECT_NE(use(kMain, true), "");
  board.wait(kMain, board.record(kSide));
  EXPECT_EQ(use(kMain, true), "");
}

TEST_F(Uses, AnEventRecordedTooEarlyIsNotEnough) {
  const StreamPoint early = board.record(kSide);
  use(kSide, true);
  board.wait(kMain, early);
  EXPECT_NE(use(kMain, false), "");
}

TEST_F(Uses, OrderIsTransitive) {
  use(kSide, true);
  board.wait(kOther, board.record(kSide));
  board.wait(kMain, board.record(kOther));
  EXPECT_EQ(use(kMain, false), "");
}

TEST_F(Uses, WhatTheHostWaitedForPrecedesLaterWork) {
  use(kSide, true);
  board.synchronizeStream(kSide);
  EXPECT_EQ(use(kMain, false), "");
  EXPECT_EQ(use(kOther, false), "");
}

TEST_F(Uses, FreedMemoryMustNotBeInUse) {
  memory.owner = kMain;
  use(kMain, true);
  board.wait(kSide, board.record(kMain));
  use(kSide, false);
  board.release(memory);
  MemoryUses fresh;
  board.launch(kMain);
  EXPECT_NE(board.use(fresh, kMain, true).find("was freed while stream 7 may still use it"), std::string::npos);
  EXPECT_EQ(board.use(fresh, kMain, true), "");  // said once

  memory.recorded.push_back(kSide);
  board.release(memory);
  EXPECT_EQ(board.use(fresh, kMain, true), "");
}

}  // namespace
}  // namespace np::device

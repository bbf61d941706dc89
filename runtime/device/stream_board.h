#pragma once
// The order of work between streams: who has waited for whom, and what was put off.

#include <atomic>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace np::device {

// sync: everything runs at once. async: `non_blocking` copies wait until their stream is observed. chaos: as async, and
// every use of memory is checked against the order that the program asked for.
enum class StreamMode : uint8_t { Sync, Async, Chaos };

struct StreamKey {
  int device = 0;
  int64_t stream = 0;
  auto operator<=>(const StreamKey&) const = default;
};

// A moment in one stream's work, and what that stream had waited for by then.
using StreamClock = std::map<StreamKey, uint64_t>;
struct StreamPoint {
  StreamKey key;
  uint64_t position = 0;
  StreamClock seen;
};

// What streams did to one piece of memory. Kept by the memory's owner; only the board looks inside.
struct MemoryUses {
  struct Use {
    StreamKey key;
    uint64_t position = 0;
  };
  StreamKey owner;                  // the stream that the memory was allocated on, and goes back to
  std::vector<Use> writes;          // the last one, or none
  std::vector<Use> reads;           // since the last write, one a stream
  std::vector<StreamKey> recorded;  // streams that record_stream named
};

class StreamBoard {
 public:
  StreamMode mode() const { return mode_.load(std::memory_order_relaxed); }
  // Runs all that was put off, then changes the mode.
  void setMode(StreamMode mode);

  // A piece of work starts on the stream: what was put off there runs first.
  void launch(StreamKey key);
  // Puts work off until the stream is observed.
  void defer(StreamKey key, std::function<void()> work);

  // The stream's present end.
  StreamPoint record(StreamKey key);
  // The stream's later work comes after the point.
  void wait(StreamKey key, const StreamPoint& point);
  // The host waits for the point, the stream or all streams of the device: put-off work up to there runs.
  void synchronize(const StreamPoint& point);
  void synchronizeStream(StreamKey key);
  void synchronizeDevice(int device);
  // Whether all work up to there ran. Asking is progress: one piece of put-off work runs per question.
  bool query(const StreamPoint& point);
  bool queryStream(StreamKey key);

  // Notes a use of memory by work just launched on the stream. Returns empty, or the sentence that says which
  // synchronisation is missing.
  std::string use(MemoryUses& uses, StreamKey key, bool writes);
  // The memory is being freed. A stream that may still use it, unknown to `record_stream`, makes the next `use` fail.
  void release(const MemoryUses& uses);
  // Makes the next `use` return this sentence.
  void complain(std::string sentence);

 private:
  struct Item {
    uint64_t position;
    std::function<void()> work;
  };
  struct Stream {
    uint64_t position = 0;
    StreamClock seen;
    std::deque<Item> deferred;
  };

  void run(StreamKey key, uint64_t up_to);
  void hostSees(const StreamPoint& point);
  bool knows(const Stream& stream, StreamKey reader, const MemoryUses::Use& use) const;

  std::atomic<StreamMode> mode_{StreamMode::Sync};
  std::recursive_mutex mutex_;  // put-off work may come back here
  std::map<StreamKey, Stream> streams_;
  StreamClock host_;
  std::string complaint_;
};

}  // namespace np::device

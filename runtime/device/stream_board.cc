// Orders streams without running anything in parallel.
//
// Every stream counts its pieces of work, and carries a vector clock: how far it has waited for each other stream. A
// use of memory is in order when the stream's clock has reached the last write (and, for a write, every read since).
// The host is a participant too: what it synchronised with precedes all that is launched later. It has one clock for
// all threads, which can hide a missing synchronisation between threads but never reports one that is not missing.

#include "runtime/device/stream_board.h"

#include <algorithm>

namespace np::device {
namespace {

void merge(StreamClock& into, const StreamClock& from) {
  for (const auto& [key, position] : from) into[key] = std::max(into[key], position);
}

uint64_t reached(const StreamClock& clock, StreamKey key) {
  auto found = clock.find(key);
  return found == clock.end() ? 0 : found->second;
}

std::string streamName(StreamKey key) {
  return key.stream ? "stream " + std::to_string(key.stream) : "the default stream";
}

std::string disorder(StreamKey user, const char* does, StreamKey other, const char* did) {
  return "missing synchronisation on device neuron:" + std::to_string(user.device) + ": " + streamName(user) + " " +
         does + " memory that " + streamName(other) + " " + did +
         ", and has not waited for it; call wait_stream() on the one for the other, or wait for an event recorded "
         "after "
         "that work";
}

}  // namespace

void StreamBoard::setMode(StreamMode mode) {
  std::lock_guard lock(mutex_);
  for (auto& [key, stream] : streams_) run(key, stream.position);
  streams_.clear();
  host_.clear();
  complaint_.clear();
  mode_ = mode;
}

void StreamBoard::launch(StreamKey key) {
  if (mode() == StreamMode::Sync) return;
  std::lock_guard lock(mutex_);
  Stream& stream = streams_[key];
  run(key, stream.position);
  merge(stream.seen, host_);
  ++stream.position;
}

void StreamBoard::defer(StreamKey key, std::function<void()> work) {
  std::lock_guard lock(mutex_);
  Stream& stream = streams_[key];
  merge(stream.seen, host_);
  stream.deferred.push_back({++stream.position, std::move(work)});
}

void StreamBoard::run(StreamKey key, uint64_t up_to) {
  auto& deferred = streams_[key].deferred;
  while (!deferred.empty() && deferred.front().position <= up_to) {
    auto work = std::move(deferred.front().work);
    deferred.pop_front();
    work();
  }
}

StreamPoint StreamBoard::record(StreamKey key) {
  if (mode() == StreamMode::Sync) return {key, 0, {}};
  std::lock_guard lock(mutex_);
  const Stream& stream = streams_[key];
  return {key, stream.position, stream.seen};
}

void StreamBoard::wait(StreamKey key, const StreamPoint& point) {
  if (mode() == StreamMode::Sync) return;
  std::lock_guard lock(mutex_);
  Stream& stream = streams_[key];
  merge(stream.seen, point.seen);
  stream.seen[point.key] = std::max(reached(stream.seen, point.key), point.position);
  if (point.key == key) return;
  // The wait is work of this stream: whoever observes it runs what it waits for.
  stream.deferred.push_back(
      {++stream.position, [this, from = point.key, up_to = point.position] { run(from, up_to); }});
}

void StreamBoard::hostSees(const StreamPoint& point) {
  merge(host_, point.seen);
  host_[point.key] = std::max(reached(host_, point.key), point.position);
}

void StreamBoard::synchronize(const StreamPoint& point) {
  if (mode() == StreamMode::Sync) return;
  std::lock_guard lock(mutex_);
  run(point.key, point.position);
  hostSees(point);
}

void StreamBoard::synchronizeStream(StreamKey key) { synchronize(record(key)); }

void StreamBoard::synchronizeDevice(int device) {
  if (mode() == StreamMode::Sync) return;
  std::lock_guard lock(mutex_);
  std::vector<StreamKey> keys;
  for (const auto& [key, stream] : streams_)
    if (key.device == device) keys.push_back(key);
  for (StreamKey key : keys) synchronizeStream(key);
}

bool StreamBoard::query(const StreamPoint& point) {
  if (mode() == StreamMode::Sync) return true;
  std::lock_guard lock(mutex_);
  auto& deferred = streams_[point.key].deferred;
  if (!deferred.empty() && deferred.front().position <= point.position) {
    run(point.key, deferred.front().position);
    return false;
  }
  hostSees(point);
  return true;
}

bool StreamBoard::queryStream(StreamKey key) { return query(record(key)); }

bool StreamBoard::knows(const Stream& stream, StreamKey reader, const MemoryUses::Use& use) const {
  return use.key == reader || reached(stream.seen, use.key) >= use.position;
}

std::string StreamBoard::use(MemoryUses& uses, StreamKey key, bool writes) {
  std::lock_guard lock(mutex_);
  if (!complaint_.empty()) return std::exchange(complaint_, {});
  const Stream& stream = streams_[key];
  for (const auto& write : uses.writes)
    if (!knows(stream, key, write)) return disorder(key, writes ? "writes" : "reads", write.key, "wrote");
  const MemoryUses::Use mine{key, stream.position};
  if (!writes) {
    auto same = std::find_if(uses.reads.begin(), uses.reads.end(), [&](const auto& read) { return read.key == key; });
    if (same == uses.reads.end())
      uses.reads.push_back(mine);
    else
      *same = mine;
    return {};
  }
  for (const auto& read : uses.reads)
    if (!knows(stream, key, read)) return disorder(key, "writes", read.key, "reads");
  uses.reads.clear();
  uses.writes = {mine};
  return {};
}

void StreamBoard::release(const MemoryUses& uses) {
  std::lock_guard lock(mutex_);
  auto check = [&](const MemoryUses::Use& use) {
    const bool foreign = use.key != uses.owner && reached(host_, use.key) < use.position;
    const bool told = std::find(uses.recorded.begin(), uses.recorded.end(), use.key) != uses.recorded.end();
    // The memory is reused in its owner's order, so what the owner waited for is safe as well.
    const bool waited = reached(streams_[uses.owner].seen, use.key) >= use.position;
    if (foreign && !told && !waited)
      complaint_ = "memory of device neuron:" + std::to_string(use.key.device) + " was freed while " +
                   streamName(use.key) +
                   " may still use it; call tensor.record_stream(stream), or synchronise before the tensor goes away";
  };
  for (const auto& use : uses.writes) check(use);
  for (const auto& use : uses.reads) check(use);
}

void StreamBoard::complain(std::string sentence) {
  std::lock_guard lock(mutex_);
  complaint_ = std::move(sentence);
}

}  // namespace np::device

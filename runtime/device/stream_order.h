#pragma once
// Where ops meet the stream board: what runs before an op, and whether its memory may be used now.

#include "runtime/device/storage.h"

namespace np::device {

// Whether anything below has work to do: false in sync mode, which then costs one load.
inline bool streamsMatter() { return state().streams.mode() != StreamMode::Sync; }

// An op on the thread's current stream is about to use the storage: put-off work of that stream runs, and in chaos mode
// a missing synchronisation throws.
void orderUse(c10::StorageImpl* storage, bool writes);
// New memory belongs to the current stream; the second also says that the op just run wrote it.
void noteFreshStorage(NeuronStorage& storage);
void noteWrittenStorage(NeuronStorage& storage);
// record_stream: the storage may be freed while that stream still uses it.
void noteRecordedStream(c10::StorageImpl* storage, StreamKey stream);

// While it lives, uses in this thread are not ordered: work that was put off runs now.
class DeferredWork {
 public:
  DeferredWork();
  ~DeferredWork();
  DeferredWork(const DeferredWork&) = delete;
  DeferredWork& operator=(const DeferredWork&) = delete;
};

}  // namespace np::device

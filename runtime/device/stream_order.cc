// Orders the memory of ops. A storage that PyTorch made without us carries no record of its uses and is not checked.

#include "runtime/device/stream_order.h"

#include <typeinfo>

namespace np::device {
namespace {

thread_local int running_deferred_work = 0;

NeuronStorage* ours(c10::StorageImpl* storage) {
  return storage && typeid(*storage) == typeid(NeuronStorage) ? static_cast<NeuronStorage*>(storage) : nullptr;
}

MemoryUses& usesOf(NeuronStorage& storage) {
  if (!storage.uses) {
    storage.uses = std::make_unique<MemoryUses>();
    storage.uses->owner = currentStream(storage.device().index());
  }
  return *storage.uses;
}

bool isChecked() { return state().streams.mode() == StreamMode::Chaos; }

}  // namespace

void orderUse(c10::StorageImpl* storage, bool writes) {
  if (running_deferred_work) return;
  const StreamKey key = currentStream(storage->device().index());
  StreamBoard& board = state().streams;
  board.launch(key);
  NeuronStorage* known = isChecked() ? ours(storage) : nullptr;
  if (!known) return;
  const std::string missing = board.use(usesOf(*known), key, writes);
  TORCH_CHECK(missing.empty(), missing);
}

void noteFreshStorage(NeuronStorage& storage) {
  if (isChecked()) usesOf(storage);
}

void noteWrittenStorage(NeuronStorage& storage) {
  if (!isChecked()) return;
  StreamBoard& board = state().streams;
  const StreamKey key = currentStream(storage.device().index());
  MemoryUses& uses = usesOf(storage);
  uses.writes = {{key, board.record(key).position}};
}

void noteRecordedStream(c10::StorageImpl* storage, StreamKey stream) {
  NeuronStorage* known = isChecked() ? ours(storage) : nullptr;
  if (known) usesOf(*known).recorded.push_back(stream);
}

DeferredWork::DeferredWork() { ++running_deferred_work; }
DeferredWork::~DeferredWork() { --running_deferred_work; }

}  // namespace np::device

// The border between neuron tensors and CPU kernels; no other file crosses it.
//
// An alias is a CPU TensorImpl over the argument's own bytes, with the same geometry and the conjugate, negative and
// wrapped-number bits, so the kernel computes exactly what it would for a CPU tensor: results are bitwise those of the
// CPU. Aliases of one storage share one host storage (kernels compare storages to find overlaps). The originals are
// never relabelled: other threads may look at them while the kernel runs.

#include "runtime/device/frame.h"

#include <c10/core/TensorImpl.h>

#include <algorithm>
#include <typeinfo>

#include "runtime/device/stream_order.h"

namespace np::device {
namespace {

c10::intrusive_ptr<c10::StorageImpl> share(c10::StorageImpl* storage) {
  return c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(storage);
}

// A tensor of the other device over `storage` that looks like `like`.
at::Tensor mirror(c10::intrusive_ptr<c10::StorageImpl> storage, c10::DispatchKey key, const c10::TensorImpl& like) {
  auto tensor =
      c10::make_intrusive<c10::TensorImpl>(c10::Storage(std::move(storage)), c10::DispatchKeySet(key), like.dtype());
  const bool is_default = like.dim() == 1 && like.numel() == 0 && like.stride(0) == 1 && like.storage_offset() == 0;
  if (!is_default) tensor->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj()) tensor->_set_conj(true);
  if (like.is_neg()) tensor->_set_neg(true);
  if (like.is_wrapped_number()) tensor->set_wrapped_number(true);
  return at::Tensor(std::move(tensor));
}

// Whether nobody else can see the tensor, so that it may change its device instead of being made anew.
bool isOnlyOurs(const at::Tensor& tensor) {
  const c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  return tensor.use_count() == 1 && typeid(impl) == typeid(c10::TensorImpl) && !impl.autograd_meta() &&
         !impl.pyobj_slot()->load_pyobj();
}

const c10::DispatchKeySet kAboveKernels =
    c10::autograd_dispatch_keyset_with_ADInplaceOrView |
    c10::DispatchKeySet({c10::DispatchKey::AutocastCPU, c10::DispatchKey::AutocastPrivateUse1});

}  // namespace

at::Tensor Frame::alias(const at::Tensor& tensor, bool written) {
  if (!tensor.defined()) return tensor;
  const c10::TensorImpl& original = *tensor.unsafeGetTensorImpl();
  if (original.device_type() != kNeuron) {
    // A 0-dimensional CPU tensor is a scalar, which every device accepts to read.
    if (original.device_type() == c10::kCPU && (original.dim() > 0 || written)) has_cpu_tensor_ = true;
    if (original.has_storage()) cpu_arguments_.push_back(original.unsafe_storage().unsafeGetStorageImpl());
    return tensor;
  }
  if (!original.key_set().has_all(c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)))
    refuseTensorKind(original.key_set());
  const auto index = original.device().index();
  if (device_ < 0) device_ = index;
  TORCH_CHECK(device_ == index,
              "Expected all tensors to be on the same device, but found at least two devices, neuron:", int{device_},
              " and neuron:", int{index}, "!");
  // Forward-mode autograd's symbolic zero has no bytes.
  if (tensor._is_zerotensor()) return at::zeros(original.sizes(), tensor.options().device(c10::kCPU));
  c10::StorageImpl* storage = original.unsafe_storage().unsafeGetStorageImpl();
  if (streamsMatter()) orderUse(storage, written);
  c10::StorageImpl* host = hostStorageOf(storage);
  at::Tensor alias = mirror(share(host), c10::DispatchKey::CPU, original);
  entries_.push_back({&tensor, host, written ? alias : at::Tensor()});
  return alias;
}

std::optional<at::Tensor> Frame::alias(const std::optional<at::Tensor>& tensor) {
  if (!tensor || !tensor->defined()) return tensor;
  return alias(*tensor, false);
}

c10::StorageImpl* Frame::hostStorageOf(c10::StorageImpl* storage) {
  if (c10::StorageImpl* kept = keptHostAlias(storage)) return kept;
  for (auto& [device_storage, host] : foreign_)
    if (device_storage == storage) return host.get();
  foreign_.emplace_back(storage, makeHostAlias(*storage));
  return foreign_.back().second.get();
}

c10::intrusive_ptr<c10::StorageImpl> Frame::deviceStorageOf(c10::StorageImpl* host) {
  for (const Entry& entry : entries_)
    if (entry.host == host) {
      c10::StorageImpl* storage = entry.original->unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
      // Where the storage got another alias meanwhile, the old one's address may have been used again.
      if (hostStorageOf(storage) == host) return share(storage);
    }
  for (auto& [cpu_storage, device_storage] : adopted_)
    if (cpu_storage == host) return device_storage;
  const bool is_callers = std::find(cpu_arguments_.begin(), cpu_arguments_.end(), host) != cpu_arguments_.end();
  adopted_.emplace_back(host, adoptStorage(share(host), device(), !is_callers));
  return adopted_.back().second;
}

at::Tensor Frame::adopt(at::Tensor result) {
  if (!result.defined()) return result;
  c10::TensorImpl& returned = *result.unsafeGetTensorImpl();
  if (returned.device_type() != c10::kCPU) return result;
  if (!returned.key_set().has_all(c10::DispatchKeySet(c10::DispatchKey::CPU))) refuseTensorKind(returned.key_set());
  auto storage = deviceStorageOf(returned.unsafe_storage().unsafeGetStorageImpl());
  if (isOnlyOurs(result)) {
    returned.set_storage_keep_dtype(c10::Storage(std::move(storage)));
    returned._change_backend_component_keys(returned.device());
    return result;
  }
  return mirror(std::move(storage), c10::DispatchKey::PrivateUse1, returned);
}

void Frame::finishWritten() {
  for (const Entry& entry : entries_) {
    if (!entry.alias.defined()) continue;
    const c10::TensorImpl& alias = *entry.alias.unsafeGetTensorImpl();
    c10::TensorImpl& original = *entry.original->unsafeGetTensorImpl();
    c10::StorageImpl* host = alias.unsafe_storage().unsafeGetStorageImpl();
    c10::StorageImpl* storage = original.unsafe_storage().unsafeGetStorageImpl();
    if (host != entry.host)  // the kernel gave the alias another storage
      original.set_storage_keep_dtype(c10::Storage(deviceStorageOf(host)));
    else if (host->data_ptr().get() != state().space.toHost(storage->data_ptr().get()) ||
             host->nbytes() != storage->nbytes())
      takeResizedBytes(host, storage);
    if (alias.sizes() != original.sizes() || alias.strides() != original.strides() ||
        alias.storage_offset() != original.storage_offset())
      original.set_sizes_and_strides(alias.sizes(), alias.strides(), alias.storage_offset());
  }
}

void Frame::refuseMixedDevices(std::string_view op) const {
  TORCH_CHECK(!has_cpu_tensor_ || device_ < 0,
              "Expected all tensors to be on the same device, but found at least two devices, neuron:", int{device_},
              " and cpu! (when checking arguments of ", op, ")");
}

KernelScope::KernelScope(c10::DeviceIndex device)
    : below_autograd_(kAboveKernels), outer_device_(threadState().kernel_device) {
  ThreadState& thread = threadState();
  ++thread.kernels_running;
  thread.kernel_device = device;
}

KernelScope::~KernelScope() {
  ThreadState& thread = threadState();
  --thread.kernels_running;
  thread.kernel_device = outer_device_;
}

void refuseTensorKind(c10::DispatchKeySet keys) {
  const auto backend_free = [&](c10::DispatchKey functionality) { return keys.has(functionality); };
  const char* kind = "this kind of";
  if (backend_free(c10::DispatchKey::Sparse) || backend_free(c10::DispatchKey::SparseCsr)) kind = "sparse";
  if (backend_free(c10::DispatchKey::Quantized)) kind = "quantized";
  if (backend_free(c10::DispatchKey::NestedTensor)) kind = "nested";
  if (keys.has(c10::DispatchKey::MkldnnCPU)) kind = "mkldnn";
  TORCH_CHECK_NOT_IMPLEMENTED(false, "device neuron has no ", kind,
                              " tensors; use a dense tensor, or move the computation to the CPU with .cpu()");
}

}  // namespace np::device

// Tensor accessors: a pointer with sizes and strides, passed to kernels by value. The layout is part of the ABI
// between host and kernel: data, sizes[N], strides[N].
#pragma once
#pragma clang system_header
#include <cstdint>

#include "array_ref.h"

namespace at {
template <class T>
struct DefaultPtrTraits {
  typedef T* PtrType;
};
template <class T>
struct RestrictPtrTraits {
  typedef T* __restrict__ PtrType;
};

template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class TensorAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  NP_MEMBER TensorAccessorBase(PtrType data, const index_t* sizes, const index_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ c10::ArrayRef<index_t> sizes() const { return c10::ArrayRef<index_t>(sizes_, N); }
  __host__ c10::ArrayRef<index_t> strides() const { return c10::ArrayRef<index_t>(strides_, N); }
  NP_MEMBER index_t stride(index_t i) const { return strides_[i]; }
  NP_MEMBER index_t size(index_t i) const { return sizes_[i]; }
  NP_MEMBER PtrType data() { return data_; }
  NP_MEMBER const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  const index_t* sizes_;
  const index_t* strides_;
};

template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, PtrTraits, index_t> {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  using TensorAccessorBase<T, N, PtrTraits, index_t>::TensorAccessorBase;
  NP_MEMBER TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) const {
    return TensorAccessor<T, N - 1, PtrTraits, index_t>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                        this->strides_ + 1);
  }
};
template <class T, template <class U> class PtrTraits, class index_t>
class TensorAccessor<T, 1, PtrTraits, index_t> : public TensorAccessorBase<T, 1, PtrTraits, index_t> {
 public:
  using TensorAccessorBase<T, 1, PtrTraits, index_t>::TensorAccessorBase;
  NP_MEMBER T& operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class GenericPackedTensorAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;
  template <class source_index_t>
  __host__ GenericPackedTensorAccessorBase(PtrType data, const source_index_t* sizes, const source_index_t* strides)
      : data_(data) {
    for (size_t i = 0; i < N; i++) {
      sizes_[i] = (index_t)sizes[i];
      strides_[i] = (index_t)strides[i];
    }
  }
  NP_MEMBER index_t stride(index_t i) const { return strides_[i]; }
  NP_MEMBER index_t size(index_t i) const { return sizes_[i]; }
  NP_MEMBER PtrType data() { return data_; }
  NP_MEMBER const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  index_t sizes_[N];
  index_t strides_[N];
};

template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class GenericPackedTensorAccessor : public GenericPackedTensorAccessorBase<T, N, PtrTraits, index_t> {
 public:
  using GenericPackedTensorAccessorBase<T, N, PtrTraits, index_t>::GenericPackedTensorAccessorBase;
  NP_MEMBER TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) const {
    return TensorAccessor<T, N - 1, PtrTraits, index_t>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                        this->strides_ + 1);
  }
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> transpose(index_t first, index_t second) const;
};
template <class T, template <class U> class PtrTraits, class index_t>
class GenericPackedTensorAccessor<T, 1, PtrTraits, index_t>
    : public GenericPackedTensorAccessorBase<T, 1, PtrTraits, index_t> {
 public:
  using GenericPackedTensorAccessorBase<T, 1, PtrTraits, index_t>::GenericPackedTensorAccessorBase;
  NP_MEMBER T& operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;
template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, PtrTraits, index_t>;
}  // namespace at

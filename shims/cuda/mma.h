// Warp matrix fragments. The contents of a fragment are spread over a warp in a way the hardware defines; the calls are
// external device functions, refused by name unless the executor supplies them.
#pragma once
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda::wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
namespace precision {
struct tf32 {};
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
enum layout_t { mem_row_major, mem_col_major };
template <class T>
struct np_storage {
  typedef T type;
};
template <>
struct np_storage<precision::tf32> {
  typedef float type;
};
template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
 public:
  typedef typename np_storage<T>::type element_type;
  static constexpr int num_elements = __is_same(Use, accumulator) ? M * N / 32
                                      : __is_same(Use, matrix_a)  ? M * K / 16
                                                                  : K * N / 16;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};
template <class Use, int M, int N, int K, class T, class Layout, class Value>
NP_FN void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}
template <class Use, int M, int N, int K, class T, class Layout, class Pointer>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const Pointer* from, unsigned int stride);
template <class Use, int M, int N, int K, class T, class Pointer>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T>& f, const Pointer* from, unsigned int stride,
                                 layout_t layout);
template <int M, int N, int K, class T, class Pointer>
__device__ void store_matrix_sync(Pointer* to, const fragment<accumulator, M, N, K, T>& f, unsigned int stride,
                                  layout_t layout);
template <int M, int N, int K, class A, class LayoutA, class B, class LayoutB, class C, class D>
__device__ void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                         const fragment<matrix_b, M, N, K, B, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c,
                         bool saturate = false);
__device__ float __float_to_tf32(float x);
}  // namespace nvcuda::wmma
namespace nvcuda::wmma::experimental::precision {
using namespace nvcuda::wmma::precision;
}

// Warp matrix fragments. How a fragment is spread over a warp is not defined by CUDA; here it is the layout of the
// mma.sync instruction (PTX ISA), which then does the products. 16-bit, tf32 and 8-bit factors; others are refused.
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
// Elements of factors in one 32-bit register; 0 for what mma.sync does not take here.
template <class T>
struct np_packing {
  static constexpr int value = 0;
};
#define NP_PACKING(T, count)            \
  template <>                           \
  struct np_packing<T> {                \
    static constexpr int value = count; \
  };
NP_PACKING(__half, 2)
NP_PACKING(__nv_bfloat16, 2)
NP_PACKING(precision::tf32, 1)
NP_PACKING(signed char, 4)
NP_PACKING(unsigned char, 4)
#undef NP_PACKING

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
 public:
  typedef typename np_storage<T>::type element_type;
  static constexpr int num_elements = (__is_same(Use, accumulator) ? M * N
                                       : __is_same(Use, matrix_a)  ? M * K
                                                                   : K * N) /
                                      32;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};
template <class Use, int M, int N, int K, class T, class Layout, class Value>
NP_FN void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = (typename np_storage<T>::type)value;
}

#ifdef __CUDA__
extern "C" __device__ void np_wmma_type_without_product();
extern "C" __device__ void np_refuse_saturation_of_a_wmma_product_of_floats();

// Where element i of this lane's fragment lies. An instruction's product is 16 by 8: matrices of 8 rows are computed as
// the transposed product, so A and B change places.
template <class Use, int M, int N, int K, int PACKING>
NP_FN void np_place(int i, int& row, int& column) {
  const int lane = (int)__nvvm_read_ptx_sreg_laneid(), group = lane / 4, place = lane % 4;
  constexpr bool kSwapped = M == 8;
  if constexpr (__is_same(Use, accumulator)) {
    const int tile = i / 4, tall = 16 * (kSwapped ? tile : tile / (N / 8)), wide = kSwapped ? 0 : 8 * (tile % (N / 8));
    const int first = tall + group + 8 * (i % 4 / 2), second = wide + 2 * place + i % 2;
    row = kSwapped ? second : first;
    column = kSwapped ? first : second;
  } else if constexpr (__is_same(Use, matrix_a) != kSwapped) {
    const int tile = i / (K / 2), at = i % (K / 2), word = at / PACKING;
    const int outer = 16 * tile + group + 8 * (word & 1),
              inner = place * PACKING + word / 2 * 4 * PACKING + at % PACKING;
    row = kSwapped ? inner : outer;
    column = kSwapped ? outer : inner;
  } else {
    const int tile = i / (K / 4), at = i % (K / 4), word = at / PACKING;
    const int outer = 8 * tile + group, inner = place * PACKING + word * 4 * PACKING + at % PACKING;
    row = kSwapped ? outer : inner;
    column = kSwapped ? inner : outer;
  }
}
template <class Use, int M, int N, int K, class T, class Layout, class Pointer>
NP_FN void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const Pointer* from, unsigned int stride) {
  constexpr int kPacking = np_packing<T>::value;
  if constexpr (kPacking == 0) {
    np_wmma_type_without_product();
  } else {
    __syncwarp();
    for (int i = 0; i < f.num_elements; i++) {
      int row = 0, column = 0;
      np_place<Use, M, N, K, kPacking>(i, row, column);
      f.x[i] = __is_same(Layout, row_major) ? from[row * stride + column] : from[column * stride + row];
    }
    __syncwarp();
  }
}
template <int M, int N, int K, class T, class Pointer>
NP_FN void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const Pointer* from, unsigned int stride,
                            layout_t layout) {
  __syncwarp();
  for (int i = 0; i < f.num_elements; i++) {
    int row = 0, column = 0;
    np_place<accumulator, M, N, K, 1>(i, row, column);
    f.x[i] = layout == mem_row_major ? from[row * stride + column] : from[column * stride + row];
  }
  __syncwarp();
}
template <int M, int N, int K, class T, class Pointer>
NP_FN void store_matrix_sync(Pointer* to, const fragment<accumulator, M, N, K, T>& f, unsigned int stride,
                             layout_t layout) {
  __syncwarp();
  for (int i = 0; i < f.num_elements; i++) {
    int row = 0, column = 0;
    np_place<accumulator, M, N, K, 1>(i, row, column);
    to[layout == mem_row_major ? row * stride + column : column * stride + row] = f.x[i];
  }
  __syncwarp();
}

#define NP_MMA_F32(T, DEPTH, types)                                                           \
  NP_FN void np_mma(T*, const unsigned int(&a)[4], const unsigned int(&b)[2], float(&c)[4]) { \
    asm volatile("mma.sync.aligned.m16n8k" #DEPTH ".row.col.f32." types                       \
                 ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "                                        \
                 "{%8,%9}, {%0,%1,%2,%3};"                                                    \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));         \
  }
NP_MMA_F32(__half, 16, "f16.f16")
NP_MMA_F32(__nv_bfloat16, 16, "bf16.bf16")
NP_MMA_F32(precision::tf32, 8, "tf32.tf32")
#undef NP_MMA_F32
#define NP_MMA_S32(name, T, types)                                                                          \
  NP_FN void name(T*, const unsigned int(&a)[2], const unsigned int(&b)[1], int(&c)[4]) {                   \
    asm volatile("mma.sync.aligned.m16n8k16.row.col." types " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                           \
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));                                                        \
  }
NP_MMA_S32(np_mma, signed char, "s32.s8.s8.s32")
NP_MMA_S32(np_mma, unsigned char, "s32.u8.u8.s32")
NP_MMA_S32(np_mma_saturated, signed char, "satfinite.s32.s8.s8.s32")
NP_MMA_S32(np_mma_saturated, unsigned char, "satfinite.s32.u8.u8.s32")
#undef NP_MMA_S32

template <int M, int N, int K, class A, class LayoutA, class B, class LayoutB, class C, class D>
NP_FN void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                    const fragment<matrix_b, M, N, K, B, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c,
                    bool saturate = false) {
  constexpr int kPacking = np_packing<A>::value;
  if constexpr (kPacking == 0 || !__is_same(A, B)) {
    np_wmma_type_without_product();
  } else {
    if (kPacking != 4 && saturate) np_refuse_saturation_of_a_wmma_product_of_floats();
    constexpr bool kSwapped = M == 8;
    constexpr int kTall = (kSwapped ? N : M) / 16, kWide = (kSwapped ? M : N) / 8;
    constexpr int kDeep = kPacking == 1 ? 8 : 16, kA = kDeep * 16 / 32 / kPacking, kB = kA / 2;
    static_assert(K == kDeep, "a wmma shape whose depth mma.sync has");
    for (int tall = 0; tall < kTall; tall++) {
      for (int wide = 0; wide < kWide; wide++) {
        unsigned int left[kA], right[kB];
        const void* long_side =
            kSwapped ? (const void*)&b.x[tall * kA * kPacking] : (const void*)&a.x[tall * kA * kPacking];
        const void* short_side =
            kSwapped ? (const void*)&a.x[wide * kB * kPacking] : (const void*)&b.x[wide * kB * kPacking];
        __builtin_memcpy(left, long_side, sizeof left);
        __builtin_memcpy(right, short_side, sizeof right);
        const int at = 4 * (tall * kWide + wide);
        if constexpr (kPacking == 4) {
          int sum[4];
          for (int i = 0; i < 4; i++) sum[i] = c.x[at + i];
          if (saturate) {
            np_mma_saturated((A*)nullptr, left, right, sum);
          } else {
            np_mma((A*)nullptr, left, right, sum);
          }
          for (int i = 0; i < 4; i++) d.x[at + i] = sum[i];
        } else {
          float sum[4];
          for (int i = 0; i < 4; i++) sum[i] = (float)c.x[at + i];
          np_mma((A*)nullptr, left, right, sum);
          for (int i = 0; i < 4; i++) d.x[at + i] = (D)sum[i];
        }
      }
    }
  }
}
NP_FN float __float_to_tf32(float x) {
  unsigned int out;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out) : "f"(x));
  return __builtin_bit_cast(float, out);
}
#endif
}  // namespace nvcuda::wmma
namespace nvcuda::wmma::experimental::precision {
using namespace nvcuda::wmma::precision;
}

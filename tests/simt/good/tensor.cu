// Matrix fragments: wmma and mma.sync.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class T, class Sum, class LayoutA, class LayoutB>
__device__ void product(const T* a, const T* b, Sum* c, int lda, int ldb) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
  wmma::fill_fragment(fc, (Sum)1.0f);
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}
__global__ void wmma_half(const __half* a, const __half* b, float* c) {
  product<16, 16, 16, __half, float, wmma::row_major, wmma::row_major>(a, b, c, 16, 16);
}
__global__ void wmma_half_columns(const __half* a, const __half* b, float* c) {
  product<16, 16, 16, __half, float, wmma::col_major, wmma::col_major>(a, b, c, 16, 16);
}
__global__ void wmma_tall(const __half* a, const __half* b, float* c) {
  product<32, 8, 16, __half, float, wmma::row_major, wmma::row_major>(a, b, c, 16, 8);
}
__global__ void wmma_wide(const __half* a, const __half* b, float* c) {
  product<8, 32, 16, __half, float, wmma::row_major, wmma::col_major>(a, b, c, 16, 16);
}
__global__ void wmma_half_sum(const __half* a, const __half* b, __half* c) {
  product<16, 16, 16, __half, __half, wmma::row_major, wmma::row_major>(a, b, c, 16, 16);
}
__global__ void wmma_bfloat(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  product<16, 16, 16, __nv_bfloat16, float, wmma::row_major, wmma::row_major>(a, b, c, 16, 16);
}
__global__ void wmma_bytes(const signed char* a, const signed char* b, int* c) {
  product<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(a, b, c, 16, 16);
}
__global__ void wmma_tf32(const float* a, const float* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 16);
  for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  for (int i = 0; i < fb.num_elements; i++) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}
__global__ void wmma_tiled(const __half* a, const __half* b, float* c, int k) {
  // One warp a tile of 16 by 16, through shared memory.
  __shared__ __half sa[16 * 16], sb[16 * 16];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int at = 0; at < k; at += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      sa[i] = a[(blockIdx.y * 16 + i / 16) * k + at + i % 16];
      sb[i] = b[(at + i / 16) * 32 + blockIdx.x * 16 + i % 16];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, sa, 16);
    wmma::load_matrix_sync(fb, sb, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * 32 + blockIdx.x * 16, fc, 32, wmma::mem_row_major);
}
__global__ void mma_with_ldmatrix(const __half* a, const __half* b, float* c) {
  // A is 16 by 16, B 16 by 8, both by rows.
  __shared__ __align__(16) __half sa[16 * 16], sb[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  __syncthreads();
  unsigned ra[4], rb[2];
  int lane = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(&sa[lane % 16 * 16 + lane / 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(at));
  at = (unsigned)__cvta_generic_to_shared(&sb[lane % 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(at));
  float d[4] = {0, 0, 0, 0};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; i++) c[(lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2] = d[i];
}
__global__ void mma_bytes_deep(const int* a, const int* b, int* c) {
  // A is 16 by 32 bytes by rows, B 32 by 8 by columns: four bytes a word.
  int lane = threadIdx.x, group = lane / 4, place = lane % 4;
  int d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[group * 8 + place]), "r"(a[(group + 8) * 8 + place]), "r"(a[group * 8 + place + 4]),
                 "r"(a[(group + 8) * 8 + place + 4]), "r"(b[group * 8 + place]), "r"(b[group * 8 + place + 4]));
  for (int i = 0; i < 4; i++) c[(group + 8 * (i / 2)) * 8 + place * 2 + i % 2] = d[i];
}
__global__ void mma_byte_floats(const int* a, const int* b, float* c) {
  // A is 16 by 32 of E4M3 by rows, B 32 by 8 of E5M2 by columns; no code of a NaN or an infinity.
  int lane = threadIdx.x, group = lane / 4, place = lane % 4;
  const int most = 0x77777777;
  float d[4] = {1, 1, 1, 1};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[group * 8 + place] & most), "r"(a[(group + 8) * 8 + place] & most),
                 "r"(a[group * 8 + place + 4] & most), "r"(a[(group + 8) * 8 + place + 4] & most),
                 "r"(b[group * 8 + place] & most), "r"(b[group * 8 + place + 4] & most));
  for (int i = 0; i < 4; i++) c[(group + 8 * (i / 2)) * 8 + place * 2 + i % 2] = d[i];
}

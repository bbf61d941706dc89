#include <cuda_runtime.h>

// Each kernel writes what one lane sees of a warp operation; warps_test.py computes the same by the CUDA rules.

__global__ void shuffles(const int* x, int* out, int width) {
    int t = threadIdx.x;
    out[0 * 64 + t] = __shfl_sync(0xffffffffu, x[t], t * 3 + 1, width);
    out[1 * 64 + t] = __shfl_up_sync(0xffffffffu, x[t], 3, width);
    out[2 * 64 + t] = __shfl_down_sync(0xffffffffu, x[t], 5, width);
    out[3 * 64 + t] = __shfl_xor_sync(0xffffffffu, x[t], 6, width);
}

__global__ void wide_shuffles(const double* x, const long long* k, double* out, long long* kout) {
    int t = threadIdx.x;
    out[t] = __shfl_down_sync(0xffffffffu, x[t], 1);
    kout[t] = __shfl_xor_sync(0xffffffffu, k[t], 31);
}

__global__ void votes(const int* x, unsigned* out) {
    int t = threadIdx.x;
    out[0 * 64 + t] = __ballot_sync(0xffffffffu, x[t] > 2);
    out[1 * 64 + t] = __any_sync(0xffffffffu, x[t] == 7);
    out[2 * 64 + t] = __all_sync(0xffffffffu, x[t] < 8);
    out[3 * 64 + t] = __match_any_sync(0xffffffffu, x[t]);
    out[4 * 64 + t] = (unsigned)__reduce_add_sync(0xffffffffu, x[t]);
    out[5 * 64 + t] = (unsigned)__reduce_max_sync(0xffffffffu, x[t]);
    int same = 5;
    unsigned all = __match_all_sync(0xffffffffu, t / 32, &same);
    out[6 * 64 + t] = all + (unsigned)same;
    if (x[t] & 1)
        out[7 * 64 + t] = __activemask();
    else
        out[7 * 64 + t] = ~__activemask();
    unsigned odd = __ballot_sync(0xffffffffu, x[t] & 1);
    if (x[t] & 1) out[8 * 64 + t] = (unsigned)__popc(__ballot_sync(odd, t & 2));
    else out[8 * 64 + t] = 1000 + (unsigned)__reduce_add_sync(~odd, 1);
}

__global__ void barriers(const int* x, int* out) {
    int t = threadIdx.x;
    out[t] = __syncthreads_count(x[t] > 3) * 100 + __syncthreads_and(x[t] >= 0) * 10 + __syncthreads_or(x[t] == 9);
}

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

struct Affine {
    float scale;
    int shift;
    double offset;
    __device__ float operator()(float x) const { return scale * x + (float)shift + (float)offset; }
};

template <class Function>
__global__ void apply(Function f, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
template __global__ void apply<Affine>(Affine, const float*, float*, int);

__global__ void integers(const int* x, int* out, long long* wide, unsigned char* bytes) {
    int t = threadIdx.x;
    int a = x[t], b = x[(t + 1) % 32];
    unsigned ua = (unsigned)a, ub = (unsigned)b;
    out[0 * 32 + t] = a * 1103515245 + 12345;
    out[1 * 32 + t] = b ? a / b : 0;
    out[2 * 32 + t] = b ? a % b : 0;
    out[3 * 32 + t] = (int)(ub ? ua / ub : 0u);
    out[4 * 32 + t] = a >> 3;
    out[5 * 32 + t] = (int)(ua >> 3);
    out[6 * 32 + t] = __popc(ua) * 10000 + __clz(a) * 100 + __ffs(a);
    out[7 * 32 + t] = __mulhi(a, b);
    out[8 * 32 + t] = (int)__brev(ua);
    out[9 * 32 + t] = max(a, b) - min(a, b);
    wide[t] = (long long)a * b - ((long long)ua << 7);
    bytes[t] = (unsigned char)(a + 200);
    switch (a & 7) {
        case 1: out[10 * 32 + t] = 10; break;
        case 3: out[10 * 32 + t] = 30;
        case 4: out[10 * 32 + t] = 40; break;
        default: out[10 * 32 + t] = -1;
    }
}

__global__ void floats(const float* x, float* out, double* wide, int* ints) {
    int t = threadIdx.x;
    float v = x[t];
    out[0 * 32 + t] = v * v + 1.0f;  // not fused
    out[1 * 32 + t] = fmaf(v, v, 1.0f);
    out[2 * 32 + t] = rsqrtf(fabsf(v) + 0.5f);
    out[3 * 32 + t] = __expf(v) + expf(v) + exp(v);
    out[4 * 32 + t] = fmaxf(v, NAN) + fminf(v, 0.25f);
    float s, c;
    sincosf(v, &s, &c);
    out[5 * 32 + t] = s * 3.0f + c;
    out[6 * 32 + t] = __fadd_rz(1.0f, v * 1e-9f);
    out[7 * 32 + t] = erff(v) + tanhf(v) + powf(fabsf(v), 1.5f) + log1pf(fabsf(v));
    wide[t] = sqrt((double)v * v + 2.0) / 3.0;
    ints[0 * 32 + t] = (int)(v * 1e10f);
    ints[1 * 32 + t] = __float2int_rd(v * 10.0f);
    ints[2 * 32 + t] = __float2int_rn(v * 10.0f);
    ints[3 * 32 + t] = __float_as_int(v);
    ints[4 * 32 + t] = isnan(v) + 2 * (v == v) + 4 * (v < 0.0f) + 8 * !(v < 0.0f);
}

__global__ void halves(const __half* x, const __nv_bfloat16* z, __half* y, __nv_bfloat16* w, float* f) {
    int t = threadIdx.x;
    __half a = x[t], b = x[31 - t];
    y[0 * 32 + t] = __hadd(a, b);
    y[1 * 32 + t] = __hmul(a, b);
    y[2 * 32 + t] = __hfma(a, b, a);
    y[3 * 32 + t] = __float2half(__half2float(a) * 3.0f);
    y[4 * 32 + t] = __float2half_rd(__half2float(a) * 0.3f);
    w[0 * 32 + t] = z[t] * z[31 - t];
    w[1 * 32 + t] = __float2bfloat16(__bfloat162float(z[t]) + 1.0f);
    f[t] = __half2float(a) + __bfloat162float(z[t]);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }

__constant__ int table[4] = {5, 6, 7, 8};
__device__ int counter = 40;

__global__ void calls(int* out) {
    extern __shared__ int dynamic[];
    int t = threadIdx.x;
    int (*choice)(int) = t & 1 ? twice : square;
    out[0 * 32 + t] = fibonacci(t % 10);
    out[1 * 32 + t] = choice(t);
    int local[8];
    for (int k = 0; k < 8; k++) local[(k * 3 + t) & 7] = k * t;
    out[2 * 32 + t] = local[t & 7] + table[t & 3];
    dynamic[t] = t;
    __syncthreads();
    out[3 * 32 + t] = dynamic[31 - t];
    out[4 * 32 + t] = atomicAdd(&counter, 0);
    if (t == 3) printf("%d %5.2f %s %c%% %llu\n", t, 1.5, "text", 'x', 1ull << 40);
}

__global__ void atomics(int* i, unsigned* u, float* f, double* d, unsigned long long* l) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], t);
    atomicMax(&i[2], (t * 37) % 101 - 50);
    atomicMin(&i[3], (t * 37) % 101 - 50);
    atomicOr(&i[4], 1 << (t % 20));
    atomicXor(&i[5], t);
    atomicAnd(&i[6], ~(1 << (t % 7)));
    atomicInc(&u[0], 9u);
    atomicDec(&u[1], 4u);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    atomicAdd(&l[0], 1ull << 33);
    int seen = i[7];
    do {
        int expected = seen;
        seen = atomicCAS(&i[8], expected, expected + 2);
        if (seen == expected) break;
    } while (true);
}

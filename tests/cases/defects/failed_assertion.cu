#include <assert.h>
#include <cuda_runtime.h>

__global__ void asserts(const int* x, int* y) {
    int t = threadIdx.x;
    y[t] = x[t];
    assert(x[t] < 5);  // DEFECT assertion
}

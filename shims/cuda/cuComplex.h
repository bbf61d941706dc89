// Complex numbers of the CUDA libraries: vectors of two.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
NP_HD float cuCrealf(cuFloatComplex z) { return z.x; }
NP_HD float cuCimagf(cuFloatComplex z) { return z.y; }
NP_HD double cuCreal(cuDoubleComplex z) { return z.x; }
NP_HD double cuCimag(cuDoubleComplex z) { return z.y; }
NP_HD cuFloatComplex make_cuFloatComplex(float re, float im) { return cuFloatComplex{re, im}; }
NP_HD cuDoubleComplex make_cuDoubleComplex(double re, double im) { return cuDoubleComplex{re, im}; }
NP_HD cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
NP_HD cuFloatComplex cuConjf(cuFloatComplex z) { return cuFloatComplex{z.x, -z.y}; }
NP_HD cuDoubleComplex cuConj(cuDoubleComplex z) { return cuDoubleComplex{z.x, -z.y}; }
NP_HD cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return cuFloatComplex{a.x + b.x, a.y + b.y}; }
NP_HD cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) { return cuDoubleComplex{a.x + b.x, a.y + b.y}; }
NP_HD cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return cuFloatComplex{a.x - b.x, a.y - b.y}; }
NP_HD cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) { return cuDoubleComplex{a.x - b.x, a.y - b.y}; }
NP_HD cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return cuFloatComplex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
NP_HD cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return cuDoubleComplex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
NP_HD float cuCabsf(cuFloatComplex z) { return sqrtf(z.x * z.x + z.y * z.y); }
NP_HD double cuCabs(cuDoubleComplex z) { return sqrt(z.x * z.x + z.y * z.y); }

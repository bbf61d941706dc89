// The CUDA runtime as device and host code see it: language builtins, device functions, runtime API.
// It is force-included before every CUDA source and may be included again. A plain C++ file that includes it gets the
// types and the host functions only.
#pragma once
#pragma clang system_header

// Device math before anything that may include <cmath>.
#include "host_defines.h"
#ifdef __CUDA__
#include "np_shim/math_overloads.h"
#endif
#include "np_shim/std_headers.h"

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"
#ifdef __CUDA__
#include "np_shim/atomics.h"
#include "np_shim/builtin_vars.h"
#include "np_shim/convert.h"
#include "np_shim/integer.h"
#include "np_shim/launch.h"
#include "np_shim/memory.h"
#include "np_shim/minmax.h"
#include "np_shim/simd.h"
#include "np_shim/sync.h"
#include "np_shim/warp.h"
#endif

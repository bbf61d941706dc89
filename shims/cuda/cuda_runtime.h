// The CUDA runtime as device and host code see it: language builtins, device functions, runtime API.
// It is force-included before every CUDA source and may be included again.
#pragma once
#pragma clang system_header
#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "np_shim/atomics.h"
#include "np_shim/builtin_vars.h"
#include "np_shim/convert.h"
#include "np_shim/integer.h"
#include "np_shim/launch.h"
#include "np_shim/memory.h"
#include "np_shim/minmax.h"
#include "np_shim/std_headers.h"
#include "np_shim/sync.h"
#include "np_shim/warp.h"
#include "vector_functions.h"
#include "vector_types.h"

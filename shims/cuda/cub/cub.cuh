// All of cub.
#pragma once
#pragma clang system_header
#include "np_cub/device.h"
#include "np_cub/load_store.h"
#include "np_cub/reduce_scan.h"
#include "np_cub/types.h"
#include "np_cub/warp.h"

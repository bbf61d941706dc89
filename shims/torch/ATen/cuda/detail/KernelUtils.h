// Stands in for the header of this name; the declarations are in np_torch/cuda_index.h.
#pragma once
#pragma clang system_header
#include "../../../np_torch/cuda_index.h"

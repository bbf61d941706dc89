// Part of the runtime headers.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"

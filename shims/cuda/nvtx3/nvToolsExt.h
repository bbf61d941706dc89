// NVTX 3 under its folder.
#pragma once
#pragma clang system_header
#include "../nvToolsExt.h"

// The torch release whose C++ API these headers follow.
#pragma once
#pragma clang system_header
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 13
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION "2.13.0"
#define TORCH_VERSION_ABI_TAG 0

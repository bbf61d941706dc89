// The headers of shims/cuda and shims/torch, built into the executable by embed_shims.cmake.
#pragma once

#include <span>
#include <string_view>

namespace np::analyzer::worker {

struct EmbeddedFile {
  std::string_view path;  // relative to shims/: "cuda/cuda_runtime.h"
  std::string_view text;
};

std::span<const EmbeddedFile> embeddedShims();

}  // namespace np::analyzer::worker

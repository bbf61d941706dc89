// A list of spellings, because there is no toolkit to look into. It errs towards "CUDA": a word taken for CUDA's puts
// its function behind the switch and is reported, a word missed would not compile.

#include "analyzer/rules/host/cuda_words.h"

#include <algorithm>
#include <array>

namespace np::analyzer::host {
namespace {

constexpr std::array<std::string_view, 19> kHeaders = {"cuda",        "cublas",
                                                       "cudnn",       "curand",
                                                       "cufft",       "cusparse",
                                                       "cusolver",    "nccl",
                                                       "thrust/",     "cub/",
                                                       "nvToolsExt",  "nvtx3/",
                                                       "ATen/cuda/",  "c10/cuda/",
                                                       "THC/",        "cooperative_groups",
                                                       "ATen/cudnn/", "ATen/native/cuda/",
                                                       "cute/"};
constexpr std::array<std::string_view, 28> kWords = {"RestrictPtrTraits",
                                                     "<<<",
                                                     "__global__",
                                                     "__device__",
                                                     "__shared__",
                                                     "__constant__",
                                                     "__syncthreads",
                                                     "__launch_bounds__",
                                                     "threadIdx",
                                                     "blockIdx",
                                                     "blockDim",
                                                     "gridDim",
                                                     "dim3",
                                                     "warpSize",
                                                     "getCurrentCUDAStream",
                                                     "CUDAStream",
                                                     "CUDAStreamGuard",
                                                     "CUDAEvent",
                                                     "getCUDADeviceAllocator",
                                                     "__half",
                                                     "__half2",
                                                     "half2",
                                                     "__nv_bfloat16",
                                                     "__nv_bfloat162",
                                                     "CUDA_VERSION",
                                                     "atomicAdd",
                                                     "CUDA_KERNEL_LOOP",
                                                     "__managed__"};
constexpr std::array<std::string_view, 7> kLibraries = {"cublas", "cudnn",  "cusparse", "cusolver",
                                                        "cufft",  "curand", "nccl"};
constexpr std::array<std::string_view, 11> kSwitches = {"WITH_CUDA",   "USE_CUDA",   "HAVE_CUDA",        "ENABLE_CUDA",
                                                        "WITH_GPU",    "__CUDACC__", "__CUDA_ARCH__",    "USE_ROCM",
                                                        "WITH_NEURON", "__HIPCC__",  "TORCH_HIP_VERSION"};

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

bool isGuard(std::string_view word) { return word == "CUDAGuard" || word == "OptionalCUDAGuard"; }

// `cuda` in `at::cuda::CUDAGuard`.
bool leadsToGuard(const std::vector<Token>& tokens, std::size_t at) {
  return at + 2 < tokens.size() && tokens[at + 1].is("::") && isGuard(tokens[at + 2].text);
}

}  // namespace

bool isCudaHeader(std::string_view header) {
  return std::any_of(kHeaders.begin(), kHeaders.end(), [&](auto prefix) { return header.starts_with(prefix); }) ||
         header == "mma.h" || header == "device_launch_parameters.h";
}

bool isCudaWord(const std::vector<Token>& tokens, std::size_t at, bool guards) {
  const std::string_view word = tokens[at].text;
  if (tokens[at].kind != TokenKind::Word) return word == "<<<";
  if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
  if (isGuard(word)) return guards;
  const bool qualifies = at + 1 < tokens.size() && tokens[at + 1].is("::");
  if (word == "cuda" && qualifies) return guards || !leadsToGuard(tokens, at);
  if (word == "cooperative_groups" || word == "nvcuda") return true;
  if ((word == "cub" || word == "thrust") && qualifies) return true;
  if (word.size() > 4 && word.starts_with("cuda") && isUpper(word[4])) return true;
  return std::any_of(kLibraries.begin(), kLibraries.end(), [&](auto library) {
    return word.size() > library.size() && word.starts_with(library) && isUpper(word[library.size()]);
  });
}

bool isSwitch(std::string_view macro) {
  return std::find(kSwitches.begin(), kSwitches.end(), macro) != kSwitches.end();
}

bool isSwitched(const CppFile& file, Offset at) {
  for (std::string_view macro : kSwitches)
    if (file.isUnder(at, macro)) return true;
  return false;
}

}  // namespace np::analyzer::host

// The table of distributions. Names of wheels differ from module names, so the table of packages in
// shims/tables/torch_cuda_api.json does not serve here.

#include "analyzer/rules/environment/distributions.h"

#include <array>
#include <cctype>

namespace np::analyzer {
namespace {

constexpr std::string_view kAttention = "torch.nn.functional.scaled_dot_product_attention";
constexpr std::string_view kKernels = "an op of torch, or an NKI kernel";
constexpr std::string_view kTools = "neuron-ls, neuron-top, neuron-monitor";
constexpr std::string_view kWeights = "bfloat16 weights";
constexpr std::string_view kHost = "its CPU counterpart";
constexpr std::string_view kCompile = "torch.compile(backend=\"neuron\")";

constexpr std::array<Distribution, 72> kDistributions = {{
    {"flash-attn*", kAttention},
    {"flashattn-hopper", kAttention},
    {"flashinfer*", kAttention},
    {"sageattention*", kAttention},
    {"xformers", kAttention},
    {"apex", "torch.amp, torch.optim and torch.nn"},
    {"nvidia-apex", "torch.amp, torch.optim and torch.nn"},
    {"bitsandbytes*", kWeights},
    {"auto-gptq", kWeights},
    {"gptqmodel", kWeights},
    {"autoawq*", kWeights},
    {"exllamav2", kWeights},
    {"exllamav3", kWeights},
    {"hqq", kWeights, Severity::Warning},
    {"torchao", kWeights, Severity::Hint},
    {"optimum-quanto", kWeights, Severity::Hint},
    {"triton", "an NKI kernel", Severity::Warning},
    {"triton-nightly", "an NKI kernel", Severity::Warning},
    {"pytorch-triton", "an NKI kernel", Severity::Warning},
    {"torchtriton", "an NKI kernel", Severity::Warning},
    {"liger-kernel*", "the modules of torch.nn"},
    {"unsloth*", "transformers with PEFT"},
    {"transformer-engine*", "torch.nn layers in bfloat16"},
    {"mamba-ssm", "a scan in PyTorch, or an NKI kernel"},
    {"causal-conv1d", "torch.nn.functional.conv1d, or an NKI kernel"},
    {"deepspeed*", "torch.distributed.fsdp.fully_shard", Severity::Warning},
    {"horovod*", "torch.distributed", Severity::Warning},
    {"megatron-core", "the plain modules of torch.nn", Severity::Warning},
    {"megatron-lm", "the plain modules of torch.nn", Severity::Warning},
    {"vllm", "the vLLM plugin for Neuron", Severity::Warning},
    {"sglang*", "the vLLM plugin for Neuron", Severity::Warning},
    {"tensorrt*", kCompile},
    {"torch-tensorrt", kCompile},
    {"torch2trt", kCompile},
    {"onnxruntime-gpu", "onnxruntime on the CPU, or the PyTorch model"},
    {"faiss-gpu*", "faiss-cpu"},
    {"cupy*", "numpy on the host, or torch on neuron"},
    {"pycuda", kKernels},
    {"numba-cuda", kKernels},
    {"cuda-python", kKernels},
    {"cuda-bindings", kKernels},
    {"cuda-core", kKernels},
    {"warp-lang", kKernels, Severity::Warning},
    {"tilelang", kKernels},
    {"thunderkittens", kKernels},
    {"tinycudann", "modules of torch.nn"},
    {"spconv*", "dense ops of torch"},
    {"minkowskiengine", "dense ops of torch"},
    {"torchsparse*", "dense ops of torch"},
    {"gsplat", kKernels, Severity::Warning},
    {"nerfacc", kKernels, Severity::Warning},
    {"pytorch3d", kKernels, Severity::Hint},
    {"kaolin", kKernels, Severity::Warning},
    {"natten", kKernels, Severity::Warning},
    {"torch-scatter", "ops of torch such as scatter_reduce", Severity::Hint},
    {"torch-sparse", "ops of torch", Severity::Hint},
    {"torch-cluster", "ops of torch", Severity::Hint},
    {"torch-spline-conv", "ops of torch", Severity::Hint},
    {"pynvml", kTools, Severity::Warning},
    {"nvidia-ml-py*", kTools, Severity::Warning},
    {"py3nvml", kTools, Severity::Warning},
    {"gputil", kTools, Severity::Warning},
    {"gpustat", kTools, Severity::Warning},
    {"nvitop", kTools, Severity::Warning},
    {"nvtx", "torch.profiler.record_function", Severity::Hint},
    {"nvidia-dali*", "decoding on the CPU in DataLoader workers"},
    {"nvidia-modelopt", kWeights},
    {"cudf*", kHost},
    {"cuml*", kHost},
    {"cugraph*", kHost},
    {"tensorflow-gpu", kHost, Severity::Warning},
    {"dgl-cu*", "ops of torch", Severity::Warning},
}};

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  pattern.remove_suffix(1);
  return name == pattern || (name.starts_with(pattern) && (name[pattern.size()] == '-' || pattern.ends_with("cu")));
}

}  // namespace

std::string normalisedName(std::string_view name) {
  std::string out;
  for (char c : name)
    out += c == '_' || c == '.' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

const Distribution* cudaDistribution(std::string_view normalised) {
  for (const Distribution& one : kDistributions)
    if (matches(one.name, normalised)) return &one;
  return nullptr;
}

bool isCudaToolkit(std::string_view name) {
  for (std::string_view exact :
       {"cudatoolkit", "cudatoolkit-dev", "pytorch-cuda", "cuda-toolkit", "cuda-version", "cudnn", "nccl", "cuda-nvcc",
        "cuda", "cuda-runtime", "cuda-compiler", "cuda-libraries", "cuda-libraries-dev", "cuda-cudart",
        "cuda-cudart-dev", "cupti", "cutensor", "libcublas"})
    if (name == exact) return true;
  for (std::string_view start : {"nvidia-cuda-", "nvidia-cudnn", "nvidia-cublas", "nvidia-cufft", "nvidia-curand",
                                 "nvidia-cusolver", "nvidia-cusparse", "nvidia-nccl", "nvidia-nvtx", "nvidia-nvjitlink",
                                 "nvidia-cufile", "nvidia-nvshmem", "cuda-toolkit-", "libcudnn", "libnccl"})
    if (name.starts_with(start)) return true;
  return false;
}

}  // namespace np::analyzer

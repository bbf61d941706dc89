// NPT5106 gpu-launch, NPT5107 cuda-in-shell, NPT5109 gpu-runner
//
// Words of command lines and schedulers: options that ask for GPUs or count them, variables and tools of CUDA. A line
// is judged word by word, so that a path or a message that merely holds "nccl" is left alone.

#include <cctype>

#include "analyzer/rules/environment/environment_file.h"

namespace np::analyzer {
namespace {

constexpr std::string_view kCount = "counts GPUs; on neuron one process drives one logical NeuronCore";
constexpr std::string_view kAsks = "asks for NVIDIA GPUs; a Trainium machine gives its devices in another way";

// The option that starts at a blank of the line; empty when the line lacks it.
std::string_view optionIn(std::string_view line, std::string_view option) {
  for (auto at = line.find(option); at != std::string_view::npos; at = line.find(option, at + 1)) {
    const bool starts = at == 0 || std::string_view(" \t\"',[").find(line[at - 1]) != std::string_view::npos;
    const auto end = at + option.size();
    const bool ends = end == line.size() ||
                      !(std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_' || line[end] == '-');
    if (!starts || !ends) continue;
    auto stop = end;
    if (stop < line.size() && (line[stop] == '=' || line[stop] == ' ')) {
      ++stop;
      while (stop < line.size() && std::string_view(" \t\"',]\\").find(line[stop]) == std::string_view::npos) ++stop;
    }
    return line.substr(at, stop - at);
  }
  return {};
}

void launches(EnvironmentFile& file, std::string_view line) {
  for (std::string_view option : {"--nproc_per_node", "--nproc-per-node", "--num_gpus", "--num-gpus", "--gpu_ids",
                                  "--gpus-per-node", "--gpus_per_node"})
    if (const auto found = optionIn(line, option); !found.empty())
      file.add("NPT5106", found, std::string(found), std::string(kCount));
  for (std::string_view option : {"--gpus", "--multi_gpu", "--runtime=nvidia", "--gpus-per-task", "--gres"})
    if (const auto found = optionIn(line, option);
        !found.empty() && (option != "--gres" || found.find("gpu") != std::string_view::npos))
      file.add("NPT5106", found, std::string(found), std::string(kAsks));
  constexpr std::string_view kLaunch = "torch.distributed.launch";
  if (const auto found = optionIn(line, kLaunch); !found.empty())
    file.add("NPT5106", found.substr(0, kLaunch.size()), std::string(kLaunch),
             "replaced by torchrun, which TorchNeuron's guide uses");
}

bool isCudaVariable(std::string_view name) {
  for (std::string_view known :
       {"CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH", "CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_ORDER", "CUDA_ROOT",
        "CUDA_DEVICE_MAX_CONNECTIONS", "CUDACXX", "CUDA_VERSION", "CUDNN_VERSION", "FORCE_CUDA",
        "PYTORCH_CUDA_ALLOC_CONF", "TORCH_CUDA_ARCH_LIST", "CUBLAS_WORKSPACE_CONFIG", "NVIDIA_VISIBLE_DEVICES",
        "NVIDIA_DRIVER_CAPABILITIES", "CUDA_ARCH", "CUDA_ARCHITECTURES"})
    if (name == known) return true;
  return name.starts_with("NCCL_") || name.starts_with("TORCH_NCCL_");
}

void shellWords(EnvironmentFile& file, std::string_view line) {
  for (std::string_view word : wordsOf(line)) {
    if (word.starts_with("$")) continue;
    const auto slash = word.rfind('/');
    const std::string_view program = slash == std::string_view::npos ? word : word.substr(slash + 1);
    if (isCudaVariable(word)) {
      const bool picks = word == "CUDA_VISIBLE_DEVICES" || word == "NVIDIA_VISIBLE_DEVICES";
      file.add("NPT5107", word, std::string(word),
               picks ? "picks GPUs; on neuron NEURON_RT_VISIBLE_CORES picks logical cores" : "is read by CUDA only");
    } else if (program == "nvidia-smi" || program == "nvcc" || program == "nsys" || program == "ncu") {
      file.add("NPT5107", word, std::string(program),
               program == "nvidia-smi" ? "a tool of CUDA; on neuron: neuron-ls, neuron-top" : "a tool of CUDA");
    } else if (word.find("/usr/local/cuda") != std::string_view::npos) {
      file.add("NPT5107", word, std::string(word), "a folder of the CUDA toolkit");
    }
  }
}

void yamlLine(EnvironmentFile& file, std::string_view line) {
  if (line.starts_with("- ")) line = trimmed(line.substr(2));
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = unquoted(trimmed(line.substr(0, colon)));
  const std::string value = lowered(unquoted(trimmed(line.substr(colon + 1))));
  if ((key == "runtime" && value == "nvidia") || (key == "driver" && value == "nvidia") || key == "nvidia.com/gpu" ||
      (key == "capabilities" && value.find("gpu") != std::string::npos))
    file.add("NPT5106", line, std::string(line), std::string(kAsks));
  if (key == "runs-on" && (value.find("gpu") != std::string::npos || value.find("cuda") != std::string::npos ||
                           value.find("nvidia") != std::string::npos))
    file.add("NPT5109", line, std::string(line),
             "runs on a machine with GPUs; the tests of the port need one with Trainium, or none");
}

}  // namespace

void launchRules(EnvironmentFile& file) {
  const EnvironmentKind kind = file.kind();
  const bool yaml = kind == EnvironmentKind::Yaml || kind == EnvironmentKind::Workflow;
  const bool shell = kind == EnvironmentKind::Shell || kind == EnvironmentKind::Dockerfile;
  if (!yaml && !shell) return;
  for (const EnvironmentLine& one : file.lines()) {
    if (file.full()) return;
    const std::string_view line = trimmed(one.text);
    if (yaml) yamlLine(file, line);
    if (!line.starts_with("echo ")) {
      launches(file, line);
      shellWords(file, line);
    }
    // Directives of Slurm and PBS stand in comments.
    if (kind == EnvironmentKind::Shell && (one.comment.starts_with("#SBATCH") || one.comment.starts_with("#PBS"))) {
      launches(file, one.comment);
      if (one.comment.starts_with("#PBS") && one.comment.find("gpus=") != std::string_view::npos)
        file.add("NPT5106", trimmed(one.comment), "gpus", std::string(kAsks));
    }
  }
}

}  // namespace np::analyzer

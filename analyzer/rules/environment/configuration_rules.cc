// NPT5108 cuda-configuration-value
//
// `device: cuda`, `"backend": "nccl"`, `gpus: 8`, `--device=cuda:0`: values that a program reads. Keys are compared
// whole and values with what they mean for that key; all else in a configuration file is none of our business.

#include <array>
#include <cctype>

#include "analyzer/rules/environment/environment_file.h"

namespace np::analyzer {
namespace {

enum class Meaning { Device, Accelerator, Backend, Count, Half, Precision, Switch, Attention, Compiler, Distributed };

struct Key {
  std::string_view name;
  Meaning meaning;
};

constexpr std::array<Key, 38> kKeys = {{
    {"device", Meaning::Device},
    {"dev", Meaning::Device},
    {"devices", Meaning::Device},
    {"device_type", Meaning::Device},
    {"map_location", Meaning::Device},
    {"device_map", Meaning::Device},
    {"target_device", Meaning::Device},
    {"train_device", Meaning::Device},
    {"eval_device", Meaning::Device},
    {"inference_device", Meaning::Device},
    {"accelerator", Meaning::Accelerator},
    {"backend", Meaning::Backend},
    {"dist_backend", Meaning::Backend},
    {"ddp_backend", Meaning::Backend},
    {"distributed_backend", Meaning::Backend},
    {"process_group_backend", Meaning::Backend},
    {"gpus", Meaning::Count},
    {"gpu", Meaning::Count},
    {"gpu_ids", Meaning::Count},
    {"gpu_id", Meaning::Count},
    {"num_gpus", Meaning::Count},
    {"n_gpu", Meaning::Count},
    {"n_gpus", Meaning::Count},
    {"ngpus", Meaning::Count},
    {"gpus_per_node", Meaning::Count},
    {"num_gpus_per_node", Meaning::Count},
    {"fp16", Meaning::Half},
    {"use_fp16", Meaning::Half},
    {"precision", Meaning::Precision},
    {"mixed_precision", Meaning::Precision},
    {"use_cuda", Meaning::Switch},
    {"cuda", Meaning::Switch},
    {"use_gpu", Meaning::Switch},
    {"load_in_8bit", Meaning::Switch},
    {"load_in_4bit", Meaning::Switch},
    {"attn_implementation", Meaning::Attention},
    {"dynamo_backend", Meaning::Compiler},
    {"distributed_type", Meaning::Distributed},
}};

bool isCudaDevice(std::string_view value) { return value == "cuda" || value == "gpu" || value.starts_with("cuda:"); }

bool isOn(std::string_view value) { return value == "true" || value == "yes" || value == "on"; }

// What to say about the value; empty when it is fine.
std::string_view adviceFor(Meaning meaning, std::string_view value) {
  const bool number = !value.empty() && std::isdigit(static_cast<unsigned char>(value.front()));
  switch (meaning) {
    case Meaning::Device:
      return isCudaDevice(value) ? "fixes the device to CUDA; on neuron it is \"neuron\"" : "";
    case Meaning::Accelerator:
      return isCudaDevice(value) ? "picks CUDA; Lightning has no accelerator for neuron" : "";
    case Meaning::Backend:
      return value == "nccl" ? "NCCL connects NVIDIA GPUs only; on neuron the backend is \"neuron\"" : "";
    case Meaning::Count:
      return (number && value != "0") || value.starts_with('[') || value == "-1"
                 ? "counts GPUs; on neuron count logical NeuronCores"
                 : "";
    case Meaning::Half:
      return isOn(value) ? "float16 is refused on neuron; use bfloat16" : "";
    case Meaning::Precision:
      return value == "16" || value == "fp16" || value == "16-mixed" || value == "16-true" || value == "float16" ||
                     value == "half"
                 ? "float16 is refused on neuron; use bfloat16"
                 : "";
    case Meaning::Switch:
      return isOn(value) ? "switches CUDA on" : "";
    case Meaning::Attention:
      return value.starts_with("flash_attention") ? "needs the package flash_attn; use \"sdpa\"" : "";
    case Meaning::Compiler:
      return value == "inductor" ? "the backend of neuron is \"neuron\"" : "";
    case Meaning::Distributed:
      return value == "multi_gpu" ? "counts GPUs; accelerate calls it MULTI_NEURON on neuron" : "";
  }
  return "";
}

void judge(EnvironmentFile& file, std::string_view key, std::string_view value, std::string_view place) {
  const std::string name = lowered(key), text = lowered(value);
  for (const Key& known : kKeys) {
    if (known.name != name) continue;
    const std::string_view advice = adviceFor(known.meaning, text);
    if (!advice.empty()) file.add("NPT5108", place, std::string(key) + ": " + std::string(value), std::string(advice));
    return;
  }
}

// The last part of a dotted key: "trainer.accelerator".
std::string_view lastKey(std::string_view key) {
  const auto dot = key.find_last_of(".@+");
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

// `key: value`, `key = value`, `"key": value,`
void keyValue(EnvironmentFile& file, std::string_view line, char separator) {
  if (line.starts_with("- ")) line = trimmed(line.substr(2));
  const auto at = line.find(separator);
  if (at == std::string_view::npos) return;
  std::string_view value = trimmed(line.substr(at + 1));
  while (value.ends_with(',') || value.ends_with('}')) value = trimmed(value.substr(0, value.size() - 1));
  std::string_view key = trimmed(line.substr(0, at));
  if (key.starts_with('{')) key = trimmed(key.substr(1));
  judge(file, lastKey(unquoted(key)), unquoted(value), line);
}

// `--device cuda`, `--device=cuda:0`, `trainer.accelerator=gpu`.
void commandLine(EnvironmentFile& file, std::string_view line) {
  if (line.find("--") == std::string_view::npos && line.find('=') == std::string_view::npos) return;
  std::string_view previous;
  for (std::string_view rest = line; !rest.empty();) {
    const auto end = rest.find_first_of(" \t");
    std::string_view word = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(end));
    if (word.empty()) continue;
    const auto equals = word.find('=');
    const bool option = word.starts_with("--");
    std::string_view name = option ? word.substr(2) : word;
    if (equals != std::string_view::npos) {
      name = name.substr(0, name.find('='));
      std::string key(lastKey(name));
      for (char& c : key)
        if (c == '-') c = '_';
      if (option || name.find('.') != std::string_view::npos) judge(file, key, unquoted(word.substr(equals + 1)), word);
      previous = {};
      continue;
    }
    if (!previous.empty() && !option) {
      std::string key(previous.substr(2));
      for (char& c : key)
        if (c == '-') c = '_';
      const std::string_view both(previous.data(),
                                  static_cast<std::size_t>(word.data() + word.size() - previous.data()));
      judge(file, lastKey(key), unquoted(word), both);
    }
    if (option && (word == "--fp16" || word == "--cuda" || word == "--use_cuda" || word == "--use-cuda"))
      judge(file, word == "--fp16" ? "fp16" : "cuda", "true", word);
    previous = option ? word : std::string_view{};
  }
}

}  // namespace

void configurationRules(EnvironmentFile& file) {
  for (const EnvironmentLine& one : file.lines()) {
    if (file.full()) return;
    const std::string_view line = trimmed(one.text);
    switch (file.kind()) {
      case EnvironmentKind::Yaml:
        keyValue(file, line, ':');
        break;
      case EnvironmentKind::Json:
        keyValue(file, line, ':');
        break;
      case EnvironmentKind::Toml:
        keyValue(file, line, '=');
        break;
      case EnvironmentKind::Shell:
      case EnvironmentKind::Dockerfile:
      case EnvironmentKind::Workflow:
        commandLine(file, line);
        break;
      default:
        break;
    }
  }
}

}  // namespace np::analyzer

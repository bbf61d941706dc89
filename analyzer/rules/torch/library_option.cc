// NPT3020 library-option
//
// Arguments of other libraries that pin CUDA or one of its packages: the table below holds callee, argument, value and
// what to say instead. An empty callee stands for any call in a file that imports the library.

#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::kNoNode;
using python::NodeId;

struct Option {
  std::string_view callee;  // the last part of the callee's name; empty for any
  std::string_view name;    // of the keyword
  std::string_view value;   // the text of the value, quotes left out; "*" for any but None and False
  std::string_view advice;
};

constexpr std::string_view kTrainer =
    "Lightning has no accelerator for neuron; train with a plain loop, Accelerate or transformers";
constexpr std::string_view kHalf = "float16 is refused on neuron; use bfloat16";
constexpr std::string_view kCount = "counts GPUs; on neuron count logical NeuronCores";
constexpr std::string_view kAttention = "needs the package flash_attn; use \"sdpa\"";
constexpr std::string_view kQuantized = "needs bitsandbytes, which has no neuron kernels; load in bfloat16";
constexpr std::string_view kOptimizer = "an optimizer with CUDA kernels; use \"adamw_torch\"";

constexpr std::array<Option, 43> kOptions = {{
    {"Trainer", "accelerator", "gpu", kTrainer},
    {"Trainer", "accelerator", "cuda", kTrainer},
    {"Trainer", "gpus", "*", kTrainer},
    {"Trainer", "auto_select_gpus", "*", kTrainer},
    {"Trainer", "precision", "16", kHalf},
    {"Trainer", "precision", "16-mixed", kHalf},
    {"Trainer", "precision", "16-true", kHalf},
    {"Trainer", "amp_backend", "*", "apex and native AMP of CUDA; leave it out"},
    {"Fabric", "accelerator", "gpu", kTrainer},
    {"Fabric", "accelerator", "cuda", kTrainer},
    {"Fabric", "precision", "16-mixed", kHalf},
    {"", "fp16", "True", kHalf},
    {"", "fp16_full_eval", "True", kHalf},
    {"", "fp16_backend", "*", "picks CUDA's or apex's AMP; leave it out"},
    {"", "half_precision_backend", "*", "picks CUDA's or apex's AMP; leave it out"},
    {"", "fp16_opt_level", "*", "an option of apex; leave it out"},
    {"", "mixed_precision", "fp16", kHalf},
    {"", "tf32", "True", "there is no TF32 on neuron; leave it out"},
    {"TrainingArguments", "torch_compile_backend", "inductor", "the backend of neuron is \"neuron\""},
    {"TrainingArguments", "ddp_backend", "nccl", "the backend of neuron is \"neuron\""},
    {"", "optim", "adamw_apex_fused", kOptimizer},
    {"", "optim", "adamw_bnb_8bit", kOptimizer},
    {"", "optim", "paged_adamw_8bit", kOptimizer},
    {"", "optim", "paged_adamw_32bit", kOptimizer},
    {"", "attn_implementation", "flash_attention_2", kAttention},
    {"", "attn_implementation", "flash_attention_3", kAttention},
    {"", "_attn_implementation", "flash_attention_2", kAttention},
    {"", "use_flash_attention_2", "True", kAttention},
    {"", "load_in_8bit", "True", kQuantized},
    {"", "load_in_4bit", "True", kQuantized},
    {"", "dynamo_backend", "inductor", "the backend of neuron is \"neuron\""},
    {"", "dynamo_backend", "INDUCTOR", "the backend of neuron is \"neuron\""},
    {"", "gpu_memory_utilization", "*", "an option of vLLM on CUDA; see the vLLM plugin for Neuron"},
    {"", "num_gpus", "*", kCount},
    {"", "n_gpu", "*", kCount},
    {"", "num_gpus_per_worker", "*", kCount},
    {"", "resources_per_trial", "*", kCount},
    {"", "enable_cuda_graph", "True", "there are no CUDA graphs on neuron; leave it out"},
    {"", "use_cuda_graph", "True", "there are no CUDA graphs on neuron; leave it out"},
    {"from_quantized", "use_triton", "True", "there is no Triton on neuron"},
    {"", "tree_method", "gpu_hist", "runs on CUDA; use \"hist\""},
    {"", "device_type", "GPU", "runs on CUDA"},
    {"profile", "use_cuda", "True", "profiles CUDA; give activities with ProfilerActivity.PrivateUse1"},
}};

// Libraries whose calls the options without callee belong to.
bool importsLibrary(const RuleInput& input) {
  for (const python::ImportedModule& import : input.module.imports()) {
    const std::string top = import.path.substr(0, import.path.find('.'));
    for (const char* known : {"torch", "transformers", "accelerate", "diffusers", "lightning", "pytorch_lightning",
                              "trl", "peft", "vllm", "ray", "deepspeed", "xgboost", "lightgbm", "onnxruntime",
                              "optimum", "sentence_transformers", "fastai", "tensorrt_llm", "sglang"})
      if (top == known) return true;
  }
  return false;
}

// Names that any function may have for something of its own: they count for classes and for ray's functions.
bool isCommonName(std::string_view name) {
  return name == "fp16" || name == "tf32" || name == "num_gpus" || name == "n_gpu";
}

bool takesOptions(std::string_view callee) {
  const std::string_view last = callee.substr(callee.rfind('.') + 1);
  if (last == "remote" || last == "init" || last == "options" || last == "dict") return true;
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
}

void judgeKeyword(const RuleInput& input, NodeId keyword, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const std::string_view name = input.module.slice(tree.child(keyword, python::Field::Name));
  const NodeId value = tree.child(keyword, python::Field::Value), call = tree[tree[keyword].parent].parent;
  if (value == kNoNode || !tree.is(call, Kind::Call)) return;
  for (const Option& option : kOptions) {
    if (option.name != name) continue;
    const std::string literal = python::literalText(input.module, value).value_or(textOf(input, value));
    // What is passed on is judged where it is chosen.
    const bool chosen = tree.is(value, Kind::Integer) || tree.is(value, Kind::String) || tree.is(value, Kind::True) ||
                        tree.is(value, Kind::List) || tree.is(value, Kind::Dictionary) || tree.is(value, Kind::Other);
    const bool any = option.value == "*" && chosen && literal != "0";
    if (!any && literal != option.value) continue;
    if (option.value == "*" && option.callee.empty() && option.name == "resources_per_trial" &&
        literal.find("gpu") == std::string::npos)
      continue;
    const std::string callee = textOf(input, tree.child(call, python::Field::Function));
    if (!option.callee.empty() && callee != option.callee && !callee.ends_with("." + std::string(option.callee)))
      continue;
    if (option.callee.empty() && isCommonName(option.name) && !takesOptions(callee)) continue;
    out.claim(value);
    out.add("NPT3020", keyword, textOf(input, keyword), std::string(option.advice));
    return;
  }
}

}  // namespace

void libraryOption(const RuleInput& input, FileFindings& out) {
  if (!importsLibrary(input)) return;
  for (NodeId keyword : input.keywords) {
    if (out.full()) return;
    judgeKeyword(input, keyword, out);
  }
  for (NodeId id : input.strings) {
    const std::optional<std::string> text = python::literalText(input.module, id);
    if (text == "CUDAExecutionProvider" || text == "TensorrtExecutionProvider")
      out.add("NPT3020", id, *text,
              "ONNX Runtime has no provider for neuron; run the PyTorch model, or use the CPU provider");
  }
}

}  // namespace np::analyzer

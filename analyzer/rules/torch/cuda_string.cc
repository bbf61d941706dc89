// NPT3010 cuda-string
//
// Every other "cuda" in a string: a key of a table, an argument of somebody's function, a value with a name that is
// never used as a device. Listed so that nothing is passed over in silence; what it means only a person can say.

#include <algorithm>
#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 6> kErrorWords = {"CUDA", "cuda", "cuDNN", "CUDNN", "CUBLAS", "NCCL"};

bool isDeviceWord(std::string_view word) {
  word = word.substr(0, word.find(':'));
  return isOneOf(word, {"cpu",  "CPU",    "cuda", "mps",    "xpu",    "xla",   "hpu",    "npu",    "mlu",
                        "musa", "ipu",    "tpu",  "gpu",    "GPU",    "hip",   "rocm",   "meta",   "auto",
                        "none", "mkldnn", "mtia", "vulkan", "opencl", "metal", "triton", "neuron", "privateuseone"});
}

// A piece of a path, of a message or of a package's description says nothing of a device.
bool isOtherText(const RuleInput& input, NodeId text) {
  const python::SyntaxTree& tree = input.module.tree();
  NodeId at = tree.withParentheses(text);
  if (tree.is(tree[at].parent, Kind::BinaryOperator)) {
    const NodeId op = tree.child(tree[at].parent, Field::Operator);
    if (op != kNoNode && input.module.slice(op) == "/") return true;
  }
  // `["pkg", "cuda", "kernels"]` lists parts of a name; a list of devices holds other devices.
  const NodeId list = tree[at].parent;
  if (tree.is(list, Kind::List) || tree.is(list, Kind::Tuple)) {
    bool only_words = true, device = false;
    std::size_t others = 0;
    for (NodeId item : tree.children(list)) {
      if (item == at) continue;
      ++others;
      const std::optional<std::string> word =
          tree.is(item, Kind::String) ? python::literalText(input.module, item) : std::nullopt;
      only_words = only_words && word;
      device = device || (word && isDeviceWord(*word));
    }
    if (others > 0 && only_words && !device) return true;
  }
  // Through the lists, dictionaries and keywords of the call that takes it.
  for (int depth = 0; depth < 6; ++depth) {
    const NodeId parent = tree[at].parent;
    if (tree.is(parent, Kind::KeywordArgument)) {
      const std::string name = textOf(input, tree.child(parent, Field::Name));
      if (isOneOf(name, {"help", "metavar", "description", "keywords", "classifiers", "extras_require", "reason",
                         "title", "label", "package_data", "packages", "py_modules", "msg", "message"}))
        return true;
    } else if (tree.is(parent, Kind::ArgumentList)) {
      const std::string callee = textOf(input, tree.child(tree[parent].parent, Field::Function));
      const std::size_t dot = callee.rfind('.');
      const std::string_view last = std::string_view(callee).substr(dot == std::string::npos ? 0 : dot + 1);
      const std::string_view object = std::string_view(callee).substr(0, dot == std::string::npos ? 0 : dot);
      if (last == "join" && object.find("path") == std::string_view::npos && !isOneOf(object, {"osp", "op"}))
        return false;
      return isOneOf(last, {"join", "joinpath", "Path", "PurePath", "PosixPath", "open", "exists", "isdir", "isfile",
                            "glob", "rglob", "print", "listdir", "makedirs", "mkdir", "warn"});
    } else if (!tree.is(parent, Kind::List) && !tree.is(parent, Kind::Tuple) && !tree.is(parent, Kind::Dictionary) &&
               !tree.is(parent, Kind::Pair)) {
      return false;
    }
    at = parent;
  }
  return false;
}

// `"CUDA out of memory" in str(error)`: errors of neuron say something else.
bool testsErrorText(const RuleInput& input, NodeId literal) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId comparison = tree[literal].parent;
  if (!tree.is(comparison, Kind::ComparisonOperator) || tree.firstChild(comparison) != literal) return false;
  const std::string op = textOf(input, tree.child(comparison, Field::Operators));
  const std::string text = python::literalText(input.module, literal).value_or("");
  if ((op != "in" && op != "not in") || text.find(' ') == std::string::npos) return false;
  return std::any_of(kErrorWords.begin(), kErrorWords.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

}  // namespace

void cudaString(const RuleInput& input, FileFindings& out) {
  for (const python::DeviceString& device : input.device_strings) {
    const bool handled_elsewhere =
        device.use == python::DeviceUse::Fallback || device.use == python::DeviceUse::Comparison;
    if (handled_elsewhere || out.isClaimed(device.node)) continue;
    out.claim(device.node);
    if ((device.use == python::DeviceUse::OtherArgument || device.use == python::DeviceUse::Data) &&
        isOtherText(input, device.whole))
      continue;
    const bool is_argument = device.use == python::DeviceUse::OtherArgument;
    out.add("NPT3010", device.node, textOf(input, device.node),
            is_argument ? "passed on as a string; see what the callee does on neuron"
                        : "names CUDA in data; see who reads it");
  }
  if (!input.imports_torch) return;
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id : input.strings) {
    if (testsErrorText(input, id)) {
      out.add("NPT3010", id, textOf(input, id), "the text of a CUDA error; errors of neuron say something else");
      continue;
    }
    const std::optional<std::string> text = python::literalText(input.module, id);
    if ((text != "gpu" && text != "GPU") || out.isClaimed(id)) continue;
    const bool chosen = tree.is(tree[id].parent, python::Kind::ComparisonOperator) ||
                        tree.is(tree[id].parent, python::Kind::DefaultParameter) ||
                        tree.is(tree[id].parent, python::Kind::TypedDefaultParameter) ||
                        tree.is(tree[id].parent, python::Kind::KeywordArgument) ||
                        tree.is(tree[id].parent, python::Kind::Assignment);
    if (!chosen) continue;
    out.claim(id);
    out.add("NPT3010", id, textOf(input, id), "means CUDA in most programs; see who reads it");
  }
}

}  // namespace np::analyzer

// The dispatcher carries tensors, lists of them, int64, double, bool and text. Narrower numbers are widened for the
// call, references are passed as handles; anything else (a struct of pointers, a stream) has no bridge.

#include "analyzer/rules/host/bridge.h"

#include <array>
#include <optional>
#include <vector>

namespace np::analyzer::host {
namespace {

struct TypeRow {
  std::string_view written;   // without const, & and namespaces
  std::string_view argument;  // in the op's signature; empty: not as an argument
  std::string_view result;
};

constexpr std::array<TypeRow, 27> kTypes = {{
    {"Tensor", "const at::Tensor &", "at::Tensor"},
    {"Variable", "const at::Tensor &", "at::Tensor"},
    {"optional<Tensor>", "const std::optional<at::Tensor> &", "std::optional<at::Tensor>"},
    {"optional<Variable>", "const std::optional<at::Tensor> &", "std::optional<at::Tensor>"},
    {"optional<int64_t>", "std::optional<int64_t>", ""},
    {"optional<double>", "std::optional<double>", ""},
    {"optional<bool>", "std::optional<bool>", ""},
    {"vector<Tensor>", "at::TensorList", "std::vector<at::Tensor>"},
    {"variable_list", "at::TensorList", "std::vector<at::Tensor>"},
    {"TensorList", "at::TensorList", ""},
    {"ArrayRef<Tensor>", "at::TensorList", ""},
    {"vector<int64_t>", "at::IntArrayRef", "std::vector<int64_t>"},
    {"IntArrayRef", "at::IntArrayRef", ""},
    {"string", "std::string_view", ""},
    {"bool", "bool", "bool"},
    {"int64_t", "int64_t", "int64_t"},
    {"int", "int64_t", "int64_t"},
    {"int32_t", "int64_t", "int64_t"},
    {"uint32_t", "int64_t", "int64_t"},
    {"unsigned", "int64_t", "int64_t"},
    {"unsigned int", "int64_t", "int64_t"},
    {"long", "int64_t", "int64_t"},
    {"size_t", "int64_t", "int64_t"},
    {"double", "double", "double"},
    {"float", "double", "double"},
    {"ScalarType", "at::ScalarType", ""},
    {"void", "", "void"},
}};

void erase(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) text.erase(at, what.size());
}

std::string plain(std::string type) {
  for (std::string_view noise : {"torch::autograd::", "torch::", "at::", "c10::", "std::", "const ", "__restrict__"})
    erase(type, noise);
  while (!type.empty() && (type.back() == '&' || type.back() == ' ')) type.pop_back();
  if (type.ends_with(" const")) type.resize(type.size() - 6);
  // SCATTER_API and the like.
  for (std::size_t space = type.find(' '); space != std::string::npos; space = type.find(' ')) {
    const std::string_view word = std::string_view(type).substr(0, space);
    if (word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string_view::npos) break;
    type.erase(0, space + 1);
  }
  return type;
}

const TypeRow* rowOf(const std::string& type) {
  const std::string wanted = plain(type);
  for (const TypeRow& row : kTypes)
    if (row.written == wanted) return &row;
  return nullptr;
}

std::optional<std::string> resultType(const std::string& type) {
  if (const TypeRow* row = rowOf(type))
    return row->result.empty() ? std::nullopt : std::optional(std::string(row->result));
  const std::string text = plain(type);
  if (!text.starts_with("tuple<") || !text.ends_with(">")) return std::nullopt;
  std::string out = "std::tuple<";
  int depth = 0;
  std::size_t first = 6;
  for (std::size_t i = first; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if ((text[i] != ',' || depth != 0) && depth >= 0) continue;
    std::string part = text.substr(first, i - first);
    part.erase(0, part.find_first_not_of(' '));
    const TypeRow* row = rowOf(part);
    if (!row || row->result.empty() || row->result == "void") return std::nullopt;
    out += (first == 6 ? "" : ", ") + std::string(row->result);
    first = i + 1;
  }
  return out + ">";
}

// `head`, the items and `tail`, broken before the column that C++ projects keep to.
std::string wrapped(const std::string& head, const std::vector<std::string>& items, const std::string& tail) {
  constexpr std::size_t kColumns = 80;
  std::string out = head;
  std::size_t column = head.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string text = items[i] + (i + 1 < items.size() ? "," : tail);
    const bool breaks = column + 1 + text.size() > kColumns;
    if (breaks) out += "\n      ";
    if (!breaks && i > 0) out += " ";
    column = breaks ? 6 + text.size() : column + (i > 0) + text.size();
    out += text;
  }
  return out + (items.empty() ? tail : "") + "\n";
}

}  // namespace

Result<std::string> bridgeBody(const Item& function, const std::string& op) {
  const std::optional<std::string> result = resultType(function.result);
  if (!result) return makeError("bridge", "returns \"" + function.result + "\", which an op cannot return");
  std::vector<std::string> signature, arguments;
  for (const Param& param : function.params) {
    const TypeRow* row = rowOf(param.type);
    if (!row || row->argument.empty() || param.name.empty())
      return makeError("bridge", "takes \"" + param.type + (param.name.empty() ? "" : " " + param.name) +
                                     "\", which an op cannot take");
    const bool widened = (row->argument == "int64_t" || row->argument == "double") && row->argument != row->written;
    signature.emplace_back(row->argument);
    arguments.push_back(widened ? "static_cast<" + std::string(row->argument) + ">(" + param.name + ")" : param.name);
  }
  std::string body =
      "  const auto neuron_op = c10::Dispatcher::singleton().findSchema(\n      {\"" + op + "\", \"\"});\n";
  body += "  TORCH_CHECK(neuron_op.has_value(), \"no op \\\"" + op +
          "\\\": \"\n              \"import the ported kernels before calling \\\"" + function.name + "\\\"\");\n";
  body += wrapped("  using NeuronOp = " + *result + "(", signature, ");");
  body += wrapped("  " + std::string(*result == "void" ? "" : "return ") + "neuron_op->typed<NeuronOp>().call(",
                  arguments, ");");
  return body;
}

}  // namespace np::analyzer::host

// Ops that were not translated are still there and say so when called: a missing attribute would tell the user nothing.

#include "cli/port/extension_module.h"

namespace np::cli {
namespace {

namespace host = kernel_port::host;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string functionName(const std::string& op) {
  return op.substr(op.rfind(':') == std::string::npos ? 0 : op.rfind(':') + 1);
}

// "(Tensor x) -> Tensor" of "f(Tensor x) -> Tensor".
std::string signatureOf(const std::string& schema) {
  const std::size_t open = schema.find('(');
  return open == std::string::npos ? "" : schema.substr(open);
}

std::string refused(const ModuleOp& op) {
  const std::string body =
      "raise NotImplementedError(" + quoted(op.op + " was not translated for Neuron: " + op.reason) + ")";
  const std::string signature = signatureOf(op.schema);
  if (signature.empty()) return "def " + functionName(op.op) + "(*args, **kwargs):\n    " + body + "\n";
  return "@torch.library.custom_op(\"" + op.op + "\", mutates_args=(), schema=" + quoted(signature) + ")\ndef " +
         functionName(op.op) + "(*args):\n    " + body + "\n";
}

}  // namespace

std::string extensionModuleText(const std::string& extension, const std::string& kernel_package,
                                const std::vector<ModuleOp>& ops, const std::string& tool_version) {
  const bool in_package = extension.find('.') != std::string::npos;
  bool any = false;
  for (const ModuleOp& op : ops) any |= op.plan != nullptr;
  std::string out = "\"\"\"" + extension +
                    " on Neuron: the extension's ops over translated kernels.\n\nUsed where the compiled extension is "
                    "not built; made by neuron-port " +
                    tool_version + ".\nThe kernels and what was proved of them are in " + kernel_package +
                    ".\n\"\"\"\n\nimport torch\n";
  if (any) {
    out += "import torch_neuronx\n\n";
    for (const ModuleOp& op : ops)
      if (op.plan)
        out += std::string("from ") + (in_package ? "." : "") + kernel_package + " import " + op.kernel_module + "\n";
    out += "\n\ndef _require(condition, message):\n    if not condition:\n        raise RuntimeError(message)\n";
  }
  for (const ModuleOp& op : ops) {
    out += "\n\n";
    out += op.plan ? host::pythonOp(*op.plan, op.op, op.kernel_module, op.entry, op.finite) : refused(op);
    if (!op.python.empty() && op.python != functionName(op.op))
      out += "\n\n" + op.python + " = " + functionName(op.op) + "\n";
  }
  return out;
}

}  // namespace np::cli

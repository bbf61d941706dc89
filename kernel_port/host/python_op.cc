// Prints ops. The text is meant to be read and kept by whoever owns the ported project: plain statements, checks first.

#include <algorithm>
#include <functional>

#include "kernel_port/host/host_plan.h"

namespace np::kernel_port::host {
namespace {

std::string annotation(const analyzer::HostParam& param) {
  if (param.is_tensor) return "torch.Tensor";
  if (param.type == "double" || param.type == "float") return "float";
  if (param.type == "bool") return "bool";
  return "int";
}

std::string signature(const std::vector<analyzer::HostParam>& params) {
  std::string out;
  for (const analyzer::HostParam& p : params) out += (out.empty() ? "" : ", ") + p.name + ": " + annotation(p);
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string functionName(const std::string& op) {
  const std::size_t colon = op.rfind(':');
  return colon == std::string::npos ? op : op.substr(colon + 1);
}

std::string returnAnnotation(std::size_t count) {
  if (count == 1) return "torch.Tensor";
  std::string out = "tuple[";
  for (std::size_t i = 0; i < count; ++i) out += i ? ", torch.Tensor" : "torch.Tensor";
  return out + "]";
}

std::string torchDtype(const std::string& type) {
  if (type == "f32") return "torch.float32";
  if (type == "f16") return "torch.float16";
  if (type == "bf16") return "torch.bfloat16";
  if (type == "f64") return "torch.float64";
  if (type == "i64") return "torch.int64";
  if (type == "u8") return "torch.uint8";
  if (type == "bool") return "torch.bool";
  return "torch.int32";
}

const analyzer::HostParam* firstTensor(const HostPlan& plan) {
  for (const analyzer::HostParam& p : plan.params)
    if (p.is_tensor) return &p;
  return nullptr;
}

const PlannedBuffer* bufferNamed(const HostPlan& plan, const std::string& name) {
  for (const PlannedBuffer& b : plan.buffers)
    if (b.name == name) return &b;
  return nullptr;
}

// "dx, db = " over the buffers the kernel hands back (out and inout, in the launch file's order).
std::vector<const PlannedBuffer*> handedBack(const HostPlan& plan) {
  std::vector<const PlannedBuffer*> out;
  for (const PlannedBuffer& b : plan.buffers)
    if (b.role == "out" || b.role == "inout") out.push_back(&b);
  return out;
}

std::string returnText(const HostPlan& plan, const std::function<std::string(const PlannedBuffer&)>& value) {
  std::string out;
  for (const std::string& name : plan.returns) out += (out.empty() ? "" : ", ") + value(*bufferNamed(plan, name));
  return out;
}

}  // namespace

std::string pythonOp(const HostPlan& plan, const std::string& op, const std::string& module, const std::string& entry,
                     bool finite) {
  const std::string name = functionName(op);
  const std::string device = firstTensor(plan) ? firstTensor(plan)->name + ".device" : "torch.device(\"neuron\")";
  std::string out = "@torch_neuronx.nki_op(\"" + op + "\", mutates_args=())\n";
  out += "def " + name + "(" + signature(plan.params) + ") -> " + returnAnnotation(plan.returns.size()) + ":\n";
  for (const PlannedCheck& check : plan.checks)
    out += "    _require(" + check.python + ", " + quoted(check.message) + ")\n";
  if (finite)
    for (const PlannedBuffer& b : plan.buffers)
      if (b.role == "in" && (b.type == "f32" || b.type == "f16" || b.type == "bf16"))
        out += "    _require(bool(torch.isfinite(" + b.tensor + ").all()), \"" + b.name + " must be finite\")\n";
  for (const SizeSymbol& size : plan.sizes)
    if (size.python != size.name) out += "    " + size.name + " = " + size.python + "\n";
  std::string args;
  const auto add = [&args](const std::string& keyword, const std::string& value) {
    args += "        " + keyword + "=" + value + ",\n";
  };
  for (const PlannedBuffer& b : plan.buffers) {
    if (b.role == "in") add(b.name, b.flattened ? b.tensor + ".reshape(-1)" : b.tensor);
    if (b.role == "inout") {
      const std::string zeros =
          "torch.zeros(" + b.shape_python + ", dtype=" + torchDtype(b.type) + ", device=" + device + ")";
      add(b.name, b.flattened ? zeros + ".reshape(-1)" : zeros);
    }
  }
  for (const SizeSymbol& size : plan.sizes) add(size.name, size.name);
  for (const PlannedScalar& s : plan.scalars)
    add(s.name, "torch.full((1, 1), " + s.python + ", dtype=torch.float32, device=" + device + ")");
  std::string targets;
  for (const PlannedBuffer* b : handedBack(plan))
    targets += (targets.empty() ? "" : ", ") + std::string("out_") + b->name;
  out += "    " + targets + " = " + module + "." + entry + "(\n" + args + "    )\n";
  out += "    return " +
         returnText(plan,
                    [](const PlannedBuffer& b) {
                      return "out_" + b.name + (b.flattened ? ".reshape(" + b.shape_python + ")" : "");
                    }) +
         "\n";
  out += "\n\n@" + name + ".register_fake\ndef _(" + signature(plan.params) + "):\n";
  for (const SizeSymbol& size : plan.sizes)
    if (size.python != size.name) out += "    " + size.name + " = " + size.python + "\n";
  out += "    return " +
         returnText(plan,
                    [&](const PlannedBuffer& b) {
                      return "torch.empty(" + b.shape_python + ", dtype=" + torchDtype(b.type) + ", device=" + device +
                             ")";
                    }) +
         "\n";
  return out;
}

}  // namespace np::kernel_port::host

// Expressions are rewritten bottom-up into text; what is not understood gives nothing and the caller decides whether
// that matters. C++ division truncates, launch files and Python round down: equal for the non-negative values sizes
// have.

#include "kernel_port/host/host_values.h"

#include <cstdio>

namespace np::kernel_port::host {

using analyzer::HostExpr;
using Kind = HostExpr::Kind;

std::string elementType(const std::string& cpp) {
  static const std::map<std::string, std::string> kTypes = {
      {"float", "f32"},         {"double", "f64"},       {"int", "i32"},     {"int32_t", "i32"},
      {"unsigned int", "u32"},  {"long", "i64"},         {"int64_t", "i64"}, {"long long", "i64"},
      {"c10::Half", "f16"},     {"at::Half", "f16"},     {"__half", "f16"},  {"c10::BFloat16", "bf16"},
      {"at::BFloat16", "bf16"}, {"unsigned char", "u8"}, {"uint8_t", "u8"},  {"bool", "bool"},
      {"scalar_t", "f32"}};
  std::string bare = cpp;
  if (bare.starts_with("const ")) bare = bare.substr(6);
  while (!bare.empty() && (bare.back() == '*' || bare.back() == ' ' || bare.back() == '&')) bare.pop_back();
  if (bare.ends_with(" const")) bare.resize(bare.size() - 6);
  const auto it = kTypes.find(bare);
  return it == kTypes.end() ? "" : it->second;
}

static const std::map<std::string, std::string>& scalarTypeNames() {
  static const std::map<std::string, std::string> kNames = {
      {"kFloat", "f32"},     {"kFloat32", "f32"}, {"Float", "f32"},  {"kHalf", "f16"},
      {"kBFloat16", "bf16"}, {"kInt", "i32"},     {"kInt32", "i32"}, {"kLong", "i64"},
      {"kInt64", "i64"},     {"kDouble", "f64"},  {"kByte", "u8"},   {"kBool", "bool"}};
  return kNames;
}

// "torch::kFloat", "at::ScalarType::Float" → "f32".
std::string scalarTypeConstant(const HostExpr& e) {
  const std::string& name = e.name.empty() ? e.text : e.name;
  const std::size_t colon = name.rfind(':');
  const auto it = scalarTypeNames().find(colon == std::string::npos ? name : name.substr(colon + 1));
  return it == scalarTypeNames().end() ? "" : it->second;
}

std::string torchDtype(const std::string& type) {
  static const std::map<std::string, std::string> kNames = {
      {"f32", "torch.float32"}, {"f16", "torch.float16"}, {"bf16", "torch.bfloat16"}, {"f64", "torch.float64"},
      {"i32", "torch.int32"},   {"i64", "torch.int64"},   {"u8", "torch.uint8"},      {"bool", "torch.bool"}};
  const auto it = kNames.find(type);
  return it == kNames.end() ? "" : it->second;
}

const HostExpr& stripped(const HostExpr& e) {
  const HostExpr* out = &e;
  while (out->kind == Kind::Cast && out->args.size() == 1) out = &out->args[0];
  return *out;
}

std::string bracketed(const std::string& text) {
  return text.find_first_of("+-*/% ") == std::string::npos ? text : "(" + text + ")";
}

namespace {

IntValue product(const std::vector<std::string>& text, const std::vector<std::string>& python) {
  IntValue out{"1", "1", -1};
  for (std::size_t i = 0; i < text.size(); ++i) {
    out.text = i ? out.text + "*" + bracketed(text[i]) : bracketed(text[i]);
    out.python = i ? out.python + "*" + bracketed(python[i]) : bracketed(python[i]);
  }
  return out;
}

std::string pythonFloat(const HostExpr& e) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.17g", e.float_value);
  return buffer;
}

}  // namespace

Tensor* Values::tensorOf(const HostExpr& raw) {
  const HostExpr& e = stripped(raw);
  if (e.kind == Kind::Name) {
    const auto alias = aliases.find(e.name);
    return shapes.find(alias == aliases.end() ? e.name : alias->second);
  }
  if (e.kind == Kind::Method && e.name == "contiguous" && !e.args.empty()) {
    Tensor* t = tensorOf(e.args[0]);
    if (t && t->is_param) made_contiguous.insert(t->name), t->contiguous = true;
    return t;
  }
  return nullptr;
}

std::optional<IntValue> Values::integer(const HostExpr& raw) {
  const HostExpr& e = stripped(raw);
  switch (e.kind) {
    case Kind::Integer:
      return IntValue{std::to_string(e.integer_value), std::to_string(e.integer_value), -1};
    case Kind::Name: {
      const auto it = integers.find(e.name);
      return it == integers.end() ? std::nullopt : std::optional(it->second);
    }
    case Kind::Method:
      return sizeQuery(e);
    case Kind::Unary:
      if (e.name == "-" && e.args.size() == 1)
        if (const auto a = integer(e.args[0])) return IntValue{"-(" + a->text + ")", "-(" + a->python + ")", -1};
      return std::nullopt;
    case Kind::Binary:
      return binary(e);
    case Kind::Call:
      return call(e);
    default:
      return std::nullopt;
  }
}

std::optional<IntValue> Values::sizeQuery(const HostExpr& e) {
  if (e.args.empty()) return std::nullopt;
  Tensor* t = tensorOf(e.args[0]);
  if (!t) return std::nullopt;
  if (e.name == "numel") return countOf(*t);
  if (e.name != "size" || e.args.size() != 2) return std::nullopt;
  const HostExpr& index = stripped(e.args[1]);
  std::int64_t dim = 0;
  if (index.kind == Kind::Integer)
    dim = index.integer_value;
  else if (index.kind == Kind::Unary && index.name == "-" && stripped(index.args[0]).kind == Kind::Integer)
    dim = -stripped(index.args[0]).integer_value;
  else
    return std::nullopt;
  if (dim < 0) {
    if (!t->rank) return std::nullopt;
    dim += *t->rank;
  }
  if (dim < 0 || dim > 7 || (t->rank && dim >= *t->rank)) return std::nullopt;
  if (!t->dim_text.empty()) return IntValue{bracketed(t->dim_text[dim]), bracketed(t->dim_python[dim]), -1};
  const int symbol = shapes.dimension(*t, static_cast<int>(dim));
  return symbolValue(symbol);
}

IntValue Values::symbolValue(int symbol) const {
  return {"\x01" + std::to_string(symbol) + "\x02", "\x01" + std::to_string(symbol) + "\x02", symbol};
}

IntValue Values::countOf(Tensor& t) {
  if (!t.dim_text.empty()) return product(t.dim_text, t.dim_python);
  if (!t.rank) return symbolValue(shapes.elementCount(t));
  std::vector<std::string> text;
  for (int d = 0; d < *t.rank; ++d) text.push_back(symbolValue(shapes.dimension(t, d)).text);
  return product(text, text);
}

std::optional<IntValue> Values::binary(const HostExpr& e) {
  static const std::set<std::string> kOperators = {"+", "-", "*", "/", "%"};
  if (e.args.size() != 2 || !kOperators.contains(e.name)) return std::nullopt;
  const auto a = integer(e.args[0]), b = integer(e.args[1]);
  if (!a || !b) return std::nullopt;
  const std::string python_op = e.name == "/" ? "//" : e.name;
  return IntValue{bracketed(a->text) + " " + e.name + " " + bracketed(b->text),
                  bracketed(a->python) + " " + python_op + " " + bracketed(b->python), -1};
}

std::optional<IntValue> Values::call(const HostExpr& e) {
  const std::string name = e.name.substr(e.name.rfind(':') == std::string::npos ? 0 : e.name.rfind(':') + 1);
  if (e.args.size() != 2) return std::nullopt;
  const auto a = integer(e.args[0]), b = integer(e.args[1]);
  if (!a || !b) return std::nullopt;
  if (name == "min" || name == "max")
    return IntValue{name + "(" + a->text + ", " + b->text + ")", name + "(" + a->python + ", " + b->python + ")", -1};
  if (name == "ceil_div" || name == "ATenCeilDiv")
    return IntValue{"ceildiv(" + a->text + ", " + b->text + ")", "-(-(" + a->python + ") // (" + b->python + "))", -1};
  return std::nullopt;
}

std::optional<FloatValue> Values::floating(const HostExpr& raw) const {
  if (raw.kind == Kind::Cast && raw.args.size() == 1) {
    auto inner = floating(raw.args[0]);
    if (inner && !elementType(raw.name).empty()) inner->type = elementType(raw.name);
    return inner;
  }
  if (raw.kind == Kind::Float)
    return FloatValue{raw.text.empty() ? std::to_string(raw.float_value) : pythonFloat(raw), "f64"};
  if (raw.kind == Kind::Name) {
    const auto it = floats.find(raw.name);
    return it == floats.end() ? std::nullopt : std::optional(it->second);
  }
  return std::nullopt;
}

void Values::addParameter(const analyzer::HostParam& param) {
  if (param.is_tensor) {
    Tensor tensor;
    tensor.name = param.name;
    tensor.is_param = true;
    shapes.add(tensor);
  } else if (param.type == "double" || param.type == "float") {
    floats[param.name] = {param.name, "f64"};
  } else if (param.type.find("int") != std::string::npos || param.type == "long" || param.type == "size_t") {
    const int symbol = shapes.integerParameter(param.name);
    integers[param.name] = {param.name, param.name, symbol};
  }
}

void Values::resolve(std::string& text) {
  for (std::size_t at; (at = text.find('\x01')) != std::string::npos;) {
    const std::size_t end = text.find('\x02', at);
    text.replace(at, end - at + 1, shapes.symbolName(std::stoi(text.substr(at + 1))));
  }
}

bool Values::mentions(const std::string& text, int symbol) const {
  for (std::size_t at = 0; (at = text.find('\x01', at)) != std::string::npos; ++at)
    if (shapes.root(std::stoi(text.substr(at + 1))) == symbol) return true;
  return false;
}

}  // namespace np::kernel_port::host

// What the names and expressions of a host function stand for: tensors, integers over size symbols, floating-point
// values.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/index/host_function.h"
#include "kernel_port/host/shapes.h"

namespace np::kernel_port::host {

// An integer over size symbols, in launch-file and Python spelling, with the symbols it needs.
struct IntValue {
  std::string text;  // launch-file expression; operands bracketed where needed
  std::string python;
  int symbol = -1;  // when it is exactly one symbol
};

struct FloatValue {
  std::string python;
  std::string type;  // "f32" or "f64"
};

// Launch-file element type of a C++ type ("const float *" → "f32"); empty when it has none.
std::string elementType(const std::string& cpp);
// Launch-file element type of "torch::kFloat", "at::ScalarType::Float"; empty for anything else.
std::string scalarTypeConstant(const analyzer::HostExpr& e);
// "torch.float32" for "f32"; empty when torch has none.
std::string torchDtype(const std::string& type);
// The expression without casts around it.
const analyzer::HostExpr& stripped(const analyzer::HostExpr& e);
// In brackets when it is more than one word.
std::string bracketed(const std::string& text);

// Evaluates expressions; nothing means "not understood". Symbols stand in texts as \x01id\x02 until resolve().
class Values {
 public:
  void addParameter(const analyzer::HostParam& param);

  Tensor* tensorOf(const analyzer::HostExpr& raw);
  std::optional<IntValue> integer(const analyzer::HostExpr& raw);
  std::optional<FloatValue> floating(const analyzer::HostExpr& raw) const;
  IntValue symbolValue(int symbol) const;

  // Replaces the symbols in a text by their names, once all equalities are known.
  void resolve(std::string& text);
  bool mentions(const std::string& text, int symbol) const;

  Shapes shapes;
  std::map<std::string, IntValue> integers;
  std::map<std::string, FloatValue> floats;
  std::map<std::string, std::string> aliases;  // local → tensor it names
  std::set<std::string> made_contiguous;

 private:
  std::optional<IntValue> sizeQuery(const analyzer::HostExpr& e);
  std::optional<IntValue> binary(const analyzer::HostExpr& e);
  std::optional<IntValue> call(const analyzer::HostExpr& e);
  IntValue countOf(Tensor& tensor);
};

}  // namespace np::kernel_port::host

// HostFunction: the body of a C++ function that launches kernels, as a small expression language. It is what a launch
// file and a Python wrapper are derived from (kernel_port/launch/host_launch.h, kernel_port/emit). What the language
// cannot say is an Unknown node holding the source text: whoever needs that part refuses and quotes it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/report/report.h"

namespace np::analyzer {

struct HostExpr {
  enum class Kind {
    Integer,  // integer_value; `true`/`false` are 1/0 with type "bool"
    Float,    // float_value
    String,   // name holds the text
    Name,     // a parameter, local or constant: name. Integer constants and macros arrive folded, as Integer
    Call,     // free function: name is fully qualified as written ("torch::empty_like", "at::zeros", "std::min"), args
    Method,  // args[0] is the object; name "size", "numel", "data_ptr", "sizes", "dim", "options", "is_contiguous", ...
    Binary,  // name is the operator ("+", "/", "==", "&&", ...), args[0], args[1]
    Unary,   // name "-", "!", args[0]
    Conditional,  // args: condition, then, else
    List,         // {a, b, c} or an initializer list
    Cast,         // static_cast / C cast / functional cast: name is the type, args[0]
    Unknown       // text only
  };
  Kind kind = Kind::Unknown;
  std::string text;  // as written in the source
  std::string name;
  std::string type;  // C++ type of the expression as Clang prints it, empty when unknown
  std::int64_t integer_value = 0;
  double float_value = 0;
  std::vector<HostExpr> args;
};

struct HostStatement {
  enum class Kind {
    Let,       // declaration with initialiser: name, type, value
    Assign,    // name = value
    Check,     // TORCH_CHECK / AT_ASSERT*: value is the condition, message the text
    Launch,    // a kernel launch
    Return,    // value (Unknown with empty text for `return;`)
    Ignored,   // guards, stream getters, launch-error checks: nothing to translate; text says which
    If,        // value is the condition; body, otherwise
    Dispatch,  // AT_DISPATCH_*: value is the scalar-type expression, names the types, body the lambda's statements
    Unknown
  };
  Kind kind = Kind::Unknown;
  SourceRange where;
  std::string text;
  std::string name;
  std::string type;
  std::string message;
  HostExpr value;
  std::vector<std::string> names;
  std::vector<HostStatement> body, otherwise;

  // Launch only. kernel as written ("gelu_kernel<scalar_t, 4>"); grid and block have 1 to 3 entries (dim3 spelled out).
  std::string kernel;
  std::vector<HostExpr> grid, block;
  HostExpr shared;  // bytes; Integer 0 when not given
  std::vector<HostExpr> args;
};

struct HostParam {
  std::string name;
  std::string
      type;  // "torch::Tensor", "double", "int64_t", "bool", "std::optional<torch::Tensor>", ... without const and &
  bool is_tensor = false;
};

struct HostFunction {
  std::string name;  // as bindings name it, namespaces included when there are any
  SourceRange where;
  std::vector<HostParam> params;
  std::string return_type;
  std::vector<HostStatement> body;
};

}  // namespace np::analyzer

// What `neuron-port-clang ir` is asked and answers: device bitcode of named kernels plus what their C++ types say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

// A message of the compiler. `line` and `column` are 1-based; 0 when there is no place.
struct SourceDiagnostic {
  std::string severity;  // "error", "warning", "note"
  std::string message;
  std::string path;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t offset = 0;  // bytes
};

enum class ParamKind { Pointer, Integer, Float, Struct };
const char* toString(ParamKind kind);

// One member of a struct passed by value, flattened; `type` as in ParamFact::scalar, or the C++ name when it is no
// scalar.
struct FieldFact {
  std::string name;
  std::string type;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// One kernel parameter. Scalar types are named as in launch files: f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool.
struct ParamFact {
  std::string name;
  std::string type;  // C++ type, desugared
  ParamKind kind = ParamKind::Integer;
  std::uint64_t size = 0;
  std::uint64_t align = 0;
  std::string scalar;   // Integer, Float: the launch-file type; Struct: the same when it is a half type, else empty
  std::string pointee;  // Pointer: launch-file type of the elements, or the C++ name ("float4", "void")
  std::uint64_t pointee_size = 0;  // Pointer: bytes of one element; 0 for void
  bool is_const = false;           // Pointer: to const
  bool is_restrict = false;        // Pointer: __restrict__
  std::vector<FieldFact> fields;   // Struct; Pointer: fields of the pointee struct
};

struct DeviceKernel {
  std::string name;            // as asked for, or "scale<float, 128>" when all kernels were asked for
  std::string qualified_name;  // with namespaces and template arguments
  std::string symbol;          // name in the module
  std::vector<ParamFact> params;
  std::uint32_t max_threads = 0;  // __launch_bounds__; 0 when not given
  std::uint32_t min_blocks = 0;
  std::string path;
  std::uint32_t line = 0;
};

struct DeviceIrRequest {
  std::string source;
  std::vector<std::string> kernels;  // as written, "scale<float, 128>"; empty: every kernel the file instantiates
  std::vector<std::string> includes;
  std::vector<std::string> defines;  // "NAME" or "NAME=VALUE"
  std::string std = "c++17";
  std::string output;  // bitcode file to write
};

struct DeviceIr {
  std::string bitcode;  // the file written
  std::vector<DeviceKernel> kernels;
  std::vector<SourceDiagnostic> diagnostics;
};

// The worker's answer: `ok` with an IR, or not with at least one error among the diagnostics.
struct DeviceIrReply {
  bool ok = false;
  DeviceIr ir;
};

}  // namespace np::analyzer

// What `neuron-port-clang facts` is asked and answers: what one translation unit says about kernels, launches, bindings
// and CUDA names, as plain data. Paths are relative to the root when the file lies under it; only such files are
// described.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/cuda/device_ir.h"
#include "analyzer/cuda/host_function.h"

namespace np::analyzer {

struct FactsRequest {
  std::string root;
  std::vector<std::string> files;  // relative to the root
  std::vector<std::string> includes;
  std::vector<std::string> late_includes;  // searched after ours and the system's
  std::vector<std::string> defines;
  std::string std = "c++17";
  std::map<std::string, std::string> texts;  // what files hold instead of what is on disk; relative to the root
  // The device pass instead: the reply has status, diagnostics and missing headers only. Host and device code see
  // different declarations, so one side can fail where the other does not.
  bool device_side = false;
};

struct KernelFacts {
  Kernel kernel;               // name, place of the name, parameters; launches and bindings are joined by the index
  SourceRange extent;          // the whole definition
  std::string qualified_name;  // "ns::scale", anonymous namespaces left out
  bool is_definition = false;
  bool is_static = false;                         // visible in its own file only
  std::uint32_t max_threads = 0, min_blocks = 0;  // __launch_bounds__
  std::vector<std::string> device_calls;          // qualified names of the functions that its body calls
};

struct LaunchFacts {
  Launch launch;
  std::string function;     // qualified name of the enclosing host function
  std::string kernel_name;  // qualified name without template arguments; as written where it could not be resolved
  bool resolved = false;    // Clang knew which kernel is meant
  std::string kernel_path;  // resolved: where that kernel is declared
  Offset kernel_offset = 0;
  bool in_device_code = false;
  bool in_macro = false;  // spelled in the body of a #define; `where` is the use
};

struct BindingFacts {
  Binding binding;                   // function: qualified host function
  std::vector<std::string> callees;  // for a lambda: what it calls
  std::string dispatch_key;          // TORCH_LIBRARY_IMPL: "CUDA", "CPU"
  std::string no_kernel;             // set by the index: why no kernel of the project is reached; empty when one is
};

// A use of a name that CUDA or torch's CUDA layer provides.
struct ApiUse {
  std::string name;   // qualified: "cudaMalloc", "at::cuda::getCurrentCUDAStream", "__shfl_down_sync"
  std::string kind;   // "function", "type", "constant", "variable", "macro"
  SourceRange where;  // the name
  SourceRange call;   // the whole call with its arguments; empty when it is no call
  std::vector<std::string> args;
  std::string function;  // enclosing function, empty at file scope
  bool in_device_code = false;
  bool in_macro = false;
};

// A property of device code that decides how it can be ported.
struct DeviceTrait {
  std::string kind;  // inline-ptx, shared-static, shared-dynamic, constant-memory, device-global, dynamic-parallelism,
                     // recursion, device-allocation, double
  std::string text;
  SourceRange where;
  std::string function;
};

struct FunctionFacts {
  std::string name;  // qualified
  SourceRange where;
  bool is_device = false;
  std::vector<std::string> calls;  // qualified names, in order of first call
};

struct IncludeFacts {
  std::string header;
  bool angled = false;
  bool found = false;
  SourceRange where;
};

enum class UnitStatus { Parsed, Partial, Failed };
const char* toString(UnitStatus status);

struct UnitFacts {
  std::string path;
  UnitStatus status = UnitStatus::Parsed;
  std::string reason;                         // why it is not Parsed
  std::vector<SourceDiagnostic> diagnostics;  // errors only
  std::vector<std::string> missing_headers;
  std::vector<std::string> files;  // files under the root that the unit includes, itself first
  std::vector<KernelFacts> kernels;
  std::vector<LaunchFacts> launches;
  std::vector<BindingFacts> bindings;
  std::vector<ApiUse> uses;
  std::vector<DeviceTrait> traits;
  std::vector<FunctionFacts> functions;
  std::vector<IncludeFacts> includes;
  std::vector<HostFunction> host_functions;
};

struct FactsReply {
  std::vector<UnitFacts> units;
};

}  // namespace np::analyzer

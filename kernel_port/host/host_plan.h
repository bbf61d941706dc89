// From a host function that launches kernels to (1) a launch file that says what the kernels are given and (2) a Python
// op that gives a translated kernel the same. Both come from one HostPlan, so they cannot disagree.
//
//   at::Tensor f(at::Tensor x) { int n = x.numel(); auto y = at::empty_like(x); k<<<(n + 255) / 256, 256>>>(n,
//   x.data_ptr<float>(), …); return y; }
//     sizes n = x.numel();  buffers x f32[n] in, y f32[n] out;  launch k grid (n + 255) / 256 block 256 args n, x, y
//
// Understood: size/numel/dim, integer arithmetic, empty/zeros allocations, contiguous(), TORCH_CHECK, AT_DISPATCH (as
// float), several launches in a row. Everything else is refused with the text it stumbled over: code NPT2920.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/index/host_function.h"

namespace np::kernel_port::host {

// A size symbol and how Python gets it: "x.shape[0]" or "x.numel()"; a parameter of integer type is its own symbol.
struct SizeSymbol {
  std::string name;
  std::string python;
};

struct PlannedBuffer {
  std::string name;                 // in launch file and kernel
  std::string type;                 // launch-file element type
  std::vector<std::string> extent;  // launch-file expressions
  std::string role;                 // in, out, inout, scratch
  std::string init;                 // inout and in: launch-file init kind
  std::string tensor;               // Python expression of the value to pass: parameter name; empty when allocated here
  bool flattened = false;           // passed as tensor.reshape(-1)
  std::string shape_python;  // out and zeroed inout: shape of the tensor handed back, "x.shape" or "(rows, cols)"
};

struct PlannedScalar {
  std::string name;
  std::string type;
  std::string python;  // value, over the op's parameters
};

// A condition the op checks before it calls the kernel.
struct PlannedCheck {
  std::string python;
  std::string message;
};

struct PlannedLaunch {
  std::string kernel;
  std::vector<std::string> grid, block;
  std::string shared;
  std::vector<std::string> args;
};

struct HostPlan {
  std::string function;
  std::vector<analyzer::HostParam> params;
  std::vector<SizeSymbol> sizes;
  std::vector<std::string> where;
  std::vector<PlannedBuffer> buffers;
  std::vector<PlannedScalar> scalars;
  std::vector<PlannedCheck> checks;
  std::vector<PlannedLaunch> launches;
  std::vector<std::string> returns;  // buffer names
};

Result<HostPlan> planHost(const analyzer::HostFunction& function);

// The launch file (JSON, version 1) with `source` as given and size cases in general position inside `where`.
// Error NPT2921: no sizes were found that satisfy `where`.
Result<std::string> launchFileText(const HostPlan& plan, const std::string& source);

// One op as Python text: checks, sizes, the kernel's call, the shapes handed back. `op` is "ns::name"; `module` the
// Python name under which the translated kernel's module is in scope and `entry` its function. `finite`: the
// translation holds for finite inputs only, so the op checks that first.
std::string pythonOp(const HostPlan& plan, const std::string& op, const std::string& module, const std::string& entry,
                     bool finite = false);

}  // namespace np::kernel_port::host

#pragma once
// What the boxed kernel must know of an op, read once from its schema.

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/SmallVector.h>

#include <string>

#include "runtime/device/coverage.h"

namespace np::device {

struct OpTraits {
  std::string name;  // "aten::add" as PyTorch prints it
  size_t argument_count = 0;
  size_t return_count = 0;
  c10::SmallVector<bool, 12> written;            // by argument: the op may change it
  c10::SmallVector<int8_t, 4> returns_argument;  // by result: the written argument that it is, or -1
  bool seeded = false;                           // draws random numbers
  bool takes_cpu_tensors = false;                // indices or lengths may stay on the CPU, as with CUDA
  size_t host_result = SIZE_MAX;                 // a result that stays on the CPU
  size_t format_argument = SIZE_MAX;             // which argument is a memory format
  size_t dtype_argument = SIZE_MAX;              // which argument is a type
  size_t list_count = 0;                         // arguments that hold tensors in a list
  bool makes_views = false;                      // a result may be a view of an argument
  OpRecord* record = nullptr;
};

OpTraits readOpTraits(const c10::OperatorHandle& op);

// Whether the op gets a kernel of its own under PrivateUse1, rather than its composite definition.
bool wantsBoxedKernel(const c10::OperatorHandle& op);

}  // namespace np::device

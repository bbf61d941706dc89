// TileProgram to a Python module for NKI 0.7.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "runtime/tile/program.h"

namespace np::kernel_port::emit {

// What the module's docstring and guards say beside the program.
struct ModuleInfo {
  std::string source;                         // "softmax.cu:12-40", or empty
  std::string tool = "neuron-port";           // name and version
  std::string spec;                           // formulas, one a line
  std::vector<std::string> assumptions;       // sentences beyond the program's requirements; documentation only
  std::vector<std::string> data_assumptions;  // "0 <= tok[i] < V"; listed in NEURON_PORT_DATA_ASSUMPTIONS
  std::vector<std::string> scalars;           // inputs that are [1, 1] tensors; they follow the sizes in the signature
};

// The module's text; the entry is the program's name. Tracing it with the sizes gives instantiate(program, sizes).
// Errors: a name that Python cannot have.
Result<std::string> emitModule(const tile::TileProgram& program, const ModuleInfo& info);

}  // namespace np::kernel_port::emit

// {"x": {"shape": [3, 67], "dtype": "float32"}, "M": 3, …}: tensors by shape, sizes as integers.

#include <nlohmann/json.hpp>

#include "kernel_port/certify/tile_gates.h"

namespace np::kernel_port::certify {

std::string traceArguments(const tile::TileProgram& program, const tile::Bindings& sizes) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const tile::Param& param : program.params) {
    if (param.role != tile::Role::kIn) continue;
    nlohmann::ordered_json shape = nlohmann::ordered_json::array();
    for (const tile::Expr& extent : param.extents) {
      const auto value = extent.evaluate(sizes);
      shape.push_back(value.ok() ? *value : 0);
    }
    out[param.name] = {{"shape", shape}, {"dtype", tile::dtypeNkiName(param.dtype)}};
  }
  for (const auto& [name, value] : sizes) out[name] = value;
  return out.dump();
}

}  // namespace np::kernel_port::certify

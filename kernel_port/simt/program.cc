// Look-ups on compiled programs.

#include "kernel_port/simt/program.h"

namespace np::kernel_port::simt {

const KernelEntry* Program::findKernel(const std::string& name) const {
  auto plain = [](const std::string& text) {
    std::string out;
    for (char c : text)
      if (c != ' ') out += c;
    return out;
  };
  for (const KernelEntry& kernel : kernels)
    if (plain(kernel.facts.name) == plain(name) || plain(kernel.facts.qualified_name) == plain(name)) return &kernel;
  return nullptr;
}

SourcePlace Program::place(uint32_t location) const {
  SourcePlace out;
  for (uint32_t at = location; at != 0; at = locations[at].caller) {
    const Location& found = locations[at];
    out = {paths[found.path], found.line, found.column, names[found.function]};
    if (found.line != 0 && !out.path.starts_with("/neuron-port/")) break;  // the worker's folder of our headers
  }
  return out;
}

}  // namespace np::kernel_port::simt

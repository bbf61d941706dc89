// Where the parts of an installation lie, seen from the running executable.
#pragma once

#include <string>
#include <vector>

namespace np::cli {

struct InstallLayout {
  std::string python;       // interpreter with torch: $NEURON_PORT_PYTHON, the project's .venv, else "python3"
  std::string python_path;  // folder with the packages nki, torch_neuronx, neuron_port_runtime
  std::string library_dir;  // folder with libneuron_port_*.so
};

InstallLayout installLayout();

// "NAME=value" entries that make `import torch` bring the bundled device (runtime/python/README.md).
std::vector<std::string> runEnvironment(const InstallLayout& layout);

}  // namespace np::cli

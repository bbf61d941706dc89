// A build tree (executable in <source>/build*) and an installed tree (<prefix>/bin, lib, share) are both recognised.

#include "cli/port/install.h"

#include <cstdlib>
#include <filesystem>

#include "analyzer/base/process.h"

namespace np::cli {

InstallLayout installLayout() {
  namespace fs = std::filesystem;
  const fs::path here = executableDirectory();
  const fs::path above = here.parent_path();
  InstallLayout out;
  const bool build_tree = fs::exists(above / "runtime/python/neuron_port_runtime");
  out.python_path = build_tree ? above / "runtime/python" : above / "share/neuron-port/python";
  out.library_dir = build_tree ? here / "lib" : above / "lib/neuron-port";
  out.python = "python3";
  if (const char* chosen = std::getenv("NEURON_PORT_PYTHON"); chosen && *chosen)
    out.python = chosen;
  else if (fs::exists(above / ".venv/bin/python"))
    out.python = above / ".venv/bin/python";
  return out;
}

std::vector<std::string> runEnvironment(const InstallLayout& layout) {
  const char* old = std::getenv("PYTHONPATH");
  return {"PYTHONPATH=" + layout.python_path + (old && *old ? std::string(":") + old : ""), "NEURON_PORT_RUN=1",
          "NEURON_PORT_LIB_DIR=" + layout.library_dir};
}

}  // namespace np::cli

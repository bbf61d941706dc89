// mkdtemp in the system's folder for temporary files.

#include "cli/port/temporary.h"

#include <stdlib.h>

#include <filesystem>

namespace np::cli {

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "neuron-port-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ec;
  if (!path_.empty()) std::filesystem::remove_all(path_, ec);
}

}  // namespace np::cli

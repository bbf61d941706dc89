// Where results are kept from run to run, and what they depend on beside the project.
#pragma once

#include <string>

namespace np::cli {

// $XDG_CACHE_HOME or ~/.cache, then neuron-port/<hash of the root>; empty without either, or when that lies inside the
// project: a repository could ship a cache.
std::string resultCacheFolder(const std::string& root);

// The version and build of the running executable.
std::string resultCacheKey();

}  // namespace np::cli

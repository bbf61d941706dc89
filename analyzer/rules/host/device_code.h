// Device functions as they are written, and which of their variables differ between the threads of a block.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "analyzer/rules/host/cpp_file.h"

namespace np::analyzer::host {

// Calls `visit` for every __global__ or __device__ function with a body.
void eachDeviceFunction(const CppFile& file, const std::function<void(const Item&)>& visit);

// Names that get their value from threadIdx, directly or through each other. Data loaded at a thread's own place
// counts; what a loop over such names does is not followed.
std::set<std::string> threadDependentNames(const CppFile& file, const Item& function);

// True when the tokens [first, last] name threadIdx, a lane or one of `names`.
bool dependsOnThread(const std::vector<Token>& tokens, std::size_t first, std::size_t last,
                     const std::set<std::string>& names);

}  // namespace np::analyzer::host

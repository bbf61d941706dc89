// Compiling and lifting launch files in tests.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "kernel_port/lift/lift.h"

namespace np::kernel_port::lift {

inline std::string readText(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline Result<LiftResult> liftFile(const launch::LaunchFile& file) {
  CompileOptions options;
  options.source = file.source;
  for (const launch::Launch& launch : file.launches) options.kernels.push_back(launch.kernel);
  if (const char* build = std::getenv("NP_BUILD_DIR"))
    options.worker.executable = std::string(build) + "/neuron-port-clang";
  NP_ASSIGN(DeviceModule module, DeviceModule::compile(options));
  return lift(module, file, {});
}

inline Result<LiftResult> liftCase(const std::string& path) {
  NP_ASSIGN(launch::LaunchFile file, launch::readLaunchFile(path));
  return liftFile(file);
}

// Lifts CUDA source text with a launch file's text; both are written to the test's temporary folder.
inline Result<LiftResult> liftText(const std::string& name, const std::string& source, const std::string& launch) {
  std::string folder = ::testing::TempDir() + "/lift_" + name;
  std::string command = "mkdir -p '" + folder + "'";
  if (std::system(command.c_str()) != 0) return makeError("io", "cannot make \"" + folder + "\"");
  std::ofstream(folder + "/kernel.cu") << source;
  std::ofstream(folder + "/kernel.launch.json") << launch;
  return liftCase(folder + "/kernel.launch.json");
}

}  // namespace np::kernel_port::lift

// Look-ups on the launch file model; reading it is in launch_file_json.cc.

#include "kernel_port/launch/launch_file.h"

namespace np::kernel_port::launch {

std::string_view name(Role role) {
  static constexpr std::string_view kNames[] = {"in", "out", "inout", "scratch"};
  return kNames[static_cast<int>(role)];
}

const Buffer* LaunchFile::findBuffer(std::string_view name) const {
  for (const Buffer& buffer : buffers)
    if (buffer.name == name) return &buffer;
  return nullptr;
}

const Scalar* LaunchFile::findScalar(std::string_view name) const {
  for (const Scalar& scalar : scalars)
    if (scalar.name == name) return &scalar;
  return nullptr;
}

Result<void> selectKernel(LaunchFile& file, const std::string& kernel) {
  const auto base = [](const std::string& name) { return name.substr(0, name.find('<')); };
  std::erase_if(file.launches, [&](const Launch& launch) { return base(launch.kernel) != base(kernel); });
  if (file.launches.empty())
    return makeError("no-kernel", "the launch file launches no kernel \"" + kernel + "\"", file.path);
  return {};
}

}  // namespace np::kernel_port::launch

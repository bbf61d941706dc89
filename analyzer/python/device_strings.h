// The places where a file spells a CUDA device, each with the way it is used: the raw material of the device rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

enum class DeviceForm : std::uint8_t {
  Plain,      // "cuda"
  Indexed,    // "cuda:1"
  Formatted,  // f"cuda:{i}", "cuda:%d" % i, "cuda:{}".format(i), "cuda:" + str(i)
};

enum class DeviceUse : std::uint8_t {
  TorchDevice,     // torch.device("cuda")
  FactoryKeyword,  // torch.zeros(…, device="cuda"): torch itself takes it
  ToArgument,      // x.to("cuda"), x.to(device="cuda")
  DeviceKeyword,   // f(device="cuda"): someone else takes it
  Autocast,        // torch.autocast("cuda"), device_type="cuda" of torch.amp
  DeviceMesh,      // init_device_mesh("cuda", …)
  DefaultDevice,   // torch.set_default_device("cuda")
  MapLocation,     // map_location="cuda"
  PinMemory,       // pin_memory_device="cuda"
  Comparison,      // x == "cuda", x.startswith("cuda"), "cuda" in x
  Choice,          // "cuda" if … else …
  Default,         // def f(device="cuda")
  Assigned,        // name = "cuda"
  Returned,        // return "cuda"
  CommandLine,     // add_argument("--device", default="cuda")
  OtherArgument,   // f("cuda"), f(platform="cuda")
  Data,            // in a dictionary, list, tuple, set or subscript
  Fallback,        // `current_accelerator(…) or torch.device("cuda")`: already device-neutral
};

struct DeviceString {
  NodeId node = kNoNode;   // the string literal
  NodeId whole = kNoNode;  // the expression that makes the device name: the literal, or the formatting around it
  DeviceForm form = DeviceForm::Plain;
  int index = -1;  // of Indexed
  DeviceUse use = DeviceUse::Data;
  NodeId holder = kNoNode;  // the call, comparison, conditional expression, parameter, assignment …
  std::string name;         // of the keyword, parameter or variable; of the callee for arguments
};

// No hand-written file comes near; bounds the time that generated ones may take.
inline constexpr std::size_t kMostDeviceStrings = 1000;

// Such strings in source order, at most kMostDeviceStrings; comments and docstrings hold none.
std::vector<DeviceString> findDeviceStrings(const Module& module);

// How the value of an expression is used where it stands: `whole`, `use`, `holder` and `name` are filled.
DeviceString useOfValue(const Module& module, NodeId expression);

// True when every use of the name bound at `identifier` is a place that takes a device and nothing else: `.to(name)`,
// `device=name` of torch itself, torch.device(name).
bool onlyUsedAsDevice(const Module& module, NodeId identifier);
// True when at least one use is such a place or a `device=` keyword of somebody else's function, or the name says so.
bool usedAsDevice(const Module& module, NodeId identifier);

}  // namespace np::analyzer::python

// Which device an expression means, and how the value came there: locals, parameters, module globals, attributes of
// self, dataclass fields, function results, command line and configuration defaults, in this file and, through
// ProjectNames, in the files it imports.
//
//   parser.add_argument("--device", default="cuda")
//   self.device = torch.device(args.device)
//   x.to(self.device)           of(`self.device`): {from-config, cuda}, traced to the default and the assignment
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/python/device_strings.h"
#include "analyzer/python/module.h"

namespace np::analyzer::python {

class ProjectNames;

enum class Device : std::uint8_t {
  Unset,  // None: where the thing is already
  Cpu,
  Cuda,
  Accelerator,  // what torch.accelerator, Accelerate or Lightning gives
  Neuron,
  SameAs,      // the device of another tensor or module
  FromConfig,  // decided outside the program: arguments, environment, configuration
  Unknown,
};

// What a value may be: a set, since most programs choose. Joined over all places that give the value.
struct DeviceValue {
  std::uint16_t kinds = 0;  // bits by Device; 0 only for "asked about nothing"
  int index = -1;           // of Cuda, when it is one written number everywhere
  // From the place where a CUDA device (else the first thing) enters to the last step before the place asked about;
  // positions and paths are filled, so it can be assigned to Finding::trace.
  std::vector<Related> trace;

  bool may(Device device) const { return kinds & (1u << static_cast<unsigned>(device)); }
  bool only(Device device) const { return kinds == (1u << static_cast<unsigned>(device)); }
  // Everything it may be is known.
  bool known() const { return kinds != 0 && !may(Device::Unknown); }
};

// "cuda, from-config"
std::string toString(const DeviceValue& value);

// All places of one file that hold the same device value, joined by assignments, arguments and returns.
struct DeviceFlow {
  std::string name;             // the same for every place of the flow and unique in the file: a Fix group
  std::vector<NodeId> sources;  // device literals, and expressions that make the value otherwise
  std::vector<NodeId> places;   // names and attributes that hold it (where they are bound)
  struct Sink {
    NodeId node = kNoNode;  // the expression that reads the value
    DeviceUse use = DeviceUse::Data;
    NodeId holder = kNoNode;  // the call, comparison …
  };
  std::vector<Sink> sinks;
  // A place where the value goes to code that is not seen (other function, container, formatted text); kNoNode: none.
  NodeId escape = kNoNode;
  // Whether every sink is torch itself reading a device.
  bool onlyRead() const;
};

class DeviceValues {
 public:
  // Both must outlive this object; `project` may be null: then imported names are Unknown. Cheap to make; the work is
  // done with the first question. Not to be shared between threads.
  explicit DeviceValues(const Module& module, const ProjectNames* project = nullptr);

  // The device that the expression means.
  DeviceValue of(NodeId expression) const;

  // The flow of a name, an attribute of self, or a device literal; an empty name when it is in none that can be
  // followed (a name with uses outside of the file that cannot be seen still has one).
  DeviceFlow flowOf(NodeId node) const;

 private:
  struct Index;
  const Index& index() const;

  const Module& module_;
  const ProjectNames* project_;
  mutable std::shared_ptr<Index> index_;
};

}  // namespace np::analyzer::python

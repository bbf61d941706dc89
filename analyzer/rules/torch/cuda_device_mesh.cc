// NPT4006 cuda-device-mesh
//
// init_device_mesh("cuda", …): the device type becomes the accelerator's. `unsafe`: the sizes of the mesh count GPUs,
// and on Neuron they count logical cores.

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void cudaDeviceMesh(const RuleInput& input, FileFindings& out) {
  for (const python::DeviceString& device : input.device_strings) {
    if (device.use != python::DeviceUse::DeviceMesh || device.form != python::DeviceForm::Plain) continue;
    out.claim(device.node);
    Finding& finding = out.add("NPT4006", device.node, textOf(input, device.holder),
                               "the mesh is fixed to CUDA; take the accelerator's device type");
    FixBuilder fix(input, FixSafety::Unsafe, "take the accelerator's device type");
    fix.replace(device.node, fix.deviceText(device.node));
    std::move(fix).addTo(finding);
  }
}

}  // namespace np::analyzer

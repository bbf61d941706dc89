"""Installs the device: library, name, `torch.neuron`, tensor methods, refusals, modes, report. In this order."""

import sys

import torch

from neuron_port_runtime import device_module, environment, op_table, process_group, refusals, report

_installed = []


def install(settings):
    if _installed:
        return
    environment.check_no_real_device()
    if torch.version.cuda is not None:
        raise environment.DeviceUnavailable(
            f"torch {torch.__version__} is a CUDA build; the neuron device needs the CPU build of the same release"
        )
    torch.ops.load_library(str(environment.find_library(settings)))
    boxed_ops = torch.ops.neuron_port.initialize(settings.devices, settings.memory_mb, settings.host_readable, True)
    _installed.append(boxed_ops)
    op_table.install(torch.ops.neuron_port)
    torch.ops.neuron_port.set_policy(settings.policy)
    torch.ops.neuron_port.set_precision(settings.precision)
    torch.ops.neuron_port.set_streams(settings.streams)
    device_module._chip = settings.chip

    torch.utils.rename_privateuse1_backend("neuron")
    torch._register_device_module("neuron", device_module)
    torch.utils.generate_methods_for_privateuse1_backend(
        for_tensor=True, for_module=True, for_storage=True, for_packed_sequence=True
    )
    torch.set_autocast_dtype("neuron", torch.bfloat16)  # PyTorch's default for such devices is float16
    refusals.install()
    if torch.distributed.is_available():
        process_group.register()
    if settings.report:
        report.write_at_exit(settings.report)
    if not settings.announced:
        print("neuron-port: device neuron is a stand-in, not Trainium", file=sys.stderr)

"""Which ops ran, and which of them the real device is known to hand to the CPU."""

import torch
from neuron_port_runtime import op_table, report


def get_executed_ops():
    """Names of the ops that ran on the device since the last clear, e.g. 'aten::mm'."""
    return sorted(report.executed_ops())


def get_fallback_ops():
    """Those of them that TorchNeuron is known to run on the CPU; ops of which nothing is known are not listed."""
    return [op for op in get_executed_ops() if op_table.entry(op)["runs"] == "fallback"]


def clear_op_tracking():
    torch.ops.neuron_port.clear_ops()

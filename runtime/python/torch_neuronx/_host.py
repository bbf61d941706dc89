"""Bridges between neuron tensors and NumPy; the only place where Python sees device bytes."""

import numpy
import torch


def numpy_view(tensor):
    """A NumPy array over a neuron tensor's own bytes, strides kept. bfloat16 comes as its uint16 bit pattern."""
    host = torch.ops.neuron_port.host_view(tensor.detach().resolve_conj().resolve_neg())
    if host.dtype == torch.bfloat16:
        host = host.view(torch.uint16)
    return host.numpy()


def to_neuron(array, device, dtype=None):
    """A fresh neuron tensor with an array's values; `dtype=torch.bfloat16` reads uint16 as bit patterns."""
    host = torch.from_numpy(numpy.ascontiguousarray(array))
    if dtype == torch.bfloat16:
        host = host.view(torch.bfloat16)
    return host.to(device)

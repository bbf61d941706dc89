"""Refuses what would hand a guarded address to somebody who cannot use it.

PyTorch exports any device's pointer through DLPack and reports shared memory for any device but the CPU's; neither has
a hook for a device to say no. So two methods are wrapped; for other devices they call the original.
"""

import functools

import torch


def install():
    torch.Tensor.__dlpack__ = _refusing(torch.Tensor.__dlpack__, BufferError, "device neuron cannot export its memory through DLPack; copy the tensor with .cpu() first")
    torch.Tensor.share_memory_ = _refusing(torch.Tensor.share_memory_, NotImplementedError, "tensors on device neuron cannot be shared between processes; share a CPU copy made with .cpu()")
    to_dlpack = _refusing(torch._C._to_dlpack, BufferError, "device neuron cannot export its memory through DLPack; copy the tensor with .cpu() first")
    torch.to_dlpack = torch.utils.dlpack.to_dlpack = to_dlpack


def _refusing(original, error, sentence):
    @functools.wraps(original)
    def refuse_on_neuron(tensor, *args, **kwargs):
        if isinstance(tensor, torch.Tensor) and tensor.device.type == "neuron":
            raise error(sentence)
        return original(tensor, *args, **kwargs)

    return refuse_on_neuron

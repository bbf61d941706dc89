"""Refuses what would hand a guarded address to somebody who cannot use it.

PyTorch exports any device's pointer through DLPack and reports shared memory for any device but the CPU's; neither has
a hook for a device to say no. So two methods are wrapped; for other devices they call the original.
"""

import functools

import torch

_NO_EXPORT = "device neuron cannot export its memory through DLPack; copy the tensor with .cpu() first"
_NO_SHARING = "tensors on device neuron cannot be shared between processes; share a CPU copy made with .cpu()"


def install():
    for name in ("__dlpack__", "__dlpack_device__"):
        setattr(torch.Tensor, name, _refusing(getattr(torch.Tensor, name), BufferError, _NO_EXPORT))
    torch.Tensor.share_memory_ = _refusing(torch.Tensor.share_memory_, NotImplementedError, _NO_SHARING)
    torch.to_dlpack = torch.utils.dlpack.to_dlpack = _refusing(torch._C._to_dlpack, BufferError, _NO_EXPORT)


def _refusing(original, error, sentence):
    @functools.wraps(original)
    def refuse_on_neuron(tensor, *args, **kwargs):
        if isinstance(tensor, torch.Tensor) and tensor.device.type == "neuron":
            raise error(sentence)
        return original(tensor, *args, **kwargs)

    return refuse_on_neuron

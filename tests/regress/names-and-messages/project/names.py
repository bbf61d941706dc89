import os

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.distributed.fsdp import FullyShardedDataParallel

SOURCES = os.path.join("pkg", "cuda", "csrc")
SPACES = ["pkg", "cuda", "kernels"]
DEVICES = ["cpu", "cuda"]  # hint: NPT3010


def unwrap(model):
    if isinstance(model, (torch.nn.DataParallel, DistributedDataParallel, FullyShardedDataParallel)):
        return model.module
    return model.half() if model.dtype == torch.float16 else model


def load(data, pin_memory, use_cuda=False):
    return torch.utils.data.DataLoader(data, pin_memory=pin_memory)


class Options:
    pin_memory: bool = True  # hint: NPT3011


class Data:
    def cuda(self, device=None):
        return self.apply(lambda x: x.cuda(device))  # error: NPT3002


def attempt(step, device):
    if device.startswith("cuda:"):  # hint: NPT3005
        return step()
    try:
        step()
    except RuntimeError as error:
        if "CUDA out of memory" in str(error):  # hint: NPT3010
            return None
        raise

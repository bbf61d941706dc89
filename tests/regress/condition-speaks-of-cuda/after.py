# A condition that also asks for something of CUDA does not open its branch.
import torch


def f(x):
    if x.is_cuda and has_fused_cuda():
        x = x + 1
    if x.device.type == (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type:
        x = x + 2
    return x

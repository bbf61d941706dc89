# A torch.device that is compared asks, and what it guards decides.
import torch


def time(device, fast_path_cuda):
    if device == (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")):
        torch.accelerator.synchronize()
    if device == torch.device("cuda"):
        fast_path_cuda()

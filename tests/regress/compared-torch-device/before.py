# A torch.device that is compared asks, and what it guards decides.
import torch


def time(device, fast_path_cuda):
    if device == torch.device("cuda"):
        torch.cuda.synchronize()
    if device == torch.device("cuda"):
        fast_path_cuda()

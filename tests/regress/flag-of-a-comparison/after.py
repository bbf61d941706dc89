# A flag made from a rewritten value is opened with it, when what it opens runs anywhere.
import torch


def main(model, x):
    device = (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type
    on_gpu = device == (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type
    if on_gpu:
        x = x.contiguous()
    return model.to(device)(x)

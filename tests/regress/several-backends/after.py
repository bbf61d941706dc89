# Code that tells backends apart keeps its CUDA branch; "input" does not name the backend "npu".
import torch


def clear():
    if is_xpu_available():
        torch.xpu.empty_cache()
    elif torch.cuda.is_available():
        torch.cuda.empty_cache()
    else:
        x = torch.zeros(2, device="cuda")


def read(input_size, y):
    if input_size > 2:
        return y.to((torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type)

# A file that knows other backends by name decides for CUDA on purpose: only what changes nothing today is changed.
import torch


def is_npu_available():
    return hasattr(torch, "npu")


def require_single_gpu(test):
    assert torch.cuda.is_available(), "one GPU"
    torch.cuda.synchronize()
    return test if torch.cuda.device_count() == 1 else None

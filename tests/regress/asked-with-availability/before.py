# Two questions about CUDA in one condition: neither changes alone.
import torch


def check(device, skip):
    if device == "cuda" and not torch.cuda.is_available():
        skip("no CUDA")

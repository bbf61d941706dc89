# A flag made from a rewritten value is opened with it, when what it opens runs anywhere.
import torch


def main(model, x):
    device = "cuda"
    on_gpu = device == "cuda"
    if on_gpu:
        x = x.contiguous()
    return model.to(device)(x)

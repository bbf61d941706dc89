# The value is read in a way that no fix covers, so nothing of its flow is changed.
import torch


def main(model, x):
    device = "cuda"
    fused = device == "cuda"
    if fused:
        model.load_fused_kernel_cuda()
    return model.to(device)(x)

# What the function does with the flag needs CUDA.
import torch


def train(model, use_cuda):
    if use_cuda:
        model.fused_cuda_step()


def main(model):
    use_cuda = torch.cuda.is_available()
    train(model, use_cuda)

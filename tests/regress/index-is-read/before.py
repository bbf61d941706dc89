# The index must not go away where it is read.
import torch


def setup(rank):
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    mine = torch.device(f"cuda:{rank}" if torch.cuda.is_available() else "cpu")
    return device.index, mine.index


def one():
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    if torch.cuda.is_available():
        torch.cuda.set_device(device.index)
    return device

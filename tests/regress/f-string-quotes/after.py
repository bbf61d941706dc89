# Before Python 3.12 the quotes of an f-string may not stand in its holes.
import torch


def show(x):
    print(f"{(torch.accelerator.memory.max_memory_allocated() if torch.accelerator.is_available() else 0)} {x.to('cuda')}")

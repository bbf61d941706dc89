# Before Python 3.12 the quotes of an f-string may not stand in its holes.
import torch


def show(x):
    print(f"{torch.cuda.max_memory_allocated()} {x.to('cuda')}")

# Positional arguments of torch.cuda.amp.autocast get their names, in one insertion with the device type.
import torch
from torch.cuda import amp


def step(model, x, half):
    with amp.autocast(half):
        return model(x)

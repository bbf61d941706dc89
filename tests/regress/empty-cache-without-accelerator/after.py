# torch.accelerator.memory raises in a CPU build where torch.cuda.empty_cache() does nothing.
import torch


def clean():
    torch.accelerator.memory.empty_cache() if torch.accelerator.is_available() else None

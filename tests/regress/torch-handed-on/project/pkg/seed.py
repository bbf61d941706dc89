from .compat import torch


def seed_all(seed):
    torch.cuda.manual_seed_all(seed)  # hint: NPT3104
    torch.backends.cudnn.benchmark = False  # hint: NPT3105

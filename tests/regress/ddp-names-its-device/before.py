# A rank's device and the name of the backend reach torch through variables.
import os

import torch
from torch.distributed import init_process_group

backend = "nccl"


def setup():
    rank = int(os.environ["LOCAL_RANK"])
    init_process_group(backend=backend)
    device = f"cuda:{rank}"
    torch.cuda.set_device(device)
    return device

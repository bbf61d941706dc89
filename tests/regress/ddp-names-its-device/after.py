# A rank's device and the name of the backend reach torch through variables.
import os

import torch
from torch.distributed import init_process_group

backend = torch.distributed.get_default_backend_for_device(torch.accelerator.current_accelerator(check_available=True) or "cpu")


def setup():
    rank = int(os.environ["LOCAL_RANK"])
    init_process_group(backend=backend)
    device = (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type + f":{rank}"
    torch.accelerator.set_device_index(device)
    return device

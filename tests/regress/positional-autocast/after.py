# Positional arguments of torch.cuda.amp.autocast get their names, in one insertion with the device type.
import torch


def step(model, x, half):
    with torch.autocast(device_type=(torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type, enabled=half):
        return model(x)

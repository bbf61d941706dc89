# The test of the device and what it picks change together, with the value that they read.
import torch

device = (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type
device_type = (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type if (torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type in device else "cpu"


def step(model, x):
    with torch.autocast(device_type=device_type, dtype=torch.bfloat16):
        return model(x.to(device))

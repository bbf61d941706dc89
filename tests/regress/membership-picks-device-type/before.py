# The test of the device and what it picks change together, with the value that they read.
import torch

device = "cuda"
device_type = "cuda" if "cuda" in device else "cpu"


def step(model, x):
    with torch.autocast(device_type=device_type, dtype=torch.bfloat16):
        return model(x.to(device))

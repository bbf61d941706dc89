# The number that set_device makes current is the current accelerator wherever else it stands.
import torch


def worker(rank, model, x, path):
    torch.accelerator.set_device_index(rank)
    model = model.to(torch.accelerator.current_accelerator(check_available=True))
    state = torch.load(path, map_location=torch.accelerator.current_accelerator(check_available=True))
    return model(x.to(torch.accelerator.current_accelerator(check_available=True))), state

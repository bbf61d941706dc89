# The number that set_device makes current is the current accelerator wherever else it stands.
import torch


def worker(rank, model, x, path):
    torch.cuda.set_device(rank)
    model = model.cuda(rank)
    state = torch.load(path, map_location=lambda storage, location: storage.cuda(rank))
    return model(x.to(rank)), state

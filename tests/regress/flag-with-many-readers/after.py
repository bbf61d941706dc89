# The flag opens device-neutral code; its other readers do not mind its value.
import torch
from torch.cuda.amp import GradScaler


def main(args, model):
    use_cuda = not args.no_cuda and torch.accelerator.is_available()
    if use_cuda:
        torch.cuda.manual_seed_all(args.seed)
        device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")
    else:
        device = torch.device("cpu")
    options = {"batch_size": 4}
    if use_cuda:
        options.update({"num_workers": 1, "pin_memory": True})
    print(f"on a GPU: {use_cuda}")
    return model.to(device), GradScaler(enabled=use_cuda), options

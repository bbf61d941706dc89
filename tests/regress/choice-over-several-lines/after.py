import torch

device = (torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")).type
x = torch.zeros(3, \
    device=torch.accelerator.current_accelerator(check_available=True))
y = x \
    .to(torch.accelerator.current_accelerator(check_available=True))

# A flag written as a choice.
import torch

cuda = True if torch.accelerator.is_available() else False
model = torch.nn.Linear(2, 2)
if cuda:
    model.to(torch.accelerator.current_accelerator(check_available=True))

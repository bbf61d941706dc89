# A flag written as a choice.
import torch

cuda = True if torch.cuda.is_available() else False
model = torch.nn.Linear(2, 2)
if cuda:
    model.cuda()

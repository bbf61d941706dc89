import torch


def pick(x):
    index = x.nonzero()  # hint: NPT3301 the size
    other = torch.nonzero(x)
    rest = x[x > 0]
    solved = torch.linalg.solve(x, x)  # hint: NPT3307
    return index, other, rest, solved, torch.linalg.qr(x)

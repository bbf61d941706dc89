import torch


def f(x, n):
    a = torch.zeros(1, device="cuda"if n else"cpu")
    b = [t.cuda()for t in x]
    if n:return"cuda"
    return"cuda:%d"%n if a else"cuda"

import torch


def f(x, n):
    a = torch.zeros(1, device=(torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type if n else"cpu")
    b = [t.to(torch.accelerator.current_accelerator(check_available=True))for t in x]
    if n:return(torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type
    return(torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type + ":%d"%n if a else(torch.accelerator.current_accelerator(check_available=True) or torch.device("cuda")).type

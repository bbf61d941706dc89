from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
if __name__ == "__main__":
    import torch as th


def never_at_run_time(x: "torch.Tensor"):
    return x.cuda()


def its_own(x):
    import torch

    return x.to(torch.accelerator.current_accelerator(check_available=True)), torch.zeros(1)


def uses_it_already(x):
    y = torch.ones(1)
    return x.to(torch.accelerator.current_accelerator(check_available=True)) + y


def only_sometimes(x, n):
    if n:
        import torch
    return x.cuda()

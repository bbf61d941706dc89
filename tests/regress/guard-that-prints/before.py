# A branch that only prints is no reason to open its guard.
import torch

if torch.cuda.is_available():
    print("one GPU")

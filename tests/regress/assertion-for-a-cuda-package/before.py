# What the assertion says it is needed for needs CUDA itself.
import torch


def make(kind, parameters):
    if kind == "fused":
        assert torch.cuda.is_available(), "CUDA is needed by APEX optimizers"
    return kind, parameters

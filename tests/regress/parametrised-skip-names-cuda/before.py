# The mark and the value it stands beside belong together.
import pytest
import torch


@pytest.mark.parametrize(
    "device", ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA"))]
)
def test_runs(device):
    assert torch.zeros(1, device=device).sum() == 0

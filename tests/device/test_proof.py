"""Proof that the device's own path ran: keys, addresses, counters, and a corrupted kernel that must be noticed."""

import pytest
import torch
from helpers import run_python
from models import Gpt, gpt_batch, train
from neuron_port_runtime import report
from test_training import ADAMW
from torch.utils._python_dispatch import TorchDispatchMode


class Devices(TorchDispatchMode):
    """Collects the device of every tensor that any op takes or returns."""

    def __init__(self):
        super().__init__()
        self.seen = {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        tensors = [t for t in torch.utils._pytree.tree_leaves((args, kwargs, result)) if isinstance(t, torch.Tensor)]
        self.seen.setdefault(str(func), set()).update(t.device.type for t in tensors)
        return result


def test_ops_of_a_training_step_run_on_privateuse1_tensors():
    model = Gpt().to("neuron")
    tokens, targets = (tensor.to("neuron") for tensor in gpt_batch(0))
    torch.ops.neuron_port.clear_ops()
    with Devices() as devices:
        loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        loss.backward()
    assert len(devices.seen) > 20
    assert {device for kinds in devices.seen.values() for device in kinds} == {"neuron"}
    ran = report.executed_ops()
    for op in ("aten::addmm", "aten::mm", "aten::native_layer_norm", "aten::native_layer_norm_backward", "aten::gelu",
               "aten::_scaled_dot_product_fused_attention_overrideable", "aten::embedding_dense_backward"):  # fmt: skip
        assert int(ran[op]) > 0
    for tensor in [loss, *(p.grad for p in model.parameters())]:
        assert torch._C._dispatch_keys(tensor).has(torch._C.DispatchKey.PrivateUse1)
        assert not torch._C._dispatch_keys(tensor).has(torch._C.DispatchKey.CPU)
        assert torch.ops.neuron_port.is_guarded(tensor)


def test_device_addresses_have_no_access_rights_in_the_process_map():
    x = torch.ones(1000, device="neuron")
    address = x.data_ptr()
    with open("/proc/self/maps") as maps:
        for line in maps:
            span, rights = line.split()[:2]
            first, last = (int(part, 16) for part in span.split("-"))
            if first <= address < last:
                assert rights.startswith("---")
                return
    pytest.fail("the address is not in the process map")


def test_cpu_kernel_runs_are_not_counted():
    torch.ops.neuron_port.clear_ops()
    torch.randn(4, 4) @ torch.randn(4, 4)
    assert report.executed_ops() == {}


CORRUPTED = """
import warnings; warnings.simplefilter("ignore")
import sys; sys.path.insert(0, "tests/device")
import torch
from models import Gpt, gpt_batch, train
from neuron_port_runtime import report
optimizer = lambda parameters: torch.optim.AdamW(parameters, lr=1e-3, foreach=True)
library = torch.library.Library("aten", "IMPL")
def corrupted(grad, output, dim, dtype):
    right = torch.ops.aten._log_softmax_backward_data(grad.cpu(), output.cpu(), dim, dtype)
    right.view(-1)[0] += 1e-3
    return right.to(grad.device)
if sys.argv[1:] == ["corrupt"]:
    library.impl("_log_softmax_backward_data", corrupted, "PrivateUse1")
cpu, neuron = (train(Gpt, gpt_batch, device, optimizer, steps=2) for device in ("cpu", "neuron"))
same = cpu[0] == neuron[0] and all(torch.equal(cpu[1][name], neuron[1][name]) for name in cpu[1])
print("same" if same else "different")
"""


@pytest.mark.parametrize("corrupt, outcome", [("", "same"), ("corrupt", "different")])
def test_a_corrupted_kernel_is_noticed(corrupt, outcome):
    program = CORRUPTED.replace("sys.argv[1:]", repr([corrupt] if corrupt else []))
    result = run_python(program, OMP_NUM_THREADS="2")
    assert result.stdout.strip() == outcome, result.stderr

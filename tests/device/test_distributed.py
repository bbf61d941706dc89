"""torch.distributed, DDP, FSDP2, DTensor and the profiler on the device, at one process and at two."""

import socket
import subprocess
import sys

import pytest
import torch
from helpers import environment

COLLECTIVES = """
import os, torch, torch.distributed as dist
form = os.environ["NP_FORM"]
device = torch.device("neuron", 0)
if form == "none": dist.init_process_group()
elif form == "device_id": dist.init_process_group("neuron", device_id=device)
else: dist.init_process_group(form)
rank, size = dist.get_rank(), dist.get_world_size()
x = torch.full((4,), rank + 1.0, device=device)
total = size * (size + 1) / 2
dist.all_reduce(x); assert x.tolist() == [total] * 4, x
mean = torch.full((2,), rank + 1.0, device=device)
dist.all_reduce(mean, op=dist.ReduceOp.AVG); assert mean.tolist() == [total / size] * 2
half = torch.ones(3, dtype=torch.bfloat16, device=device)
dist.all_reduce(half); assert half.tolist() == [size] * 3
parts = [torch.empty(2, device=device) for _ in range(size)]
dist.all_gather(parts, torch.full((2,), float(rank), device=device))
assert [p[0].item() for p in parts] == list(range(size))
flat = torch.empty(2 * size, device=device)
dist.all_gather_single(flat, torch.full((2,), float(rank), device=device))
assert flat.tolist() == [float(r) for r in range(size) for _ in range(2)]
out = torch.empty(2, device=device)
dist.reduce_scatter_single(out, torch.arange(2.0 * size, device=device))
assert out.tolist() == [size * (2.0 * rank), size * (2.0 * rank + 1)]
import warnings
warnings.simplefilter("ignore")
dist.all_gather_into_tensor(flat, out[:2]); dist.reduce_scatter_tensor(out, flat)  # the older names
b = torch.full((2,), float(rank), device=device); dist.broadcast(b, 0); assert b.tolist() == [0, 0]
r = torch.ones(1, device=device); dist.reduce(r, 0); assert rank or r.item() == size
sent = torch.arange(float(size), device=device) + 10 * rank; got = torch.empty(size, device=device)
dist.all_to_all_single(got, sent); assert got.tolist() == [10.0 * r + rank for r in range(size)]
work = dist.all_reduce(torch.ones(1, device=device), async_op=True); work.wait(); assert work.is_completed()
objects = [None] * size; dist.all_gather_object(objects, {"rank": rank}); assert objects == [{"rank": r} for r in range(size)]
if size > 1:
    if rank == 0: dist.send(torch.ones(3, device=device), 1)
    else:
        y = torch.zeros(3, device=device); dist.recv(y, 0); assert y.tolist() == [1, 1, 1]
dist.barrier(); dist.destroy_process_group(); print("done", rank)
"""

WRAPPERS = """
import sys, warnings, torch, torch.distributed as dist
warnings.simplefilter("ignore")
from torch.nn.parallel import DistributedDataParallel
from torch.distributed.fsdp import fully_shard, MixedPrecisionPolicy
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import distribute_tensor, DTensor, Shard, Replicate
dist.init_process_group("neuron")
size = dist.get_world_size()

def model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))

def train(net):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2, foreach=True)
    for step in range(3):
        x = torch.randn(6, 8, generator=torch.Generator().manual_seed(step)).to("neuron")
        optimizer.zero_grad(); net(x).square().mean().backward(); optimizer.step()
    return [p.full_tensor() if isinstance(p, DTensor) else p.detach() for p in net.parameters()]

plain = train(model().to("neuron"))
same = lambda got: all(torch.equal(a, b) if size == 1 else torch.allclose(a, b, atol=1e-6) for a, b in zip(plain, got))
assert same(train(DistributedDataParallel(model().to("neuron"))))
mesh = init_device_mesh("neuron", (size,))
net = model().to("neuron"); fully_shard(net[0], mesh=mesh); fully_shard(net, mesh=mesh)
assert same(train(net))
half = model().to("neuron"); fully_shard(half, mesh=mesh, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
train(half)
d = distribute_tensor(torch.arange(8.0, device="neuron"), mesh, [Shard(0)])
assert (d * 2).redistribute(mesh, [Replicate()]).to_local().tolist() == [2.0 * k for k in range(8)]
torch.manual_seed(1); r = torch.distributed.tensor.rand(8, device_mesh=mesh, placements=[Shard(0)]); assert r.full_tensor().unique().numel() == 8
print("done")
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def run_ranks(program, size, form="", streams="sync"):
    """Starts the ranks as torchrun would and returns what they printed."""
    port = free_port()
    ranks = []
    for rank in range(size):
        settings = environment(NEURON_PORT_RUN="1", NEURON_PORT_ANNOUNCED="1", RANK=str(rank), LOCAL_RANK=str(rank),
                               WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1", MASTER_PORT=port, NP_FORM=form,
                               NEURON_PORT_STREAMS=streams)  # fmt: skip
        ranks.append(subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True, env=settings))  # fmt: skip
    outputs = [rank.communicate(timeout=120) for rank in ranks]
    for rank, (_, error) in zip(ranks, outputs):
        assert rank.returncode == 0, error[-3000:]
    return [output for output, _ in outputs]


@pytest.mark.parametrize("form", ["neuron", "none", "cpu:gloo,neuron:neuron", "device_id"])
def test_collectives_of_one_process(form):
    assert "done 0" in run_ranks(COLLECTIVES, 1, form)[0]


def test_collectives_of_two_processes():
    assert len(run_ranks(COLLECTIVES, 2, "neuron")) == 2


@pytest.mark.parametrize("streams", ["sync", "chaos"])
def test_ddp_fsdp_and_dtensor_of_one_process(streams):
    assert "done" in run_ranks(WRAPPERS, 1, streams=streams)[0]


def test_profiler():
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.PrivateUse1]
    with torch.profiler.profile(activities=activities, record_shapes=True) as profile:
        with torch.profiler.record_function("my step"):
            (torch.ones(8, 8, device="neuron") @ torch.ones(8, 8, device="neuron")).sum().item()
    names = {event.key for event in profile.key_averages()}
    assert {"my step", "aten::mm"} <= names

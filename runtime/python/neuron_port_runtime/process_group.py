"""torch.distributed on device neuron: Gloo over host views of device memory.

A group moves the bytes of the tensors themselves, without a copy. Collectives are complete when they return; sends and
receives when their work is waited for. Registered as backend "neuron", the default for the device.
"""

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import ReduceOp, Work


def register():
    dist.Backend.register_backend("neuron", _create, devices=["neuron"])


def _create(store, rank, size, timeout):
    prefixed = dist.PrefixStore("neuron", store)  # a group of the user's own may use Gloo on the same store
    return NeuronProcessGroup(dist.ProcessGroupGloo(prefixed, rank, size, timeout=timeout), rank, size)


def _host(value, writes=False):
    """Host views of neuron tensors in a tensor or nested lists; CPU tensors stay."""
    if isinstance(value, (list, tuple)):
        return [_host(item, writes) for item in value]
    if value.device.type != "neuron":
        return value
    return torch.ops.neuron_port.host_view(value.detach(), writes)


class NeuronWork(Work):
    """A collective's result; `pending` is what still has to be waited for."""

    def __init__(self, result, pending=None):
        super().__init__()
        self._result = result
        self._pending = pending
        self._future = torch.futures.Future()
        if pending is None:
            self._future.set_result(result)

    def wait(self, timeout=None):
        if self._pending is not None:
            self._pending.wait()
            self._pending = None
            self._future.set_result(self._result)
        return True

    def is_completed(self):
        if self._pending is not None and self._pending.is_completed():
            self.wait()
        return self._pending is None

    def is_success(self):
        return self.is_completed()

    def synchronize(self):
        self.wait()

    def result(self):
        self.wait()
        return self._result

    def get_future(self):
        self.wait()
        return self._future


class NeuronProcessGroup(dist.ProcessGroup):
    supports_splitting = False
    supports_coalescing = False

    def __init__(self, gloo, rank, size):
        super().__init__(rank, size)
        self._gloo = gloo

    def getBackendName(self):
        return "neuron"

    # PyTorch keeps a group's name and description in its C++ backends, of which this group has none.
    def _set_group_name(self, name):
        self._group_name = name

    def _set_group_desc(self, text):
        self._group_desc = text

    @property
    def group_name(self):
        return self._group_name

    @property
    def group_desc(self):
        return self._group_desc

    def _get_backend(self, device):
        return self  # one backend for all devices of the group

    @property
    def options(self):
        return self._gloo.options

    def _run(self, name, result, written, *read, opts=None):
        extra = () if opts is None else (opts,)
        getattr(self._gloo, name)(_host(written, True), *map(_host, read), *extra).wait()
        return NeuronWork(result)

    def allreduce(self, tensors, opts=None):
        tensors = tensors if isinstance(tensors, list) else [tensors]
        return self._reduced("allreduce", tensors, tensors, opts=opts or dist.AllreduceOptions())

    def allreduce_coalesced(self, tensors, opts=None):
        for tensor in tensors:
            plain = dist.AllreduceOptions()
            plain.reduceOp = opts.reduceOp if opts else ReduceOp.SUM
            self.allreduce([tensor], plain)
        return NeuronWork(tensors)

    def reduce(self, tensors, opts=None):
        return self._reduced("reduce", tensors, tensors, opts=opts)

    def _reduced(self, name, result, *arguments, opts):
        """Gloo has no average: it is a sum, divided."""
        average = opts.reduceOp == ReduceOp.AVG
        if average:
            opts.reduceOp = ReduceOp.SUM
        work = self._run(name, result, *arguments, opts=opts)
        if average:
            for tensor in result:
                tensor.div_(self.size())
        return work

    def broadcast(self, tensors, opts=None):
        return self._run("broadcast", tensors, tensors, opts=opts or dist.BroadcastOptions())

    def allgather(self, outputs, inputs, opts=None):
        return self._run("allgather", outputs, outputs, inputs)

    def _allgather_base(self, output, input, opts=None):
        parts = list(output.view(self.size(), *input.shape).unbind(0)) if output.numel() else [output]
        self._run("allgather", [output], [parts], [input.contiguous()])
        return NeuronWork([output])

    def allgather_into_tensor_coalesced(self, outputs, inputs, opts=None):
        for output, input in zip(outputs, inputs):
            self._allgather_base(output, input)
        return NeuronWork(outputs)

    def reduce_scatter(self, outputs, inputs, opts=None):
        opts = opts or dist.ReduceScatterOptions()
        for output, parts in zip(outputs, inputs):
            total = torch.stack(list(parts)).contiguous()
            plain = dist.AllreduceOptions()
            plain.reduceOp = opts.reduceOp
            self.allreduce([total], plain)
            output.copy_(total[self.rank()])
        return NeuronWork(outputs)

    def _reduce_scatter_base(self, output, input, opts=None):
        parts = list(input.view(self.size(), *output.shape).unbind(0)) if output.numel() else [input]
        self.reduce_scatter([output], [parts], opts)
        return NeuronWork([output])

    def reduce_scatter_tensor_coalesced(self, outputs, inputs, opts=None):
        for output, input in zip(outputs, inputs):
            self._reduce_scatter_base(output, input, opts)
        return NeuronWork(outputs)

    def gather(self, outputs, inputs, opts=None):
        return self._run("gather", outputs, outputs, inputs, opts=opts)

    def scatter(self, outputs, inputs, opts=None):
        return self._run("scatter", outputs, outputs, inputs, opts=opts)

    def alltoall_base(self, output, input, output_sizes, input_sizes, opts=None):
        self._gloo.alltoall_base(_host(output, True), _host(input.contiguous()), output_sizes, input_sizes).wait()
        return NeuronWork([output])

    def alltoall(self, outputs, inputs, opts=None):
        received = [output.flatten() for output in outputs]
        joined = torch.empty(sum(x.numel() for x in received), dtype=inputs[0].dtype, device=inputs[0].device)
        sent = torch.cat([x.flatten() for x in inputs])
        sizes = [[x.numel() for x in side] for side in (outputs, inputs)]
        self.alltoall_base(joined, sent, *sizes)
        for output, part in zip(outputs, joined.split(sizes[0])):
            output.copy_(part.view_as(output))
        return NeuronWork(outputs)

    # The names since torch 2.13.
    all_gather_single = _allgather_base
    all_gather_single_coalesced = allgather_into_tensor_coalesced
    reduce_scatter_single = _reduce_scatter_base
    reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced
    all_to_all_single = alltoall_base

    def barrier(self, opts=None):
        self._gloo.barrier().wait()
        return NeuronWork([])

    def send(self, tensors, to, tag=0):
        return NeuronWork(tensors, self._gloo.send(_host(tensors), to, tag))

    def recv(self, tensors, source, tag=0):
        return NeuronWork(tensors, self._gloo.recv(_host(tensors, True), source, tag))

    def recv_anysource(self, tensors, tag=0):
        return NeuronWork(tensors, self._gloo.recv_anysource(_host(tensors, True), tag))

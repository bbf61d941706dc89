"""NKI kernels on neuron tensors: called directly, registered as ops, differentiated, traced with fake tensors."""

import nki
import nki.isa as nisa
import nki.language as nl
import pytest
import torch
import torch_neuronx
from torch._subclasses.fake_tensor import FakeTensorMode


@nki.jit
def scaled(x, factor):
    """factor * x for a float32 or bfloat16 matrix of up to 128 rows."""
    y = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=factor)
    nisa.dma_copy(dst=y, src=tile)
    return y


@nki.jit
def twice_and_thrice(x):
    results = []
    for factor in (2.0, 3.0):
        y = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        tile = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x)
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=factor)
        nisa.dma_copy(dst=y, src=tile)
        results.append(y)
    return tuple(results)


@torch_neuronx.nki_op("np_device_test::scale", mutates_args=())
def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    return scaled(x, factor)


def scale_context(ctx, inputs, output):
    ctx.factor = inputs[1]


scale.register_autograd(lambda ctx, grad: (scale(grad.contiguous(), ctx.factor), None), setup_context=scale_context)


@torch_neuronx.nki_op("np_device_test::scale_", mutates_args={"x"})
def scale_in_place(x: torch.Tensor, factor: float) -> None:
    x.copy_(scaled(x, factor))


def test_direct_call():
    x = torch.randn(5, 7)
    y = scaled(x.to("neuron"), 3.0)
    assert y.is_neuron and torch.equal(y.cpu(), x * 3)


def test_strided_views_and_several_results():
    base = torch.randn(8, 6)
    twice, thrice = twice_and_thrice(base.to("neuron").t()[1:4, ::2])
    expected = base.t()[1:4, ::2]
    assert torch.equal(twice.cpu(), expected * 2) and torch.equal(thrice.cpu(), expected * 3)


def test_bfloat16_both_ways():
    x = torch.randn(4, 4).bfloat16()
    y = scaled(x.to("neuron"), 2.0)
    assert y.dtype == torch.bfloat16 and torch.equal(y.cpu(), x * 2)


def test_op_runs_and_has_gradients():
    x = torch.randn(3, 4, device="neuron", requires_grad=True)
    y = torch.ops.np_device_test.scale(x, 2.5)
    assert torch.equal(y.detach().cpu(), x.detach().cpu() * 2.5)
    y.sum().backward()
    assert torch.equal(x.grad.cpu(), torch.full((3, 4), 2.5))


def test_mutating_op():
    x = torch.ones(2, 3, device="neuron")
    version = x._version
    torch.ops.np_device_test.scale_(x, 4.0)
    assert (x.cpu() == 4).all() and x._version > version


def test_fake_kernel_gives_the_type_without_running():
    with FakeTensorMode():
        y = torch.ops.np_device_test.scale(torch.empty(3, 9, device="neuron"), 2.0)
    assert y.shape == (3, 9) and y.dtype == torch.float32 and y.device.type == "neuron"


def test_op_is_well_formed():
    arguments = (torch.randn(3, 4, device="neuron", requires_grad=True), 2.0)
    torch.library.opcheck(torch.ops.np_device_test.scale.default, arguments, test_utils=("test_schema", "test_faketensor"))


def test_compiled_graph_holds_the_op():
    graphs = []

    def backend(graph, inputs):
        graphs.append([str(node.target) for node in graph.graph.nodes if node.op == "call_function"])
        return graph.forward

    x = torch.randn(3, 4, device="neuron")
    y = torch.compile(lambda t: torch.ops.np_device_test.scale(t, 2.0) + 1, backend=backend, fullgraph=True)(x)
    assert torch.equal(y.cpu(), x.cpu() * 2 + 1)
    assert any("np_device_test.scale" in target for target in graphs[0])


def test_other_devices_are_refused():
    with pytest.raises(RuntimeError, match="kernel 'scaled' takes tensors on one neuron device, got 'cpu'; move them"):
        scaled(torch.ones(2, 2), 2.0)
    with pytest.raises(RuntimeError, match="got 'cpu', 'neuron:0'"):
        torch_neuronx.call_kernel(scaled, (torch.ones(2, 2, device="neuron"), torch.ones(1)))
    with pytest.raises(NotImplementedError, match="np_device_test::scale"):
        torch.ops.np_device_test.scale(torch.ones(2, 2), 2.0)


def test_bad_registrations():
    with pytest.raises(ValueError, match="'no_namespace' is not an op name; write it as 'namespace::op'"):
        torch_neuronx.nki_op("no_namespace", mutates_args=())(lambda x: x)
    with pytest.raises(ValueError, match="x.*must have a type annotation|type annotation"):
        torch_neuronx.nki_op("np_device_test::untyped", mutates_args=())(lambda x: x)


def test_op_tracking():
    torch_neuronx.clear_op_tracking()
    x = torch.eye(3, device="neuron")
    torch.linalg.qr(x @ x)
    assert "aten::mm" in torch_neuronx.get_executed_ops()
    assert torch_neuronx.get_fallback_ops() == ["aten::linalg_qr"]
    torch_neuronx.clear_op_tracking()
    assert torch_neuronx.get_executed_ops() == []

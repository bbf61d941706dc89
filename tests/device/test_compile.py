"""torch.compile(backend="neuron"): eager's numbers, the real backend's checks, shapes and graph breaks counted."""

import warnings

import pytest
import torch
from models import ConvNet, Gpt, gpt_batch, image_batch
from neuron_port_runtime import compiled


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled.clear()


@pytest.mark.parametrize("make_model, batch", [(Gpt, gpt_batch), (ConvNet, image_batch)], ids=["gpt", "convnet"])
def test_forward_and_backward_are_those_of_eager(make_model, batch):
    inputs, targets = (tensor.to("neuron") for tensor in batch(0))
    gradients = []
    for wrap in (lambda model: model, lambda model: torch.compile(model, backend="neuron", fullgraph=True)):
        torch.manual_seed(0)
        model = make_model().to("neuron")
        outputs = wrap(model)(inputs)
        torch.nn.functional.cross_entropy(outputs.flatten(0, -2), targets.flatten()).backward()
        gradients.append([outputs.detach()] + [p.grad for p in model.parameters()])
    assert all(torch.equal(a, b) for a, b in zip(*gradients))


def test_every_shape_counts_as_a_compilation():
    double = torch.compile(lambda x: x * 2, backend="neuron")
    for rows in (1, 2, 3, 3, 2):
        assert double(torch.ones(rows, 2, device="neuron")).shape == (rows, 2)
    (graph,) = compiled.graphs()
    assert (graph["compilations"], graph["calls"]) == (3, 5)
    assert graph["sites"][0]["path"] == __file__


def test_graph_breaks_are_reported():
    def broken(x):
        y = x + 1
        print(end="")
        torch._dynamo.graph_break()
        return y * 2

    torch.compile(broken, backend="neuron")(torch.ones(2, device="neuron"))
    assert sum(graph["graph_breaks"] for graph in compiled.graphs()) >= 1
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(broken, backend="neuron", fullgraph=True)(torch.ones(2, device="neuron"))


def test_dynamic_shapes_are_refused():
    with pytest.raises(Exception, match="backend 'neuron' does not take dynamic=True"):
        torch.compile(lambda x: x * 3, backend="neuron", dynamic=True)(torch.ones(2, device="neuron"))


def test_modes_are_ignored_with_a_warning():
    with pytest.warns(UserWarning, match="backend 'neuron' ignores mode='max-autotune'"):
        torch.compile(lambda x: x * 4, backend="neuron", mode="max-autotune")(torch.ones(2, device="neuron"))


def test_unknown_options():
    with pytest.raises(Exception, match="backend 'neuron' has no option 'fast'"):
        torch.compile(lambda x: x * 5, backend="neuron", options={"fast": 1})(torch.ones(2, device="neuron"))


def test_cpu_inputs_move_to_the_device(monkeypatch):
    def ramp(x):
        return x + torch.arange(3.0)

    result = torch.compile(ramp, backend="neuron")(torch.ones(3))
    assert result.is_neuron and result.tolist() == [1, 2, 3]
    torch._dynamo.reset()
    monkeypatch.setenv("TORCH_NEURONX_DYNAMO_DISABLE_CPU_AUTOCOPY", "1")
    with pytest.raises(Exception, match="the compiled function got CPU tensors"):
        torch.compile(ramp, backend="neuron")(torch.ones(3))


def test_cpu_parameters_cannot_be_trained():
    model = torch.nn.Linear(2, 2)
    with pytest.raises(Exception, match="cannot be trained on neuron; move the module"):
        torch.compile(model, backend="neuron")(torch.ones(1, 2)).sum().backward()


def test_inductor_says_what_to_do():
    with pytest.raises(Exception, match='does not compile for device neuron; use torch.compile.*backend="neuron"'):
        torch.compile(lambda x: (x @ x).relu())(torch.ones(2, 2, device="neuron"))


def test_the_default_backend_can_be_set():
    before = torch.compiler.get_default_backend()
    torch.compiler.set_default_backend("neuron")
    try:
        assert torch.compile(lambda x: x + 6)(torch.ones(2, device="neuron")).tolist() == [7, 7]
    finally:
        torch.compiler.set_default_backend(before)
    assert len(compiled.graphs()) == 1


def test_streams_in_a_compiled_region():
    def on_a_stream(x):
        stream = torch.neuron.Stream()
        with torch.neuron.stream(stream):
            y = x + 1
        torch.neuron.current_stream().wait_stream(stream)
        return y * 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.compile(on_a_stream, backend="neuron")(torch.ones(2, device="neuron")).tolist() == [4, 4]
    assert torch.neuron.current_stream() == torch.neuron.default_stream()

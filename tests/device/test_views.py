"""Views share bytes with their base; in-place, out= and resizing act on the caller's own tensor objects."""

import pytest
import torch

VIEWS = {
    "view": lambda t: t.view(6, 4),
    "reshape": lambda t: t.reshape(2, 12),
    "transpose": lambda t: t.transpose(0, 1),
    "slice": lambda t: t[1:3, ::2],
    "select": lambda t: t[2],
    "diagonal": lambda t: t.diagonal(),
    "unfold": lambda t: t.unfold(1, 3, 2),
    "expand": lambda t: t[:, :1].expand(4, 5),
    "chunk": lambda t: t.chunk(2, 1)[1],
    "squeeze": lambda t: t.unsqueeze(0).squeeze(0),
    "as_strided": lambda t: t.as_strided((2, 2), (7, 2), 3),
    "permute": lambda t: t.view(2, 2, 6).permute(2, 0, 1),
    "detach": lambda t: t.detach(),
    "view dtype": lambda t: t.view(torch.int32),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_alias_their_base(name):
    base = torch.arange(24.0).view(4, 6)
    moved = base.to("neuron")
    expected, view = VIEWS[name](base), VIEWS[name](moved)
    assert view.untyped_storage().data_ptr() == moved.untyped_storage().data_ptr()
    geometry = [(t.shape, t.stride(), t.storage_offset()) for t in (view, expected)]
    assert geometry[0] == geometry[1]
    assert torch.equal(view.cpu(), expected)
    if name != "expand":
        view.add_(1)
        expected.add_(1)
        assert torch.equal(moved.cpu(), base)


def test_in_place_returns_the_same_object_and_bumps_the_version():
    x = torch.ones(3, device="neuron")
    version = x._version
    assert x.mul_(2) is x and x._version == version + 1
    assert x.t_() is x
    assert x.unsqueeze_(0) is x and x.shape == (1, 3)


def test_out_argument_is_written_and_resized():
    out = torch.empty(0, device="neuron")
    result = torch.add(torch.ones(2, 3, device="neuron"), 1, out=out)
    assert result is out and out.shape == (2, 3) and out.cpu().tolist() == [[2] * 3] * 2
    strided = torch.empty(3, 2, device="neuron").t()
    torch.mul(torch.ones(2, 3, device="neuron"), 5, out=strided)
    assert strided.stride() == (1, 2) and (strided.cpu() == 5).all()
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.add(torch.ones(2, device="neuron"), 0.5, out=torch.empty(2, dtype=torch.int32, device="neuron"))


def test_resize_and_storage():
    x = torch.arange(6.0, device="neuron")
    x.resize_(2, 3)
    assert x.cpu().tolist() == [[0, 1, 2], [3, 4, 5]]
    x.resize_(4, 3)
    assert x.cpu()[:2].tolist() == [[0, 1, 2], [3, 4, 5]] and x.untyped_storage().nbytes() == 48
    storage = x.untyped_storage()
    storage.resize_(0)
    assert storage.nbytes() == 0
    storage.resize_(48)
    x.fill_(7)
    assert (x.cpu() == 7).all()
    clone = storage.clone()
    assert clone.device.type == "neuron" and clone.nbytes() == 48


def test_set_shares_and_checks_devices():
    x, y = torch.zeros(2, 2, device="neuron"), torch.ones(4, device="neuron")
    x.set_(y)
    x[0] = 5
    assert y.cpu()[0] == 5
    with pytest.raises(RuntimeError, match="devices must match|different device"):
        x.set_(torch.ones(4).untyped_storage(), 0, (4,), (1,))


def test_overlapping_writes_are_refused_as_on_the_cpu():
    x = torch.zeros(1, device="neuron").expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        x.add_(1)


def test_empty_and_zero_dimensional():
    assert torch.empty(0, 3, device="neuron").sum().item() == 0
    scalar = torch.tensor(2.5, device="neuron")
    assert scalar.dim() == 0 and (scalar * torch.ones(2, device="neuron")).cpu().tolist() == [2.5, 2.5]
    assert torch.cat([torch.empty(0, device="neuron"), torch.ones(2, device="neuron")]).shape == (2,)


def test_complex_views():
    z = torch.randn(3, dtype=torch.complex64)
    moved = z.to("neuron")
    assert torch.equal(moved.conj().cpu(), z.conj()) and moved.conj().is_conj()
    assert torch.equal(moved.real.cpu(), z.real) and torch.equal(torch.view_as_real(moved).cpu(), torch.view_as_real(z))
    assert torch.equal((moved.conj() @ moved).cpu(), z.conj() @ z)


def test_an_argument_that_comes_back_as_a_result_stays_the_callers():
    library = torch.library.Library("np_views_test", "DEF")
    library.define("first(Tensor x, Tensor y) -> Tensor")
    library.impl("first", lambda x, y: x, "CPU")
    scalar = torch.tensor(7.0)
    address = scalar.data_ptr()
    result = torch.ops.np_views_test.first(scalar, torch.ones(2, device="neuron"))
    assert result.is_neuron and result.item() == 7
    result.fill_(1)
    del result
    assert scalar.data_ptr() == address and scalar.item() == 7


def test_packed_sequence_keeps_batch_sizes_on_the_host():
    x = torch.randn(3, 5, 2)
    lengths = torch.tensor([5, 3, 1])
    packed = torch.nn.utils.rnn.pack_padded_sequence(x.to("neuron"), lengths, batch_first=True)
    assert packed.data.is_neuron and packed.batch_sizes.device.type == "cpu"
    padded, back = torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    on_cpu = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
    expected, _ = torch.nn.utils.rnn.pad_packed_sequence(on_cpu, batch_first=True)
    assert torch.equal(padded.cpu(), expected) and torch.equal(back, lengths)


def test_channels_last():
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    moved = x.to("neuron")
    assert moved.stride() == x.stride() and torch.equal(moved.cpu(), x)


def test_data_dependent_shapes():
    x = torch.tensor([[0.0, 1], [2, 0]])
    moved = x.to("neuron")
    assert torch.equal(moved.nonzero().cpu(), x.nonzero())
    assert torch.equal(moved[moved > 0].cpu(), x[x > 0])
    assert torch.equal(torch.unique(moved).cpu(), torch.unique(x))
    assert torch.equal(moved[torch.tensor([1, 0])].cpu(), x[[1, 0]])  # indices may stay on the CPU, as with CUDA


def test_histograms_of_integers_as_on_other_accelerators():
    experts = torch.tensor([0, 3, 1, 3, 2, 3])
    for dtype in (torch.int32, torch.int64, torch.uint8):
        counts = torch.histc(experts.to("neuron", dtype), bins=4, min=0, max=3)
        assert counts.dtype == dtype and counts.tolist() == [1, 1, 1, 3]
    x = torch.randn(50)
    assert torch.equal(torch.histc(x.to("neuron"), bins=7).cpu(), torch.histc(x, bins=7))


def test_indexing_in_torchscript():
    @torch.jit.script
    def double(x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        x = x.clone()
        x[i] = x[i] * 2
        return torch.cat([x, x[:, i], x[i[0]].unsqueeze(0).expand(3, 3)])

    x, i = torch.arange(9.0).view(3, 3), torch.tensor([2, 0, 1])
    for _ in range(3):  # the third call runs the optimized graph
        assert torch.equal(double(x.to("neuron"), i.to("neuron")).cpu(), double(x, i))

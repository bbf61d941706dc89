"""What the device does not have is refused in a sentence, never computed on the quiet."""

import pytest
import torch

X = torch.ones(2, 2)


def on_neuron():
    return X.to("neuron")


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: on_neuron() + X,
        lambda: on_neuron() @ X,
        lambda: torch.cat([on_neuron(), X]),
        lambda: torch.nn.functional.linear(on_neuron(), X),
        lambda: torch.nn.functional.embedding(torch.tensor([0, 1]), on_neuron()),
        lambda: torch.add(on_neuron(), 1, out=X.clone()),
        lambda: torch._foreach_add([on_neuron()], [X]),
        lambda: torch.where(on_neuron() > 0, on_neuron(), X),
    ],
)
def test_mixed_devices(attempt):
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device.*neuron:0 and cpu"):
        attempt()


def test_two_neuron_devices():
    with pytest.raises(RuntimeError, match="at least two devices, neuron:0 and neuron:1"):
        on_neuron() + X.to("neuron:1")


def test_cpu_scalars_are_accepted():
    assert (on_neuron() * torch.tensor(3.0)).cpu().tolist() == [[3, 3], [3, 3]]


def test_numpy_needs_a_copy_first():
    with pytest.raises(TypeError, match="to numpy. Use Tensor.cpu()"):
        on_neuron().numpy()


@pytest.mark.parametrize(
    "attempt, kind",
    [
        (lambda: on_neuron().to_sparse(), "sparse"),
        (lambda: on_neuron().to_sparse_csr(), "sparse"),
        (lambda: torch.sparse_coo_tensor([[0], [1]], [1.0], (2, 2), device="neuron"), "sparse"),
        (lambda: X.to_sparse().to("neuron"), "sparse"),
        (lambda: torch.quantize_per_tensor(on_neuron(), 0.1, 0, torch.qint8), "quantized"),
        (lambda: torch.quantize_per_tensor(X, 0.1, 0, torch.qint8).to("neuron"), "quantized"),
        (lambda: torch.nested.nested_tensor([X, X], device="neuron") + 1, "nested"),
        (lambda: on_neuron().to_mkldnn(), "mkldnn"),
    ],
)
def test_tensor_kinds(attempt, kind):
    with pytest.raises((RuntimeError, NotImplementedError), match=rf"device neuron has no {kind}.*tensors; use a dense tensor"):
        attempt()


def test_dlpack():
    for export in (torch.utils.dlpack.to_dlpack, lambda t: t.__dlpack__(), torch.from_dlpack):
        with pytest.raises(BufferError, match="device neuron cannot export its memory through DLPack; copy the tensor with .cpu"):
            export(on_neuron())
    assert torch.from_dlpack(X).equal(X)


def test_shared_memory():
    with pytest.raises(NotImplementedError, match="cannot be shared between processes"):
        on_neuron().share_memory_()
    assert X.clone().share_memory_().is_shared()


def test_work_in_a_forked_child_is_refused():
    import multiprocessing

    def child(queue):
        try:
            torch.ones(2, device="neuron")
            queue.put("worked")
        except RuntimeError as error:
            queue.put(str(error))

    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    assert "Cannot re-initialize neuron in forked subprocess" in queue.get(timeout=30)
    process.join()


def test_an_op_without_a_cpu_kernel():
    library = torch.library.Library("np_refusal_test", "DEF")
    library.define("only_cuda(Tensor x) -> Tensor")
    library.impl("only_cuda", lambda x: x, "CUDA")
    with pytest.raises(NotImplementedError, match="'np_refusal_test::only_cuda' on device neuron: the op has no kernel"):
        torch.ops.np_refusal_test.only_cuda(on_neuron())


def test_errors_of_cpu_kernels_come_through_and_leave_the_device_usable():
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        on_neuron() @ torch.ones(3, 3, device="neuron")
    with pytest.raises(IndexError):
        on_neuron()[5]
    with pytest.raises(RuntimeError, match="negative dimension"):
        torch.empty(-1, device="neuron")
    assert torch.accelerator.memory_allocated() >= 0 and on_neuron().sum().item() == 4

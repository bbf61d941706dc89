"""Policies and what is counted of an op: the facts behind the device report."""

import warnings

import pytest
import torch
from neuron_port_runtime import findings, op_table, report, report_text


@pytest.fixture
def strict():
    torch.ops.neuron_port.set_policy("strict")
    yield
    torch.ops.neuron_port.set_policy("warn")


def matrix():
    return torch.tensor([[2.0, 1.0], [1.0, 3.0]], device="neuron")


def test_a_fallback_warns_once():
    x = matrix()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.linalg.cholesky_ex(x)
        torch.linalg.cholesky_ex(x)
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 1 and "'aten::linalg_cholesky_ex' is not an op of Trainium: it runs on the CPU there" in texts[0]


def test_strict_refuses_fallbacks_float64_and_channels_last(strict):
    x = matrix()
    with pytest.raises(NotImplementedError, match="'aten::linalg_inv_ex' is not an op of Trainium.*The policy is strict"):
        torch.linalg.inv(x)
    with pytest.raises(NotImplementedError, match="float64, which Trainium computes in float32"):
        x.double() + 1
    with pytest.raises(NotImplementedError, match="complex numbers"):
        torch.ones(2, dtype=torch.complex64, device="neuron") * 2
    with pytest.raises(NotImplementedError, match="channels_last, and Trainium has contiguous tensors only"):
        torch.ones(1, 2, 3, 4, device="neuron").to(memory_format=torch.channels_last)
    assert torch.equal((x @ x).cpu(), x.cpu() @ x.cpu())


def test_a_policy_that_does_not_exist():
    with pytest.raises(ValueError, match="the policy is 'lenient'; choose one of"):
        torch.ops.neuron_port.set_policy("lenient")


def test_counts_bytes_types_and_shapes():
    x = torch.ones(4, 8, device="neuron", requires_grad=True)
    torch.ops.neuron_port.clear_ops()
    for rows in (1, 2, 4, 4, 2):
        (x[:rows] @ x.t()).sum().backward()
    mm = report.op_records()["aten::mm"]
    assert mm["calls"] == 15 and mm["backward_calls"] == 10 and mm["shapes"] >= 3
    torch.ops.neuron_port.clear_ops()
    x.detach().long() + 1
    x.detach().double() + 1
    add = report.op_records()["aten::add.Tensor"]
    assert add["int64_calls"] == 1 and add["float64_calls"] == 1
    assert add["bytes_in"] == 32 * 8 * 2 and add["bytes_out"] == 32 * 8 * 2


def test_host_synchronisations_name_the_line():
    x = torch.ones(3, device="neuron")
    torch.ops.neuron_port.clear_ops()

    def read():
        return x.sum().item()

    for _ in range(3):
        read()
    (place,) = findings.places(report.call_sites("aten::_local_scalar_dense"))
    assert place["function"] == "read" and place["path"] == __file__ and place["count"] == 3
    x.cpu()
    assert report.op_records()["neuron::copy_to_host"]["bytes_out"] == 12


def test_the_report_ranks_what_distorts_before_what_slows():
    torch.ops.neuron_port.clear_ops()
    x = matrix()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.linalg.qr(x)
    x.double() * 2
    x.sum().item()
    process = report.process_report()
    kinds = [finding["kind"] for finding in findings.rank([process])]
    assert kinds.index("float64") < kinds.index("fallback") < kinds.index("host-sync")
    data = {"version": 2, "processes": [process], "findings": findings.rank([process])}
    text, page = report_text.text(data), report_text.html(data)
    assert "aten::linalg_qr: 1 calls" in text and __file__ in text
    assert page.startswith("<!doctype html>") and "aten::linalg_qr: 1 calls" in page


def test_the_table_names_ops_that_exist():
    known = {name.split(".")[0] for name in torch._C._dispatch_get_all_op_names()}
    unknown = [op for op in op_table.rows() if op not in known]
    assert unknown == []
    assert {row["evidence"] for row in op_table.table()["rows"]} <= op_table.table()["evidence"].keys()
    assert op_table.entry("aten::mm.out")["runs"] == "native" and op_table.entry("aten::cdist")["runs"] == "unknown"

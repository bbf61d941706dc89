"""Tracing: the text, equality with the symbolic program, the command line, data assumptions."""

import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

import nki

import kernels

SYMBOLIC_SOFTMAX = """
kernel @softmax(in %x: f32[M, N], out %y: f32[M, N]) sizes(M, N) {
  for r in 0..M step 128 {
    let p = min(128, M - r)
    tile %t: sbuf f32[p <= 128, N]
    tile %low, %total: sbuf f32[p <= 128, 1]
    dma_copy %t, %x[r+:p, 0:N]
    tensor_reduce %low, maximum, %t, [1], negate=true
    activation %t, exp, %t, bias=%low, reduce_op=add, reduce_res=%total, reduce_cmd=reset_reduce
    reciprocal %total, %total
    tensor_scalar %t, %t, multiply, %total
    dma_copy %y[r+:p, 0:N], %t
  }
}
"""


@pytest.mark.parametrize("shape", [(3, 67), (129, 5), (300, 64)])
def test_trace_equals_the_instantiated_program(shape):
    program = nki.Program(SYMBOLIC_SOFTMAX, dict(zip("MN", shape)))
    assert nki.trace_text(kernels.softmax, (nki.ShapeOnly(shape, "float32"), *shape)) == program.text()


def test_a_changed_instruction_changes_the_text():
    other = SYMBOLIC_SOFTMAX.replace("multiply", "add")
    traced = nki.trace_text(kernels.softmax, (nki.ShapeOnly((3, 67), "float32"), 3, 67))
    assert traced != nki.Program(other, {"M": 3, "N": 67}).text()


def test_views_become_access_patterns():
    import nki.isa as nisa
    import nki.language as nl

    def views(x, t):
        u = nl.ndarray((4, 2, 3), nl.float32, buffer=nl.sbuf)
        nisa.memset(u, 0.0)
        nisa.tensor_copy(u[0:4, 0:2, 1], t[0:4, nl.ds(2, 2)])
        nisa.tensor_copy(u.permute((0, 2, 1))[:, 0:1], t[:, 0:8:4].reshape_dim(1, (1, 2)))
        nisa.tensor_copy(u.flatten_dims(1, 2), t[..., -1:].broadcast(1, 6))
        nisa.tensor_copy(u[2].squeeze_dim(1) if False else u[0:4, 1], t[:, 5:8])

    text = nki.trace_text(kernels.copy_with(views), (nki.ShapeOnly((4, 8), "float32"),))
    lines = [line.strip() for line in text.splitlines() if "tensor_copy" in line]
    assert lines == [
        "tensor_copy %t1.ap(1, [6, 4], [3, 2]), %t0.ap(2, [8, 4], [1, 2])",
        "tensor_copy %t1.ap(0, [6, 4], [1, 1], [3, 2]), %t0.ap(0, [8, 4], [1, 1], [4, 2])",
        "tensor_copy %t1.ap(0, [6, 4], [1, 6]), %t0.ap(7, [8, 4], [0, 6])",
        "tensor_copy %t1.ap(3, [6, 4], [1, 3]), %t0.ap(5, [8, 4], [1, 3])",
    ]


def command(*arguments):
    package = pathlib.Path(nki.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "nki.trace", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package)},
    )


@pytest.fixture
def arguments(tmp_path):
    path = tmp_path / "args.json"
    path.write_text(json.dumps({"x": {"shape": [3, 67], "dtype": "float32"}, "M": 3, "N": 67}))
    return path


def test_command_prints_the_text(arguments):
    done = command(pathlib.Path(kernels.__file__), "--entry", "softmax", "--args", arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == nki.Program(SYMBOLIC_SOFTMAX, {"M": 3, "N": 67}).text()


def test_command_names_what_is_wrong(arguments, tmp_path):
    here = pathlib.Path(kernels.__file__)
    missing = command(tmp_path / "none.py", "--entry", "k", "--args", arguments)
    assert missing.returncode == 2 and "none.py" in missing.stderr
    unknown = command(here, "--entry", "softmin", "--args", arguments)
    assert unknown.returncode == 2 and "has no kernel 'softmin'" in unknown.stderr
    broken = tmp_path / "broken.py"
    broken.write_text("def k(x, M, N):\n    raise ValueError('N <= 4 does not hold')\n")
    refused = command(broken, "--entry", "k", "--args", arguments)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "nki.trace: ValueError: N <= 4 does not hold\n"


ASSUMING = """
import nki.isa as nisa
import nki.language as nl
NEURON_PORT_ENTRY = "k"
NEURON_PORT_DATA_ASSUMPTIONS = [ASSUMPTION]
def k(tok, x, V):
    y = nl.ndarray((4, 1), nl.int32, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=y, src=tok)
    return y
"""


def assuming(text):
    module = {}
    exec(ASSUMING.replace("[ASSUMPTION]", f"[{text!r}]"), module)
    return module["k"]


@pytest.mark.parametrize(
    "text, holds",
    [
        ("0 <= tok[i] < V", True),
        ("0 < tok[i] < V", False),
        ("tok[i] < V - 1", False),
        ("finite(x[i])", True),
        ("0 <= tok[i] and tok[i] <= 3", True),
    ],
)
def test_data_assumptions_are_checked(text, holds):
    tok, x = numpy.array([[0], [1], [2], [3]], numpy.int32), numpy.ones((1, 1), numpy.float32)
    if holds:
        numpy.testing.assert_array_equal(nki.run(assuming(text), (tok, x, 4))[0], tok)
    else:
        with pytest.raises(nki.AssumptionError, match="the data break the assumption"):
            nki.run(assuming(text), (tok, x, 4))


@pytest.mark.parametrize("kind", [numpy.float32, numpy.float16])
@pytest.mark.parametrize("bad", [numpy.inf, -numpy.inf, numpy.nan, None])
def test_a_maximum_that_starts_at_its_bound_has_its_data_checked(kind, bad):
    kernel = assuming("-3.4028234e38 < x[i] < 3.4028234e38")
    tok, x = numpy.zeros((4, 1), numpy.int32), numpy.full((2, 2), 6e4, kind)
    if bad is None:
        nki.run(kernel, (tok, x, 4))
        return
    x[1, 0] = bad
    with pytest.raises(nki.AssumptionError, match="break the assumption"):
        nki.run(kernel, (tok, x, 4))


def test_infinite_data_break_finite():
    tok, x = numpy.zeros((4, 1), numpy.int32), numpy.full((1, 1), numpy.inf, numpy.float32)
    with pytest.raises(nki.AssumptionError):
        nki.run(assuming("finite(x[i])"), (tok, x, 4))


def test_an_assumption_that_cannot_be_checked_is_refused():
    tok, x = numpy.zeros((4, 1), numpy.int32), numpy.ones((1, 1), numpy.float32)
    with pytest.raises(NotImplementedError, match="cannot be checked here"):
        nki.run(assuming("rows of x are sorted"), (tok, x, 4))

"""Emitted modules of the body's translated kernels, run on the stand-in at sizes never used in development.

For every kernel: what `kernel translate` says; if translated, the module's outputs equal the NumPy reference at the hold-out sizes and at random
sizes inside `where`, or the module refuses the size with ValueError. NP_TRIALS (default 50) is the number of sizes a kernel. One table line a
kernel goes to the file named by NP_BODY_TABLE.
"""

import importlib.util
import inspect
import json
import os
import pathlib
import random
import subprocess
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import references
import references_more
from test_body import BODY, BUILD, CATALOGUE, read_launch

sys.path.insert(0, str(BODY.parents[1] / "runtime/python"))
TRIALS = int(os.environ.get("NP_TRIALS", "50"))
TYPES = {"f32": "f4", "f16": "f2", "f64": "f8", "i8": "i1", "u8": "u1", "i32": "i4", "u32": "u4", "i64": "i8", "bf16": "f4"}


def value_of(text, sizes):
    names = dict(sizes, ceildiv=lambda a, b: -(-a // b), min=min, max=max)
    return eval(str(text).replace("/", "//"), {"__builtins__": {}}, names)  # our own launch files only


def random_sizes(launch, rng):
    """Sizes inside `where`: mostly small, now and then at a border; None when no draw fits."""
    for _ in range(400):
        sizes = {n: rng.choice((1, 2, rng.randint(1, 9), rng.randint(1, 40), rng.randint(1, 150))) for n in launch["sizes"]["names"]}
        if np.prod(list(sizes.values())) <= 30000 and all(value_of(w, sizes) for w in launch["sizes"]["where"]):
            return sizes
    return None


def made_input(buffer, sizes, rng):
    shape = tuple(value_of(e, sizes) for e in buffer["extent"])
    init, kind = buffer["init"], np.dtype(TYPES[buffer["type"]])
    if isinstance(init, dict) and init["kind"] == "randint":
        low, high = value_of(init["low"], sizes), value_of(init["high"], sizes)
        return rng.integers(low, high, shape).astype(kind)
    if isinstance(init, dict) and init["kind"] == "uniform":
        return rng.uniform(init["low"], init["high"], shape).astype(kind)
    if isinstance(init, dict) and init["kind"] == "sorted_offsets":
        inner = np.sort(rng.integers(0, value_of(init["total"], sizes) + 1, shape[0] - 2))
        return np.concatenate([[0], inner, [value_of(init["total"], sizes)]]).astype(kind)
    values = {"normal": rng.standard_normal, "uniform": rng.random, "zeros": np.zeros}[init](shape).astype(kind)
    if buffer["type"] == "bf16":
        return (values.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    return values


def bits(value):
    return (value.view(np.uint32) >> 16).astype(np.uint16)


def as_bits(value):
    """bf16 the way the references see it: its 16-bit pattern."""
    import nki

    return value.view(np.uint16) if not isinstance(value, nki.Bfloat16) else bits(value.to_float32())


def module_of(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, module.NEURON_PORT_ENTRY)


def call(entry, launch, sizes, inputs):
    import nki

    given = dict(sizes)
    for name, value in inputs.items():
        given[name] = nki.Bfloat16.from_float32(value) if launch["buffers"][name]["type"] == "bf16" else value.copy()
    for name, scalar in launch["scalars"].items():
        given[name] = np.array([[scalar["value"]]], TYPES[scalar["type"]])
    wanted = inspect.signature(getattr(entry, "__wrapped__", getattr(entry, "func", entry))).parameters
    got = entry(**{n: given[n] for n in wanted if n in given})
    return got if isinstance(got, tuple) else (got,)


def first_difference(name, launch, sizes, inputs, got):
    module = references if hasattr(references, name) else references_more
    buffers = launch["buffers"]
    seen = {k: bits(v) if buffers[k]["type"] == "bf16" else v for k, v in inputs.items()}
    scalars = {k: v["value"] for k, v in launch["scalars"].items()}
    with np.errstate(all="ignore"):
        want = getattr(module, name)(SimpleNamespace(**sizes), SimpleNamespace(**seen), SimpleNamespace(**scalars))
    outputs = [k for k, v in buffers.items() if v["role"] in ("out", "inout")]
    assert len(outputs) == len(got)
    rtol, atol = module.TOL.get(name, (1e-4, 1e-4))
    for key, value in zip(outputs, got):
        want_value = np.asarray(want[key])
        if buffers[key]["type"] == "bf16":
            same = np.array_equal(as_bits(value), want_value)
        elif np.issubdtype(want_value.dtype, np.integer):
            same = np.array_equal(np.asarray(value), want_value)
        else:
            least = 2e-3 if buffers[key]["type"] == "f16" else 2e-4
            same = np.allclose(np.asarray(value), want_value, rtol=max(rtol, least), atol=max(atol, least))
        if not same:
            return key
    return None


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_a_translated_kernel_is_right_at_sizes_never_tried(name, tmp_path):
    launch = read_launch(name)
    command = [BUILD / "neuron-port", "kernel", "translate", BODY / launch["source"], "--launch", BODY / f"{name}.launch.json"]
    done = subprocess.run([*command, "--output-format", "json", "--out-dir", tmp_path], capture_output=True, text=True, timeout=300)
    port = json.loads(done.stdout)["port"] if done.stdout.startswith("{") else {"status": "crashed", "reason": None}
    reason = port["reason"] or {}
    right = refused = 0
    if port["status"] == "translated":
        entry = module_of(next(tmp_path.glob("*_nki.py")))
        rng, draw = np.random.default_rng(11), random.Random(name)
        tried = [dict(zip(launch["sizes"]["names"], case)) for case in CATALOGUE[name]["hold_out"]]
        tried += filter(None, (random_sizes(launch, draw) for _ in range(TRIALS - len(tried))))
        for sizes in tried:
            inputs = {k: made_input(v, sizes, rng) for k, v in launch["buffers"].items() if v["role"] in ("in", "inout")}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    got = call(entry, launch, sizes, inputs)
            except ValueError:
                refused += 1
                continue
            assert first_difference(name, launch, sizes, inputs, got) is None, (sizes, port["spec"])
            right += 1
    if "NP_BODY_TABLE" in os.environ:
        with open(os.environ["NP_BODY_TABLE"], "a") as table:
            row = (CATALOGUE[name]["class"], name, port["status"], reason.get("code", ""), reason.get("message", ""), right, refused)
            print(*row, sep=" | ", file=table)
    if port["status"] == "translated":
        assert right > 0
    else:
        assert port["status"] in ("refused", "unsupported"), (port["status"], reason, done.stderr[-300:])

"""Cases of a topic: `good/TOPIC.cu` holds kernels, `good/TOPIC.py` describes one launch of each and what it must give.

    @case(block=64, x=f32(64), y=out("f32", 64))
    def doubled(x):
        return 2 * x

The keyword arguments are the kernel's parameters in order: buffers, integers, or scalar("f32", 0.5). The function gets
the inputs by name and returns its one output, or a dict of them. Floats are compared with the relative tolerance `tol`,
0 unless given. All kernels of a topic run in one call, as launches of one launch file.
"""

import importlib.util
import json
import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("NP_BUILD_DIR", ROOT / "build"))
GOOD = pathlib.Path(__file__).parent / "good"
TOPICS = sorted(p.stem for p in GOOD.glob("*.cu"))


class Buffer:
    def __init__(self, kind, extent, role, init):
        self.kind, self.extent, self.role, self.init = kind, extent, role, init

    def entry(self):
        entry = {"type": self.kind, "extent": [str(self.extent)], "role": self.role}
        return entry if self.role in ("out", "scratch") else {**entry, "init": self.init}


def out(kind, extent):
    return Buffer(kind, extent, "out", None)


def inout(kind, extent, init="zeros"):
    return Buffer(kind, extent, "inout", init)


def scratch(kind, extent):
    return Buffer(kind, extent, "scratch", None)


def given(kind, extent, init):
    return Buffer(kind, extent, "in", init)


def f32(extent, init="normal"):
    return given("f32", extent, init)


def ints(extent, low=-100, high=100, kind="i32"):
    return given(kind, extent, {"kind": "randint", "low": str(low), "high": str(high)})


def scalar(kind, value):
    return {"type": kind, "value": value}


class Case:
    def __init__(self, reference, options, parameters):
        self.reference, self.parameters = reference, parameters
        self.name = reference.__name__
        self.kernel = options.pop("kernel", self.name)
        self.tol = options.pop("tol", 0.0)
        self.launch = {
            "kernel": self.kernel,
            "grid": [str(n) for n in np.atleast_1d(options.pop("grid", 1))],
            "block": [str(n) for n in np.atleast_1d(options.pop("block", 32))],
            "shared": str(options.pop("shared", 0)),
        }
        assert not options, options

    def buffers(self):
        return {f"{self.name}_{k}": v.entry() for k, v in self.parameters.items() if isinstance(v, Buffer)}

    def scalars(self):
        return {f"{self.name}_{k}": v for k, v in self.parameters.items() if isinstance(v, dict) and "type" in v}

    def whole_launch(self):
        def argument(key, value):
            if isinstance(value, int):
                return str(value)
            return value if isinstance(value, dict) and "struct" in value else f"{self.name}_{key}"

        args = [argument(k, v) for k, v in self.parameters.items()]
        return {**self.launch, "args": args}

    def check(self, folder):
        def load(part, name):
            array = np.load(folder / part / f"{self.name}_{name}.npy")
            kind = self.parameters[name].kind
            if kind == "f16":
                return array.view(np.float16)
            return (array.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else array

        buffers = {k: v for k, v in self.parameters.items() if isinstance(v, Buffer)}
        inputs = {k: load("in", k) for k, v in buffers.items() if v.role in ("in", "inout")}
        results = [k for k, v in buffers.items() if v.role in ("out", "inout")]
        with np.errstate(all="ignore"):
            want = self.reference(**inputs)
        if not isinstance(want, dict):
            want = {results[0]: want}
        assert set(want) <= set(results)
        for name, value in want.items():
            got = load("out", name)
            wanted = np.asarray(value).reshape(-1)
            if self.tol:
                np.testing.assert_allclose(
                    got.reshape(-1).astype(np.float64), wanted.astype(np.float64), rtol=self.tol, atol=self.tol
                )
            else:
                np.testing.assert_array_equal(got.reshape(-1), wanted, err_msg=f"{self.name}: {name}")


def case(**options):
    names = ("kernel", "tol", "grid", "block", "shared")
    return lambda reference: Case(
        reference,
        {k: v for k, v in options.items() if k in names},
        {k: v for k, v in options.items() if k not in names},
    )


def load_topic(topic):
    spec = importlib.util.spec_from_file_location(f"simt_good_{topic}", GOOD / f"{topic}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [v for v in vars(module).values() if isinstance(v, Case)]


def kernel(request):
    """One request to neuron-port-kernel; the reply."""
    done = subprocess.run(
        [str(BUILD / "neuron-port-kernel")], input=json.dumps(request), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout)


def same_bits(a, b):
    """Whether two .npy files hold the same bits."""
    a, b = np.load(a), np.load(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if np.issubdtype(a.dtype, np.floating):  # a NaN's payload is the hardware's choice
        nan = np.isnan(a) & np.isnan(b)
        a, b = np.where(nan, 0, a), np.where(nan, 0, b)
    return a.tobytes() == b.tobytes()


def run_topic(topic, verb, folder, **more):
    cases = load_topic(topic)
    launch = {
        "version": 1,
        "source": str(GOOD / f"{topic}.cu"),
        "sizes": {"names": ["n"], "cases": [[1]]},
        "buffers": {k: v for c in cases for k, v in c.buffers().items()},
        "scalars": {k: v for c in cases for k, v in c.scalars().items()},
        "launches": [c.whole_launch() for c in cases],
    }
    path = folder / f"{topic}.launch.json"
    path.write_text(json.dumps(launch))
    return cases, kernel({"verb": verb, "launch": str(path), **more})

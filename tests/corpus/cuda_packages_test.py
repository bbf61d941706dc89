"""Published CUDA extensions on a machine without CUDA: what parses on each side, and that no kernel, launch or op is lost.

The counts come from `cuda_lexer.py`, which shares no code with the analyser."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cuda_lexer
import pytest
from sdist import NotReached, fetch

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve()
PACKAGES = json.loads((Path(__file__).parent / "cuda_packages.json").read_text())
HOST_SHARE, DEVICE_SHARE = 0.95, 0.90


def graph(folder):
    done = subprocess.run(
        [str(BUILD / "neuron-port"), "graph", str(folder), "--isolated", "--output-format", "json"],
        capture_output=True, text=True, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """(folder, graph) of every package."""
    out = []
    for name in PACKAGES:
        try:
            folder = fetch(name, tmp_path_factory.mktemp("package"), PACKAGES)
        except NotReached as error:
            pytest.skip(str(error))
        out.append((folder, graph(folder)))
    return out


def device_side(folder, file):
    command = file["command"]
    request = {"root": str(folder), "files": [file["path"]], "device_side": True, **command}
    done = subprocess.run(
        [str(BUILD / "neuron-port-clang"), "facts"], input=json.dumps(request), capture_output=True, text=True, timeout=300
    )
    return done.returncode == 0 and json.loads(done.stdout)["units"][0]["status"] == "parsed"


def cuda_files(document):
    return [file for file in document["files"] if file["path"].endswith(".cu")]


def test_host_side_parses(packages):
    bad = [(p.name, f["path"], f.get("reason")) for p, g in packages for f in cuda_files(g) if f["status"] != "analysed"]
    total = sum(len(cuda_files(g)) for _, g in packages)
    print(f"host side: {total - len(bad)} of {total} .cu files without an error")
    assert total > 100
    assert total - len(bad) >= HOST_SHARE * total, bad


def test_device_side_parses(packages):
    files = [(p, f) for p, g in packages for f in cuda_files(g)]
    with ThreadPoolExecutor(2) as pool:
        good = list(pool.map(lambda pair: device_side(*pair), files))
    bad = [(p.name, f["path"]) for (p, f), ok in zip(files, good) if not ok]
    print(f"device side: {sum(good)} of {len(files)} .cu files without an error")
    assert sum(good) >= DEVICE_SHARE * len(files), bad


def sources(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in cuda_lexer.SUFFIXES:
            yield path.relative_to(folder).as_posix(), path.read_bytes().decode("latin-1")


def test_every_kernel_is_found(packages):
    missing, count = [], 0
    for folder, document in packages:
        found = {(k["where"]["path"], k["name"]) for k in document["kernels"]}
        for path, text in sources(folder):
            for kernel in cuda_lexer.kernels(text):
                count += 1
                # A macro's argument names it: `DEFINE_KERNEL(scale)`; its uses stand elsewhere.
                if not kernel.macro and (path, kernel.name) not in found:
                    missing.append((folder.name, path, kernel.name))
    print(count, "kernels")
    assert count > 200
    assert not missing


def test_every_launch_is_found(packages):
    missing, count = [], 0
    for folder, document in packages:
        spans, macros = {}, set()
        for launch in [l for k in document["kernels"] for l in k["launches"]] + document["loose_launches"]:
            where = launch["where"]
            spans.setdefault(where["path"], []).append((where["start"], where["end"]))
            macros.add(launch["via"])
        for path, text in sources(folder):
            uses = cuda_lexer.blanked(text)
            for launch in cuda_lexer.launches(text):
                count += 1
                covered = any(start <= launch.offset < end for start, end in spans.get(path, []))
                by_macro = launch.macro and (launch.macro in macros or uses.count(launch.macro) == 1)
                inside = launch.macro and any(
                    uses[start:end].startswith(launch.macro) for start, end in spans.get(path, [])
                )
                if not covered and not by_macro and not inside:
                    missing.append((folder.name, path, text[:launch.offset].count("\n") + 1))
    print(count, "launches")
    assert count > 300
    assert not missing


def test_every_op_is_joined_or_has_a_reason(packages):
    ops = [(p.name, op) for p, g in packages for op in g["ops"]]
    silent = [(name, op["name"]) for name, op in ops if bool(op["kernels"]) == bool(op.get("no_kernel"))]
    print(len(ops), "ops,", sum(bool(op["kernels"]) for _, op in ops), "joined to kernels")
    assert len(ops) > 100
    assert not silent

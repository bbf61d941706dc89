"""Measures what users wait for and writes docs/benchmarks.md.

    make bench        all of it (about 10 minutes)

Each figure names the command it came from. Timings are medians of interleaved runs.
"""

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
NP = BUILD / "neuron-port"


def run(*argv, **kwargs):
    return subprocess.run([str(a) for a in argv], capture_output=True, text=True, **kwargs)


def seconds(*argv, **kwargs):
    start = time.perf_counter()
    result = run(*argv, **kwargs)
    return time.perf_counter() - start, result


def python_tree(folder, files=1000, seed=1):
    """A tree of the shape of real projects: one file in three names CUDA, about 160 lines a file."""
    pick = random.Random(seed)
    for i in range(files):
        cuda = i % 3 == 0
        lines = ["import math", "import torch" if cuda or i % 2 else "import os", ""]
        for f in range(10):
            lines += [f"def function_{f}(x, scale=1.0):", f'    """Doc of function {f}."""', "    total = 0"]
            lines += [f"    for i in range({pick.randint(2, 90)}):", "        total += math.sqrt(i) * scale", "    if total > 10:", "        total = total / 2"]
            if cuda:
                lines += ['    y = torch.zeros(3, device="cuda")', "    if torch.cuda.is_available():", "        y = y.cuda()", "    torch.cuda.synchronize()"]
            lines += ["    return total", ""]
        path = folder / f"package_{i % 20}" / f"module_{i}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines))


def bench_check():
    with tempfile.TemporaryDirectory() as tmp:
        python_tree(Path(tmp))
        peer = [sys.executable, "-c", "import ast,pathlib,sys\nfor p in pathlib.Path(sys.argv[1]).rglob('*.py'): ast.parse(p.read_text())", tmp]
        ours, theirs = [], []
        for _ in range(3):
            ours.append(seconds(NP, "check", "--exit-zero", "--output-format", "json", tmp)[0])
            theirs.append(seconds(*peer)[0])
        return {"what": "check, 1,000 Python files", "value": f"{1000 / statistics.median(ours):.0f} files/s",
                "peer": f"Python's ast.parse alone: {1000 / statistics.median(theirs):.0f} files/s; ratio {statistics.median(theirs) / statistics.median(ours):.2f}",
                "command": "neuron-port check --output-format json TREE"}


def bench_ruff():
    """Rows of python_speed.py; ruff comes from PyPI into an environment of its own."""
    venv = ROOT / "build" / "bench-venv"
    if not (venv / "bin/ruff").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin/pip", "install", "--quiet", "ruff"], check=True)
    out = json.loads(subprocess.check_output([sys.executable, ROOT / "tests/bench/python_speed.py", "--ruff", venv / "bin/ruff"], text=True))
    rows = [{"what": "start-up (version)", "value": f"{out['start_up_s'] * 1000:.1f} ms", "peer": "", "command": "neuron-port version"}]
    for name in ("light", "heavy"):
        tree = out[name]
        rows.append({"what": f"check, {name} tree: {tree['files']} files, {tree['megabytes']} MB, {tree['share_mentioning']:.0%} in files with torch or cuda",
                     "value": f"{tree['ours_wall_s']:.2f} s, {tree['ours_peak_mb']:.0f} MB", "peer": f"{out['ruff']}: {tree['ruff_wall_s']:.2f} s; ours / ruff {tree['wall_ratio']:.2f}",
                     "command": "tests/bench/python_speed.py"})
    return rows


def bench_kernels():
    rows = []
    cases = ROOT / "tests/cases/shared"
    for name in ["saxpy", "gelu", "bias", "lrelu", "vec4add", "rowsum_sh", "rowsum_shfl", "softmax", "layernorm", "matmul", "matmul_tiled", "transpose"]:
        launch = json.loads((cases / f"{name}.launch.json").read_text())
        took, result = seconds(NP, "kernel", "translate", cases / launch["source"], "--launch", cases / f"{name}.launch.json", "--output-format", "json")
        status = json.loads(result.stdout)["port"]["status"] if result.stdout.startswith("{") else result.stderr.strip()
        rows.append({"what": f"kernel translate {name}", "value": f"{took:.2f} s", "peer": status, "command": f"neuron-port kernel translate {launch['source']} --launch {name}.launch.json"})
    steps = time_ = 0
    for name in ["matmul", "softmax", "conv3"]:
        launch = json.loads((cases / f"{name}.launch.json").read_text())
        result = run(NP, "kernel", "run", cases / launch["source"], "--launch", cases / f"{name}.launch.json", "--output-format", "json")
        for case in json.loads(result.stdout)["cases"]:
            steps += case["instructions"]
            time_ += case["seconds"]
    rows.append({"what": "checked interpreter", "value": f"{steps / time_ / 1e6:.1f} M IR steps/s", "peer": "", "command": "neuron-port kernel run (matmul, softmax, conv3)"})
    return rows


def bench_gpt():
    result = run(NP, "run", "--", "python", "tests/bench/gpt_step.py", cwd=ROOT)
    data = json.loads(result.stdout[result.stdout.index("{"):])
    note = f"cpu {data['cpu_ms']} ms, neuron {data['neuron_ms']} ms; cpu against cpu {data['control_ratio']:.3f}; losses equal: {data['losses_equal']}"
    return {"what": "GPT training step on neuron against cpu, interleaved", "value": f"ratio {data['ratio']:.3f}", "peer": note, "command": "neuron-port run -- python tests/bench/gpt_step.py"}


def bench_build():
    rows = []
    with tempfile.TemporaryDirectory() as tmp:
        env = {**os.environ, "CCACHE_DISABLE": "1"}
        run("cmake", "--preset", "release", "-B", tmp, cwd=ROOT, env=env)
        took, result = seconds("ninja", "-C", tmp, "-j2", env=env)
        rows.append({"what": "clean build, no cache", "value": f"{took / 60:.1f} min", "peer": "ok" if result.returncode == 0 else "FAILED", "command": "ninja -j2"})
        for file in ["analyzer/base/source_text.cc", "cli/output/text.cc"]:
            os.utime(ROOT / file)
            took, _ = seconds("ninja", "-C", tmp, "neuron_port", env=env)
            rows.append({"what": f"one-file build, {file}", "value": f"{took:.1f} s", "peer": "", "command": "ninja neuron_port"})
    return rows


def main():
    rows = [bench_check(), *bench_ruff(), *bench_kernels(), bench_gpt()]
    if "--no-build" not in sys.argv:
        rows += bench_build()
    text = ["# Benchmarks", "", f"Measured by `make bench` on {platform.machine()}, {os.cpu_count()} processors. Times are noisy; ratios are interleaved within one run.", "",
            "| what | value | peer or note | command |", "|---|---|---|---|"]
    if "--no-build" in sys.argv:
        rows.append({"what": "clean and one-file build", "value": "not measured in this run", "peer": "", "command": "make bench"})
    text += [f"| {r['what']} | {r['value']} | {r['peer']} | `{r['command']}` |" for r in rows]
    (ROOT / "docs/benchmarks.md").write_text("\n".join(text) + "\n")
    print("\n".join(text))


if __name__ == "__main__":
    main()

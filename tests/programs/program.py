"""One training program: what it is, and its runs: as published, fixed on the CPU, fixed on neuron."""

import ast
import importlib.util
import json
import math
import os
import shutil
import subprocess
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from environment import HERE, TOOL, interpreter, source


@dataclass
class Run:
    code: int
    output: str
    losses: list = field(default_factory=list)
    devices: list = field(default_factory=list)
    autocast: list = field(default_factory=list)
    neuron_ops: int = 0
    neuron_calls: int = 0
    seconds: float = 0.0

    def last_lines(self):
        return "\n".join(self.output.splitlines()[-25:])


class Program:
    def __init__(self, name):
        self.name = name
        self.about = tomllib.loads((HERE / name / "program.toml").read_text())

    def unpack(self, folder):
        """`folder`/project: the program's own folder as published, beside nothing of ours but its data."""
        about = self.about
        unpacked = source(about["sdist"], about["version"], about["sha256"], folder / "unpacked")
        project = Path(shutil.copytree(unpacked / about["folder"], folder / "project"))
        if "data" in about:
            spec = importlib.util.spec_from_file_location("data", HERE / self.name / about["data"])
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.make(project)
        return project

    def run(self, project, where):
        """`where`: 'as published', 'cpu' or 'neuron'."""
        about = self.about
        noted, report = project.parent / f"{where}.json", project.parent / f"{where}-device.json"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("NEURON_", "OBSERVE_"))}
        environment |= {"OBSERVE_FILE": str(noted), "OBSERVE_STEPS": str(about.get("stop_after", 0)), "HF_HUB_OFFLINE": "1",
                        "OMP_NUM_THREADS": "2", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "NEURON_PORT_PYTHON": str(interpreter())}
        environment |= {"OBSERVE_RANDOM": about.get("random", "")} | about.get("environment", {})
        if about.get("stand_ins"):
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE / "stand_ins"), environment.get("PYTHONPATH")]))
        if where == "cpu" and about.get("cpu_as_accelerator", True):
            environment["OBSERVE_CPU"] = "1"
        arguments = [*about["command"], *about.get("arguments", {}).get(where.replace(" ", "_"), [])]
        launcher = about["launcher"] if "launcher" in about and where != "cpu" else []  # one process computes the same without
        command = ["python", *launcher, str(HERE / "observe.py"), *arguments]
        if where == "neuron":
            command = [str(TOOL), "run", "--device-report", str(report), "--", *command]
        else:
            command[0] = str(interpreter())
        start = time.monotonic()
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=900)
        run = Run(done.returncode, done.stdout + done.stderr, seconds=time.monotonic() - start)
        if noted.exists():
            seen = json.loads(noted.read_text())
            run.losses, run.devices, run.autocast = [float.fromhex(x) for x in seen["losses"]], seen["devices"], seen["autocast"]
        if report.exists() and report.stat().st_size:
            ops = [op for process in json.loads(report.read_text())["processes"] for op in process["ops"]]
            run.neuron_ops, run.neuron_calls = len({op["op"] for op in ops}), sum(op["calls"] for op in ops)
        return run


def fix(project):
    return subprocess.run([str(TOOL), "fix", "--unsafe-fixes", "--isolated", "--allow-dirty", str(project)],
                          capture_output=True, text=True, timeout=600)


def python_files(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.py")) if ".neuron-port" not in p.parts}


def parses(data):
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


def furthest_apart(one, other):
    """The largest relative difference of two series of losses."""
    if len(one) != len(other):
        return math.inf
    return max((abs(a - b) / max(abs(a), abs(b), 1e-30) if a != b else 0.0 for a, b in zip(one, other)), default=math.inf)

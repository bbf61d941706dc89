"""Times `neuron-port check` against `ruff check --isolated` on the same trees, in turn, within one run.

    .venv/bin/python tests/bench/python_speed.py --ruff PATH [--build build] [--runs 3] [--tree NAME=DIR ...]

Without --tree two trees are copied from the virtual environment: `light` (sympy, networkx, setuptools, pip: under 20 %
of the bytes are in files that mention torch or cuda) and `heavy` (torch itself). Neither tool has a cache or reads a
configuration. Prints one JSON object; ratios are medians of the paired ratios, so a busy machine does not shift them.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIGHT = ["sympy", "networkx", "setuptools", "pip", "pygments"]
HEAVY = ["torch"]


def copy_packages(names: list[str], to: Path) -> None:
    site = next((ROOT / ".venv" / "lib").glob("python3*")) / "site-packages"
    for name in names:
        for path in (site / name).rglob("*.py"):
            target = to / name / path.relative_to(site / name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def describe(tree: Path) -> dict:
    files = size = mentioning = 0
    for path in tree.rglob("*.py"):
        data = path.read_bytes()
        files, size = files + 1, size + len(data)
        if b"torch" in data or b"cuda" in data:
            mentioning += len(data)
    return {"files": files, "megabytes": round(size / 1e6, 1), "share_mentioning": round(mentioning / max(size, 1), 3)}


def timed(command: list[str]) -> tuple[float, float]:
    """Wall and processor seconds of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()[-400:]}")
    return wall, (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def peak_megabytes(command: list[str]) -> float:
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.check_output([sys.executable, "-c", code, *command])) / 1024


def compare(ours: list[str], theirs: list[str], runs: int) -> dict:
    timed(ours), timed(theirs)  # warm the page cache
    pairs = [(timed(ours), timed(theirs)) for _ in range(runs)]
    median = lambda values: round(statistics.median(values), 3)
    return {
        "ours_wall_s": median([a[0] for a, _ in pairs]), "ruff_wall_s": median([b[0] for _, b in pairs]),
        "ours_cpu_s": median([a[1] for a, _ in pairs]), "ruff_cpu_s": median([b[1] for _, b in pairs]),
        "wall_ratio": median([a[0] / b[0] for a, b in pairs]), "cpu_ratio": median([a[1] / b[1] for a, b in pairs]),
        "ours_peak_mb": round(peak_megabytes(ours), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruff", default=shutil.which("ruff"))
    parser.add_argument("--build", default=os.environ.get("NP_BUILD_DIR", "build"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tree", action="append", default=[], metavar="NAME=DIR")
    arguments = parser.parse_args()
    if not arguments.ruff:
        sys.exit("no ruff on PATH; install it (pip install ruff) or give --ruff PATH")
    tool = str((ROOT / arguments.build / "neuron-port").resolve())
    with tempfile.TemporaryDirectory() as folder:
        trees = dict(tree.split("=", 1) for tree in arguments.tree)
        if not trees:
            for name, packages in (("light", LIGHT), ("heavy", HEAVY)):
                trees[name] = str(Path(folder) / name)
                copy_packages(packages, Path(trees[name]))
        out = {"ruff": subprocess.check_output([arguments.ruff, "--version"], text=True).strip(),
               "start_up_s": round(statistics.median(timed([tool, "version"])[0] for _ in range(11)), 4)}
        for name, tree in trees.items():
            ours = [tool, "check", "--isolated", "--exit-zero", "--output-format", f"concise={folder}/findings", tree]
            theirs = [arguments.ruff, "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", "--statistics", tree]
            out[name] = describe(Path(tree)) | compare(ours, theirs, arguments.runs)
    print(json.dumps(out, indent=2))


if __name__ == "__main__":
    main()

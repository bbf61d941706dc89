"""Runs neuron-port in a process of its own, as a person does, in a folder of the test's own."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve()
TOOL = BUILD / "neuron-port"

# One finding with a safe fix, one whose fix is unsafe.
TRAIN = "import torch\n\ndevice = torch.device('cuda')\nx = torch.zeros(3, device='cuda')\ntorch.cuda.synchronize()\n"


def run(*arguments, cwd, text=True, **settings):
    """`input` is standard input; every other setting is an environment variable, None removes it."""
    feed = settings.pop("input", None)
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    environment.update({k: str(v) for k, v in settings.items() if v is not None})
    return subprocess.run(
        [str(TOOL), *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=text, input=feed, timeout=120
    )


def report(*arguments, cwd, **settings):
    """`check` as JSON; the exit code must be that of a finished analysis."""
    done = run("check", *arguments, "--output-format", "json", cwd=cwd, **settings)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def project(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def contents(folder):
    """Every file below a folder with its bytes, every folder with None."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


def assert_one_error(done, *parts):
    """Exit code 2, nothing on standard output, one error that says who speaks and names each of `parts`."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("  note: ")]
    assert len(lines) == 1 and lines[0].startswith("neuron-port: "), done.stderr
    message = lines[0].removeprefix("neuron-port: ")
    assert not message.endswith("."), message
    for part in parts:
        assert part in message, message


def git(*arguments, cwd):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=cwd, check=True, capture_output=True)

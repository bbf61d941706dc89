"""Talks to neuron-port-kernel: one JSON request in, one JSON reply out."""
import json
import os
import pathlib
import subprocess

BUILD = pathlib.Path(os.environ.get("NP_BUILD_DIR", "build"))
CASES = pathlib.Path(__file__).parent


def kernel(verb, launch, **more):
    request = {"verb": verb, "launch": str(launch), **{k: v for k, v in more.items() if v is not None}}
    done = subprocess.run(
        [str(BUILD / "neuron-port-kernel")], input=json.dumps(request), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout)


def launch_file(folder, source, kernel_name, args, buffers, grid=1, block=32, shared=0, sizes=None, scalars=None):
    """Writes a launch file beside nothing else; returns its path."""
    sizes = sizes or {"n": 64}
    text = {
        "version": 1,
        "source": str(source),
        "sizes": {"names": list(sizes), "cases": [list(sizes.values())]},
        "buffers": buffers,
        "scalars": scalars or {},
        "launches": [
            {
                "kernel": kernel_name,
                "grid": [str(g) for g in (grid if isinstance(grid, list) else [grid])],
                "block": [str(b) for b in (block if isinstance(block, list) else [block])],
                "shared": str(shared),
                "args": args,
            }
        ],
    }
    path = folder / "case.launch.json"
    path.write_text(json.dumps(text))
    return path

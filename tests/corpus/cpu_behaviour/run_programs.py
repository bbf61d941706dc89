"""Runs every Python file below a folder in this one process and writes what each printed, or raised, as JSON.

Importing torch costs more than all the programs together."""

import contextlib
import io
import json
import re
import sys
import warnings
from pathlib import Path

import torch

warnings.simplefilter("ignore")
folder, out = Path(sys.argv[1]), Path(sys.argv[2])
results = {}
for path in sorted(folder.rglob("*.py")):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(path.read_bytes(), str(path), "exec"), {"__name__": "__main__"})
        outcome = printed.getvalue()
    except Exception as error:
        outcome = f"{printed.getvalue()}{type(error).__name__}: {error}"
    results[path.relative_to(folder).as_posix()] = re.sub(r"0x[0-9a-f]+", "0x", outcome)
    torch.manual_seed(0)
out.write_text(json.dumps(results))

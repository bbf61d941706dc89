"""Programs run in a process of their own, as a user runs them."""

import os
import subprocess
import sys

from conftest import ROOT


def environment(**changes):
    """This process's environment with the packages on the path; a value None removes the variable."""
    changed = dict(os.environ, PYTHONPATH=str(ROOT / "runtime" / "python"))
    changed.update({name: value for name, value in changes.items() if value is not None})
    return {name: value for name, value in changed.items() if changes.get(name, "") is not None}


def run_python(program, **changes):
    """Runs a program with the device autoloaded by `import torch`."""
    settings = {"NEURON_PORT_RUN": "1", "NEURON_PORT_ANNOUNCED": "1", **changes}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(**settings))


def launch(arguments, **changes):
    """Runs the launcher as the CLI would."""
    command = [sys.executable, "-m", "neuron_port_runtime.launch", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(**changes))

"""Runs a program as it is and notes the losses it trains on.

    python observe.py PROGRAM.py ARGS...      python observe.py -m PACKAGE.MODULE ARGS...

Every `loss.backward()` of the program is noted with the exact value of the loss and the device it lies on. The program's
own text is not touched. Settings come from the environment, so that they reach the processes a launcher starts:

    OBSERVE_FILE   where the JSON result goes
    OBSERVE_STEPS  the program is ended, as if it had finished, when its last noted backward() returned
    OBSERVE_CPU    1: `torch.accelerator` names the CPU. A fixed program asks it where to run; so it runs on the CPU
"""

import atexit
import json
import os
import random
import runpy
import sys

import numpy
import torch


def name_the_cpu():
    """Makes the CPU the accelerator that `torch.accelerator` reports, on a torch that has none."""
    accelerator = torch.accelerator
    accelerator.is_available = lambda: True
    accelerator.device_count = lambda: 1
    accelerator.current_accelerator = lambda check_available=False: torch.device("cpu")
    accelerator.current_device_index = lambda: 0
    accelerator.set_device_index = lambda device: None
    accelerator.synchronize = lambda device=None: None
    accelerator.empty_cache = lambda: None
    torch.Tensor.pin_memory = lambda self, *_: self  # nothing to pin for


def note_losses(file, steps):
    losses, devices = [], []
    original = torch.Tensor.backward

    def backward(self, *arguments, **keywords):
        original(self, *arguments, **keywords)
        losses.append(self.detach().to("cpu", torch.float64).sum().item().hex())
        devices.append(self.device.type)
        if steps and len(losses) >= steps:
            write()
            raise SystemExit(0)

    def write():
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"losses": losses, "devices": sorted(set(devices))}, out)

    torch.Tensor.backward = backward
    atexit.register(write)


def main(arguments):
    random.seed(7)
    numpy.random.seed(7)
    torch.manual_seed(7)
    if os.environ.get("OBSERVE_CPU") == "1":
        name_the_cpu()
    note_losses(os.environ["OBSERVE_FILE"], int(os.environ.get("OBSERVE_STEPS", "0")))
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file is none of the program's
    main(sys.argv[1:])

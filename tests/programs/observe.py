"""Runs a program as it is and notes the losses it trains on.

    python observe.py PROGRAM.py ARGS...      python observe.py -m PACKAGE.MODULE ARGS...

Every `loss.backward()` of the program is noted with the exact value of the loss and the device it lies on. The program's
own text is not touched. Settings come from the environment, so that they reach the processes a launcher starts:

    OBSERVE_FILE   where the JSON result goes
    OBSERVE_STEPS  the program is ended, as if it had finished, when its last noted backward() returned
    OBSERVE_CPU    1: `torch.accelerator` names the CPU. A fixed program asks it where to run; so it runs on the CPU
    OBSERVE_RANDOM cpu: random numbers for another device are drawn on the CPU and copied there, since the devices' own random
                   streams differ by design and their losses could not be compared
"""

import atexit
import json
import os
import random
import runpy
import sys

import numpy
import torch
import torch.overrides


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


class DrawnOnTheCpu(torch.overrides.TorchFunctionMode):
    """Random factories and in-place draws, each with the CPU's generator."""

    FACTORIES = {torch.rand, torch.randn, torch.randint, torch.randperm, torch.normal}
    LIKE = {torch.rand_like, torch.randn_like, torch.randint_like, torch.bernoulli}
    IN_PLACE = {torch.Tensor.normal_, torch.Tensor.uniform_, torch.Tensor.bernoulli_, torch.Tensor.random_, torch.Tensor.exponential_}

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        keywords = dict(keywords or {})
        if function in self.FACTORIES and keywords.get("device") is not None:
            device = torch.device(keywords.pop("device"))
            return function(*arguments, **keywords).to(device)
        if function in self.LIKE and arguments[0].device.type != "cpu":
            return function(arguments[0].cpu(), *arguments[1:], **keywords).to(arguments[0].device)
        if function in self.IN_PLACE and arguments[0].device.type != "cpu":
            with torch.no_grad():
                return arguments[0].copy_(function(torch.empty_like(arguments[0], device="cpu"), *arguments[1:], **keywords))
        if function is torch.nn.functional.dropout and (arguments[2:3] or [keywords.get("training", True)])[0]:
            keep = 1.0 - (arguments[1:2] or [keywords.get("p", 0.5)])[0]
            mask = torch.empty(arguments[0].shape, dtype=arguments[0].dtype).bernoulli_(keep).div_(keep)
            return arguments[0] * mask.to(arguments[0].device)
        return function(*arguments, **keywords)


def note_losses(file, steps):
    losses, devices, lowered = [], [], set()
    original = torch.Tensor.backward
    enter = torch.autocast.__enter__
    running = []

    def backward(self, *arguments, **keywords):
        if running:  # a torch function mode has called back: still the program's one call
            return original(self, *arguments, **keywords)
        running.append(self)
        try:
            original(self, *arguments, **keywords)
        finally:
            running.pop()
        losses.append(self.detach().to("cpu", torch.float64).sum().item().hex())
        devices.append(self.device.type)
        if steps and len(losses) >= steps:
            write()
            raise SystemExit(0)

    def enter_autocast(self):
        if self._enabled:
            lowered.add((self.device, str(self.fast_dtype)))
        return enter(self)

    def write():
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"losses": losses, "devices": sorted(set(devices)), "autocast": sorted(lowered)}, out)

    torch.Tensor.backward = backward
    torch.autocast.__enter__ = enter_autocast
    atexit.register(write)


def main(arguments):
    random.seed(7)
    numpy.random.seed(7)
    torch.manual_seed(7)
    if os.environ.get("OBSERVE_CPU") == "1":
        name_the_cpu()
    note_losses(os.environ["OBSERVE_FILE"], int(os.environ.get("OBSERVE_STEPS", "0")))
    if os.environ.get("OBSERVE_RANDOM") == "cpu":
        DrawnOnTheCpu().__enter__()
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

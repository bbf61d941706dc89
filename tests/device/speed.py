"""What the device costs over the CPU: python speed.py [--rounds N]. Not a test; prints processor times, interleaved in one process.

A GPT-2-like training step (6 layers, width 256, 128 tokens, batch 4, AdamW with foreach on both sides) and single small
ops. "cpu again" is the CPU against itself: what differs there is noise.
"""

import argparse
import statistics
import time

import torch
from models import Gpt


OPS = {
    "add (unboxed)": lambda x: x + x,
    "add out of two (boxed)": lambda x: torch.add(x, x, out=x),
    "heaviside (unboxed)": lambda x: torch.heaviside(x, x),
    "hypot out (boxed)": lambda x: torch.hypot(x, x, out=x),
    "mul_ by a number": lambda x: x.mul_(1),
    "view": lambda x: x.view(4, 4),
    "select": lambda x: x[0],
    "item": lambda x: x[0].item(),
}


def step_on(device):
    torch.manual_seed(0)
    model = Gpt(vocab=1024, dim=256, heads=8, layers=6, time=128).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    tokens = torch.randint(1024, (4, 128)).to(device)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
        optimizer.step()

    return step


def processor_time(function, repeats):
    start = time.process_time()
    for _ in range(repeats):
        function()
    return (time.process_time() - start) / repeats


def interleaved(functions, rounds, repeats):
    """Processor times by name, one a round."""
    times = {name: [] for name in functions}
    for function in functions.values():
        function()
    for _ in range(rounds):
        for name, function in functions.items():
            times[name].append(processor_time(function, repeats))
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    steps = interleaved({"cpu": step_on("cpu"), "neuron": step_on("neuron"), "cpu again": step_on("cpu")}, rounds, 1)
    for name in ("neuron", "cpu again"):
        ratios = [a / b for a, b in zip(steps[name], steps["cpu"])]
        print(f"training step, {name}: {statistics.median(ratios):.3f} of the CPU's {1e3 * statistics.median(steps['cpu']):.0f} ms")
    tensors = {device: torch.ones(16, device=device) for device in ("cpu", "neuron")}
    tensors["cpu again"] = torch.ones(16)
    for op, run in OPS.items():
        times = interleaved({name: lambda x=x, run=run: run(x) for name, x in tensors.items()}, 20 * rounds, 2000)
        least = {name: 1e6 * min(values) for name, values in times.items()}
        print(f"{op}: cpu {least['cpu']:.2f} us, neuron {least['neuron'] - least['cpu']:+.2f}, cpu again {least['cpu again'] - least['cpu']:+.2f}")


if __name__ == "__main__":
    main()

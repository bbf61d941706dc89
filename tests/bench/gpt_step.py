"""Times a GPT training step on neuron against the CPU, interleaved in one process, and prints JSON.

    python tests/bench/gpt_step.py [--steps 20] [--threads 1] [--layers 6 --dim 256 --time 128 --batch 4]

A second CPU model runs in the same loop as a control: how far its ratio is from 1 is the noise of the machine. Times are
wall and process CPU seconds; ratios are medians over rounds. `foreach` is set the same on both sides, because PyTorch
chooses it for neuron and not for the CPU.
"""

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "runtime" / "python"), str(ROOT / "tests" / "device")]
os.environ.setdefault("NEURON_PORT_LIB_DIR", str(Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")) / "lib"))

import neuron_port_runtime  # noqa: E402
import torch  # noqa: E402
from models import Gpt, gpt_batch  # noqa: E402


class Trainer:
    def __init__(self, device, options):
        torch.manual_seed(0)
        self.options = options
        self.device = device
        self.model = Gpt(options.vocab, options.dim, options.heads, options.layers, options.time).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, foreach=True)

    def step(self, number):
        batch = gpt_batch(number, self.options.vocab, self.options.batch, self.options.time)
        wall, cpu = time.perf_counter(), time.process_time()
        tokens, targets = (tensor.to(self.device) for tensor in batch)
        self.optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(self.model(tokens).flatten(0, 1), targets.flatten())
        loss.backward()
        self.optimizer.step()
        value = loss.item()
        return time.perf_counter() - wall, time.process_time() - cpu, value


def measure(options):
    trainers = {name: Trainer(name.rstrip("2"), options) for name in ("cpu", "neuron", "cpu2")}
    times = {name: [] for name in trainers}
    order = list(trainers)
    for number in range(options.warmup + options.steps):
        losses = {}
        for name in order[number % 3 :] + order[: number % 3]:
            wall, cpu, losses[name] = trainers[name].step(number)
            if number >= options.warmup:
                times[name].append((wall, cpu))
        if len(set(losses.values())) != 1:
            raise SystemExit(f"losses differ at step {number}: {losses}")
    return times


def ratio(times, name, clock):
    return statistics.median(ours[clock] / base[clock] for ours, base in zip(times[name], times["cpu"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    defaults = {"steps": 20, "warmup": 3, "threads": 1, "layers": 6, "dim": 256, "heads": 8, "vocab": 1024, "time": 128, "batch": 4}
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    neuron_port_runtime.load()
    times = measure(options)
    result = {
        "benchmark": "gpt_step",
        "options": vars(options),
        "cpu_ms": round(statistics.median(wall for wall, _ in times["cpu"]) * 1000, 2),
        "neuron_ms": round(statistics.median(wall for wall, _ in times["neuron"]) * 1000, 2),
        "ratio": round(ratio(times, "neuron", 0), 4),
        "ratio_cpu_time": round(ratio(times, "neuron", 1), 4),
        "control_ratio": round(ratio(times, "cpu2", 0), 4),
        "control_ratio_cpu_time": round(ratio(times, "cpu2", 1), 4),
        "losses_equal": True,
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

"""The device report: which ops ran on `neuron`, how often, and what is known of them on the chip.

Format: {"version": 1, "processes": [PROCESS]}, a PROCESS being
{"pid", "argv", "device_count", "ops": [{"op", "calls", "on_neuron", "evidence"}]}.
Every process of a run adds itself; a lock keeps their writes apart.
"""

import atexit
import fcntl
import json
import os
import sys
from pathlib import Path

import torch

_OP_TABLE = Path(__file__).resolve().parent / "data" / "op_table.json"


def executed_ops():
    """{op: calls} since the last clear."""
    lines = (line.rsplit(" ", 1) for line in torch.ops.neuron_port.executed_ops())
    return {op: int(calls) for op, calls in lines}


def op_table():
    return json.loads(_OP_TABLE.read_text())["ops"]


def process_report():
    known = op_table()
    ops = []
    for op, calls in executed_ops().items():
        entry = known.get(op.split(".")[0], {"runs": "unknown", "evidence": "none"})
        ops.append({"op": op, "calls": calls, "on_neuron": entry["runs"], "evidence": entry["evidence"]})
    return {"pid": os.getpid(), "argv": sys.argv, "device_count": torch.ops.neuron_port.device_count(), "ops": ops}


def write_at_exit(path):
    owner = os.getpid()

    def write():
        if os.getpid() == owner:  # a forked child inherits the hook but not the work
            add_process(path, process_report())

    atexit.register(write)


def add_process(path, process):
    with open(path, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read()
        report = json.loads(text) if text else {"version": 1, "processes": []}
        report["processes"].append(process)
        file.truncate(0)
        json.dump(report, file, indent=1)

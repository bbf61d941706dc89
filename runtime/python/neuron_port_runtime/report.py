"""The device report: what a run on `neuron` would meet on Trainium, ranked by what to fix first.

JSON: {"version": 2, "processes": [PROCESS], "findings": [FINDING]}; the findings are those of all processes, worst
first. The file's name chooses the form: `.json`, `.html`, else text. Every process of a run adds itself when it ends; a
lock keeps their writes apart. For text and HTML the data are kept beside the report, in FILE.json.
"""

import atexit
import fcntl
import json
import os
import sys

import torch

from neuron_port_runtime import compiled, findings, op_table, report_text

_COLUMNS = ("placement", "synchronises", "calls", "backward_calls", "bytes_in", "bytes_out",
            "float64_calls", "int64_calls", "complex_calls", "shapes")  # fmt: skip


def op_records():
    """{op: {column: number}} since the last clear, the device's own notes ("neuron::...") included."""
    lines = (line.split("\t") for line in torch.ops.neuron_port.op_records())
    return {op: dict(zip(_COLUMNS, map(int, numbers))) for op, *numbers in lines}


def executed_ops():
    """{op: calls} since the last clear."""
    return {op: record["calls"] for op, record in op_records().items() if not op.startswith("neuron::")}


def call_sites(op):
    """Where calls of an op came from: stacks of (file, line, function), innermost first."""
    return [_frames(text) for text in torch.ops.neuron_port.op_stacks(op)]


def _frames(text):
    frames = []
    for line in text.splitlines():
        file, number, function = line.rsplit(":", 2)
        frames.append((file, int(number), function))
    return frames


def process_report():
    ops, notes = [], []
    for op, record in op_records().items():
        placement = record.pop("placement")
        record["synchronises"] = bool(record["synchronises"])
        if op.startswith("neuron::"):
            notes.append({"note": op.removeprefix("neuron::"), **record, "sites": findings.places(call_sites(op))})
            continue
        known = op_table.entry(op)
        ops.append({"op": op, "on_neuron": op_table.placement_name(placement), "evidence": known["evidence"], **record,
                    "sites": findings.places(call_sites(op))})  # fmt: skip
    return {
        "pid": os.getpid(),
        "argv": sys.argv,
        "device_count": torch.ops.neuron_port.device_count(),
        "release": op_table.table()["release"],
        "ops": ops,
        "notes": notes,
        "compiled": compiled.graphs(),
        "memory": [_memory(index) for index in range(torch.ops.neuron_port.device_count())],
    }


def _memory(index):
    stats = torch.accelerator.memory_stats(index)
    return {
        "peak_allocated": stats.get("allocated_bytes.all.peak", 0),
        "peak_reserved": stats.get("reserved_bytes.all.peak", 0),
        "capacity": torch.accelerator.get_memory_info(index)[1],
        "out_of_memory": stats.get("num_ooms", 0),
    }


def write_at_exit(path):
    owner = os.getpid()

    def write():
        if os.getpid() == owner:  # a forked child inherits the hook but not the work
            add_process(path, process_report())

    atexit.register(write)


def add_process(path, process):
    is_json = path.suffix == ".json"
    data_path = path if is_json else path.with_name(path.name + ".json")
    with open(data_path, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read() if is_json or path.exists() else ""  # data of an earlier run, whose report was removed
        report = json.loads(text) if text else {"version": 2, "processes": []}
        report["processes"].append(process)
        report["findings"] = findings.rank(report["processes"])
        file.truncate(0)
        json.dump(report, file, indent=1)
        file.flush()
        if not is_json:
            render = report_text.html if path.suffix == ".html" else report_text.text
            path.write_text(render(report), encoding="utf-8")

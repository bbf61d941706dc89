"""The op table: how single ops run on Trainium, as far as is known. Data in data/op_table.json, with sources."""

import functools
import json
from pathlib import Path

_FILE = Path(__file__).resolve().parent / "data" / "op_table.json"
_PLACEMENTS = ("unknown", "native", "composite", "fallback", "rejected")  # the library's Placement, by number
UNKNOWN = {"runs": "unknown", "evidence": "none", "source": ""}


@functools.cache
def table():
    return json.loads(_FILE.read_text())


@functools.cache
def rows():
    """{base name: {"runs", "evidence", "source"}}."""
    return {op: {key: row[key] for key in UNKNOWN} for row in table()["rows"] for op in row["ops"]}


def entry(op):
    """What is known of an op or overload ("aten::add.Tensor")."""
    return rows().get(op) or rows().get(op.split(".")[0]) or UNKNOWN


def placement_name(number):
    return _PLACEMENTS[number]


def install(ops):
    """Gives the table to the device library (`ops` is torch.ops.neuron_port)."""
    synchronising = set(table()["synchronises"]["ops"])
    names = sorted(rows().keys() | synchronising)
    placements = [_PLACEMENTS.index(entry(name)["runs"]) for name in names]
    ops.set_op_table(names, placements, [name in synchronising for name in names])

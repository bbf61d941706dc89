"""Ranks what a run met: the device report's findings. Plain data in, plain data out; knows nothing of torch.

Order: what stops or distorts a run on the chip first, then what costs time, by an estimate of how much; within a kind by
bytes or calls. Nothing here is a measurement of the chip.
"""

import collections
import os
import sysconfig

_LIBRARY_FOLDERS = tuple({sysconfig.get_paths()[key] + os.sep for key in ("purelib", "platlib", "stdlib")})
_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

# kind: (rank, what to do)
_ADVICE = {
    "out-of-memory": (0, "use a smaller batch, shard the model, or recompute activations"),
    "rejected": (1, "replace the op; Trainium does not run it"),
    "complex": (2, "compute with torch.view_as_real; Trainium has no complex numbers in general"),
    "channels-last": (3, "leave the memory format away; Trainium has contiguous tensors only"),
    "float64": (4, "convert with .float(); Trainium computes float64 in float32 and rounds"),
    "int64-overflow": (5, "keep values within 32 bits; early releases computed int64 in int32"),
    "fallback": (6, "replace the op, or move the step to the CPU once instead of per call"),
    "graph-break": (7, "each part is compiled by itself; see torch._dynamo.explain for the reason"),
    "recompile": (8, "every shape is compiled anew on the chip, which takes minutes: pad or bucket the inputs"),
    "host-sync": (9, "the host waits for the device here: keep the value on the device, or read it less often"),
    "copy-to-host": (10, "the host waits for the device here: copy less often, or non_blocking to pinned memory"),
    "unknown": (11, "not known to run natively; check AWS's operator table"),
}


def places(stacks, limit=5):
    """Where the user's code made the calls: [{"path", "line", "function", "count"}], the most frequent first."""
    counts = collections.Counter(filter(None, map(_user_frame, stacks)))
    return [{"path": path, "line": line, "function": function, "count": count}
            for (path, line, function), count in counts.most_common(limit)]  # fmt: skip


def _user_frame(stack):
    """The innermost frame outside libraries, else the innermost one."""
    for frame in stack:
        if not frame[0].startswith((*_LIBRARY_FOLDERS, _OWN_FOLDER, "<frozen", "<eval_with_key>")):
            return frame
    return stack[0] if stack else None


def rank(processes):
    """The findings of all processes, the worst first."""
    found = {}
    for process in processes:
        for finding in _of_process(process):
            _merge(found, finding)
    ordered = sorted(found.values(), key=lambda f: (_ADVICE[f["kind"]][0], -f["bytes"], -f["calls"], f["subject"]))
    return [{**finding, "advice": _ADVICE[finding["kind"]][1]} for finding in ordered]


def _of_process(process):
    for op in process["ops"]:
        if op["on_neuron"] in ("rejected", "fallback", "unknown"):
            yield _finding(op["on_neuron"], op["op"], op, bytes=op["bytes_in"] + op["bytes_out"])
        for column, kind in (("float64_calls", "float64"), ("complex_calls", "complex")):
            if op[column]:
                yield _finding(kind, op["op"], op, calls=op[column])
        if op["synchronises"]:
            yield _finding("host-sync", op["op"], op)
        if op["shapes"] > 16:
            yield _finding("recompile", op["op"], op, calls=op["shapes"])
    kinds = {"channels_last": "channels-last", "int64_overflow": "int64-overflow", "copy_to_host": "copy-to-host"}
    for note in process["notes"]:
        if note["note"] in kinds:
            yield _finding(kinds[note["note"]], note["note"], note, bytes=note["bytes_out"])
    for graph in process["compiled"]:
        if graph["compilations"] > 1:
            yield _finding("recompile", graph["name"], graph, calls=graph["compilations"])
        if graph["graph_breaks"]:
            yield _finding("graph-break", graph["name"], graph, calls=graph["graph_breaks"])
    for index, memory in enumerate(process["memory"]):
        if memory["out_of_memory"]:
            yield _finding("out-of-memory", f"neuron:{index}", {}, calls=memory["out_of_memory"])


def _finding(kind, subject, source, calls=None, bytes=0):
    calls = source.get("calls", 0) if calls is None else calls
    return {"kind": kind, "subject": subject, "evidence": source.get("evidence", "none"), "calls": calls,
            "bytes": bytes, "sites": source.get("sites", [])}  # fmt: skip


def _merge(found, finding):
    known = found.setdefault((finding["kind"], finding["subject"]), finding)
    if known is not finding:
        known["calls"] += finding["calls"]
        known["bytes"] += finding["bytes"]
        known["sites"] = known["sites"] or finding["sites"]

"""The device report for people: text and HTML from the same data."""

import html as markup

_TITLES = {
    "out-of-memory": "Out of memory",
    "rejected": "Ops that Trainium rejects",
    "complex": "Complex numbers",
    "channels-last": "channels_last",
    "float64": "float64, computed in float32 on the chip",
    "int64-overflow": "int64 values beyond 32 bits",
    "fallback": "Ops that run on the CPU there, with copies both ways",
    "graph-break": "Graph breaks",
    "recompile": "Shapes: one compilation each on the chip",
    "host-sync": "The host waits for the device",
    "copy-to-host": "Copies to the host",
    "unknown": "Ops of which nothing is known",
}
_SHOWN = 20
_NOTE = "The bundled device is a stand-in: numbers are the CPU's, times say nothing about Trainium."


def text(report):
    return "\n".join(line for heading, lines in _sections(report) for line in (heading, *(f"  {x}" for x in lines), ""))


def html(report):
    parts = ["<!doctype html><meta charset='utf-8'><title>neuron-port device report</title>",
             "<style>body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
             "li{font-family:monospace;white-space:pre-wrap}h1{font-size:1.4em}h2{font-size:1.1em}</style>",
             "<h1>neuron-port device report</h1>"]  # fmt: skip
    for heading, lines in _sections(report):
        items = "".join(f"<li>{markup.escape(line)}</li>" for line in lines)
        parts.append(f"<h2>{markup.escape(heading)}</h2><ul>{items}</ul>")
    return "\n".join(parts) + "\n"


def _sections(report):
    """(heading, lines) in the order to read them."""
    processes, found = report["processes"], report["findings"]
    calls = sum(op["calls"] for process in processes for op in process["ops"])
    ops = {op["op"]: op["on_neuron"] for process in processes for op in process["ops"]}
    by_placement = {kind: sum(1 for runs in ops.values() if runs == kind) for kind in sorted(set(ops.values()))}
    summary = [f"{len(processes)} processes, {calls} calls of {len(ops)} ops: "
               + (", ".join(f"{count} {kind}" for kind, count in by_placement.items()) or "none ran on the device"),
               f"op table: {processes[0]['release']}" if processes else "", _NOTE]  # fmt: skip
    for process in processes:
        for index, memory in enumerate(process["memory"]):
            if memory["peak_allocated"]:
                summary.append(f"process {process['pid']}, neuron:{index}: at most {_bytes(memory['peak_allocated'])} of "
                               f"{_bytes(memory['capacity'])} allocated")  # fmt: skip
    yield "Device report", [line for line in summary if line]
    for kind, title in _TITLES.items():
        members = [finding for finding in found if finding["kind"] == kind]
        if members:
            lines = [f"what to do: {members[0]['advice']}"]
            for finding in members[:_SHOWN]:
                lines += _lines(finding)
            if len(members) > _SHOWN:
                lines.append(f"and {len(members) - _SHOWN} more, in the JSON form")
            yield title, lines


def _lines(finding):
    unit = {"recompile": "shapes", "graph-break": "breaks"}.get(finding["kind"], "calls")
    moved = f", {_bytes(finding['bytes'])}" if finding["bytes"] else ""
    evidence = "" if finding["evidence"] == "none" else f" [{finding['evidence']}]"
    yield f"{finding['subject']}: {finding['calls']} {unit}{moved}{evidence}"
    for site in finding["sites"][:3]:
        times = f" ({site['count']} of the calls seen)" if site["count"] > 1 else ""
        yield f"    {site['path']}:{site['line']} in {site['function']}{times}"


def _bytes(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.1f} {unit}" if unit != "B" else f"{count} B"
        count /= 1024

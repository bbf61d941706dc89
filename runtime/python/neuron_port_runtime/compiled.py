"""What torch.compile made for device neuron: one entry a graph, with the shapes it was called with.

On the chip every shape of a graph is a compilation of minutes; here it is a count. Imports nothing of torch's compiler.
"""

import sys

_graphs = []


class Graph:
    """One graph that the backend was given."""

    def __init__(self, name, place):
        self.name = name
        self.place = place
        self.calls = 0
        self.shapes = set()
        _graphs.append(self)

    def called(self, inputs):
        self.calls += 1
        self.shapes.add(tuple((tuple(x.shape), str(x.dtype)) if hasattr(x, "shape") else x for x in inputs))


def clear():
    _graphs.clear()


def graphs():
    """The report's entries: graphs of one place together, since each new shape may come as a graph of its own."""
    by_place = {}
    for graph in _graphs:
        entry = by_place.setdefault(graph.place or graph.name, {"name": graph.name, "calls": 0, "shapes": set(), "sites": []})
        entry["calls"] += graph.calls
        entry["shapes"] |= graph.shapes
        if graph.place:
            path, line, function = graph.place
            entry["sites"] = [{"path": path, "line": line, "function": function, "count": 1}]
    entries = [{"name": entry["name"], "calls": entry["calls"], "compilations": len(entry["shapes"]), "graph_breaks": 0,
                "sites": entry["sites"]} for entry in by_place.values()]  # fmt: skip
    return entries + _breaks()


def _breaks():
    """Why Dynamo broke graphs in this process, if it was used for the device."""
    utils = sys.modules.get("torch._dynamo.utils")
    if utils is None or not _graphs:
        return []
    reasons = utils.counters["graph_break"]
    return [{"name": reason.splitlines()[0], "calls": 0, "compilations": 0, "graph_breaks": count, "sites": []}
            for reason, count in reasons.items()]  # fmt: skip

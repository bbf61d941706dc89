"""Stand-in for AWS's `nki`: traces kernels as NKI 0.7 does and runs them on a CPU. Not Trainium.

A kernel is an ordinary Python function that makes tensors (nki.language) and issues instructions (nki.isa). Here each
instruction becomes a line of Tile IR; the tile library verifies the result against the hardware's rules and interprets
it. Pure Python and NumPy; a torch tensor as argument is handed to `torch_neuronx`.
"""

from nki import _table
from nki._assumptions import AssumptionError
from nki._backend import Program, TileError
from nki._kernel import Bfloat16, Kernel, ShapeOnly, cost, jit, result_types, run, simulate, trace_text

__version__ = "0.7.0+neuron.port"
__all__ = [
    "AssumptionError",
    "Bfloat16",
    "Kernel",
    "Program",
    "ShapeOnly",
    "TileError",
    "cost",
    "jit",
    "result_types",
    "run",
    "simulate",
    "trace_text",
]


def __getattr__(name):
    if name in ("language", "isa", "typing", "trace"):  # sub-modules not imported yet
        import importlib

        return importlib.import_module(f"nki.{name}")
    raise _table.missing_attribute("nki", name)

"""Prints the flat Tile IR of a kernel: `python -m nki.trace MODULE.py --entry NAME --args ARGS.json`.

ARGS.json maps every argument to a number, or to {"shape": [3, 67], "dtype": "float32"} for a tensor.
"""

import argparse
import importlib.util
import json
import pathlib
import sys

import nki


def main(argv=None):
    parser = argparse.ArgumentParser(prog="python -m nki.trace", description=__doc__.splitlines()[0])
    parser.add_argument("module", type=pathlib.Path)
    parser.add_argument("--entry", help="the kernel; default: the module's NEURON_PORT_ENTRY")
    parser.add_argument("--args", type=pathlib.Path, required=True)
    options = parser.parse_args(argv)
    try:
        module = load(options.module)
        arguments = json.loads(options.args.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"nki.trace: {error}", file=sys.stderr)
        return 2
    entry = options.entry or getattr(module, "NEURON_PORT_ENTRY", None)
    kernel = getattr(module, entry, None) if entry else None
    if kernel is None:
        print(f"nki.trace: '{options.module}' has no kernel '{entry}'; name one with --entry", file=sys.stderr)
        return 2
    try:
        print(nki.trace_text(kernel, (), {name: argument(value) for name, value in arguments.items()}), end="")
    except Exception as error:  # the kernel's own code: any kind, one line
        print(f"nki.trace: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


def argument(value):
    """A tensor to trace with, or the number itself."""
    return nki.ShapeOnly(value["shape"], value["dtype"]) if isinstance(value, dict) else value


def load(path):
    """Imports a file as a module of its own name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None:
        raise ValueError(f"'{path}' is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())

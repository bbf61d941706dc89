"""The stand-in `nki` from the source tree, the tile library from the build tree."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
if "NP_BUILD_DIR" in os.environ:
    os.environ.setdefault("NEURON_PORT_LIB_DIR", str(pathlib.Path(os.environ["NP_BUILD_DIR"]) / "lib"))

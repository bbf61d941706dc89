"""Loads device neuron once for all tests of this folder, from the build tree named by NP_BUILD_DIR."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build"))
os.environ["NEURON_PORT_LIB_DIR"] = str(BUILD / "lib")
os.environ["NEURON_RT_NUM_CORES"] = "2"
os.environ["OMP_NUM_THREADS"] = "1"  # before torch; test_proof.py has a run with more
os.environ.pop("NEURON_PORT_RUN", None)
sys.path.insert(0, str(ROOT / "runtime" / "python"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import neuron_port_runtime  # noqa: E402
import torch  # noqa: E402

neuron_port_runtime.load()


@pytest.fixture(autouse=True)
def same_start():
    torch.manual_seed(0)
    torch.neuron.set_device(0)

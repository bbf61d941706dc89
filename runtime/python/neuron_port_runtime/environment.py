"""What the launcher tells the device through the environment, and the reasons not to load. See ../README.md.

Nothing here imports torch: the launcher uses it before there is a reason to.
"""

import dataclasses
import importlib.machinery
import importlib.metadata
import os
import sys
from pathlib import Path

PACKAGES_DIR = Path(__file__).resolve().parent.parent
LIBRARY_NAME = "libneuron_port_device.so"
TORCH_FILE = "neuron_port_device.torch"
CHIP_MEMORY_MB = {"trn2": 96 * 1024, "trn3": 144 * 1024}


class DeviceUnavailable(RuntimeError):
    """Why the device cannot be loaded, in one sentence."""


@dataclasses.dataclass(frozen=True)
class Settings:
    requested: bool = True
    announced: bool = True
    library_dir: Path | None = None
    report: Path | None = None
    devices: int = 1
    memory_mb: int = 24 * 1024
    host_readable: bool = False
    chip: str = "trn2"
    policy: str = "warn"
    precision: str = "exact"
    streams: str = "sync"

    @staticmethod
    def from_environment(environment=os.environ):
        report = environment.get("NEURON_PORT_DEVICE_REPORT")
        library_dir = environment.get("NEURON_PORT_LIB_DIR")
        return Settings(
            requested=environment.get("NEURON_PORT_RUN") == "1",
            announced=environment.get("NEURON_PORT_ANNOUNCED") == "1",
            library_dir=Path(library_dir) if library_dir else None,
            report=Path(report) if report else None,
            devices=device_count(environment),
            memory_mb=integer(environment, "NEURON_PORT_DEVICE_MEMORY_MB", core_memory_mb(environment)),
            host_readable=environment.get("NEURON_PORT_HOST_READABLE") == "1",
            chip=choice(environment, "NEURON_PORT_CHIP", list(CHIP_MEMORY_MB)),
            policy=choice(environment, "NEURON_PORT_POLICY", ["warn", "strict", "silent"]),
            precision=choice(environment, "NEURON_PORT_PRECISION", ["exact", "device"]),
            streams=stream_mode(environment),
        )


def choice(environment, name, choices):
    """The variable's value; the first choice if it is not set."""
    text = environment.get(name) or choices[0]
    if text not in choices:
        raise DeviceUnavailable(f"'{name}' is '{text}'; choose one of {', '.join(choices)}")
    return text


def stream_mode(environment):
    mode = choice(environment, "NEURON_PORT_STREAMS", ["sync", "async", "chaos"])
    return "sync" if environment.get("NEURON_LAUNCH_BLOCKING") == "1" else mode


def core_memory_mb(environment):
    """Memory of a logical core: the chip's 8 physical cores share it, and NEURON_LOGICAL_NC_CONFIG joins 1 or 2."""
    joined = int(choice(environment, "NEURON_LOGICAL_NC_CONFIG", ["2", "1"]))
    return CHIP_MEMORY_MB[choice(environment, "NEURON_PORT_CHIP", list(CHIP_MEMORY_MB))] // 8 * joined


def integer(environment, name, default):
    text = environment.get(name, "")
    if not text:
        return default
    if not text.isdigit() or int(text) == 0:
        raise DeviceUnavailable(f"'{name}' is '{text}'; give a positive whole number")
    return int(text)


def device_count(environment):
    """How many cores the real runtime's variables give: NEURON_RT_VISIBLE_CORES ('0-3,6'), else NEURON_RT_NUM_CORES."""
    visible = environment.get("NEURON_RT_VISIBLE_CORES", "")
    if not visible:
        return integer(environment, "NEURON_RT_NUM_CORES", 1)
    count = 0
    for part in visible.split(","):
        first, _, last = part.strip().partition("-")
        last = last or first
        if not first.isdigit() or not last.isdigit() or int(last) < int(first):
            raise DeviceUnavailable(f"'NEURON_RT_VISIBLE_CORES' is '{visible}'; give cores such as '0-3' or '0,2'")
        count += int(last) - int(first) + 1
    return count


def find_library(settings):
    """The device library that fits this tree, checked against the torch that will load it."""
    folders = [settings.library_dir] if settings.library_dir else default_library_dirs()
    for folder in folders:
        if (folder / LIBRARY_NAME).exists():
            check_torch_release((folder / TORCH_FILE).read_text().strip())
            return folder / LIBRARY_NAME
    searched = "', '".join(str(folder) for folder in folders)
    advice = "build target 'neuron_port_device' or set NEURON_PORT_LIB_DIR"
    raise DeviceUnavailable(f"'{LIBRARY_NAME}' is not in '{searched}'; {advice}")


def default_library_dirs():
    """Of an installed tree (share/neuron-port/python beside lib/neuron-port), then of a source tree's build folder."""
    return [PACKAGES_DIR.parents[2] / "lib" / "neuron-port", PACKAGES_DIR.parents[1] / "build" / "lib"]


def check_torch_release(built_for):
    installed = importlib.metadata.version("torch").split("+")[0]
    if ".".join(installed.split(".")[:2]) != built_for:
        raise DeviceUnavailable(
            f"the neuron device was built for torch {built_for} and cannot load into torch {installed}; "
            f"install torch {built_for}"
        )


def check_no_real_device():
    """Refuses beside AWS's package: a process has one such device, and a stand-in must not pose as the real one."""
    elsewhere = [entry for entry in sys.path if Path(entry or ".").resolve() != PACKAGES_DIR]
    real = importlib.machinery.PathFinder.find_spec("torch_neuronx", elsewhere)
    if real is not None:
        raise DeviceUnavailable(
            f"the real 'torch_neuronx' is installed at '{real.origin}'; run the program without neuron-port to use it"
        )

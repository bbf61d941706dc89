"""Runs a command with device `neuron` available: python -m neuron_port_runtime.launch [FLAGS] -- CMD ...

Sets the environment that ../README.md describes and becomes CMD, whose exit code is therefore the result. Our own
errors are 125.
"""

import argparse
import os
import sys
from pathlib import Path

from neuron_port_runtime import environment

OWN_ERROR = 125


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(OWN_ERROR, f"neuron-port run: {message}\n")


def parse(arguments):
    parser = _Parser(prog="neuron-port run", usage="neuron-port run [FLAGS] -- CMD ...")
    parser.add_argument("--device-report", metavar="FILE", type=Path,
                        help="write what the run would meet on Trainium; .json, .html or text by the name")  # fmt: skip
    parser.add_argument("--policy", choices=["warn", "strict", "silent"], help="for ops that Trainium hands to the CPU")
    parser.add_argument("--precision", choices=["exact", "device"], help="compute as declared, or in the chip's types")
    parser.add_argument("--streams", choices=["sync", "async", "chaos"], help="chaos: report missing synchronisation")
    parser.add_argument("--chip", choices=list(environment.CHIP_MEMORY_MB), help="whose memory a device has")
    own, command = _split(arguments)
    options, unknown = parser.parse_known_args(own)
    if unknown:
        parser.error(f"unknown flag '{unknown[0]}'")
    if not command:
        parser.error("no command given; write it after '--'")
    options.command = command
    return options


def _split(arguments):
    """Our own arguments and the command, on the two sides of the first '--'."""
    border = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:border], arguments[border + 1 :]


def launched_environment(options, base):
    """The environment of the command."""
    changed = dict(base)
    search_path = [str(environment.PACKAGES_DIR), *filter(None, [base.get("PYTHONPATH")])]
    changed["PYTHONPATH"] = os.pathsep.join(search_path)
    changed["NEURON_PORT_RUN"] = "1"
    changed["NEURON_PORT_ANNOUNCED"] = "1"
    if options.device_report:
        changed["NEURON_PORT_DEVICE_REPORT"] = str(options.device_report.absolute())
    for flag in ("policy", "precision", "streams", "chip"):
        if getattr(options, flag):
            changed[f"NEURON_PORT_{flag.upper()}"] = getattr(options, flag)
    return changed


def main(arguments):
    options = parse(arguments)
    try:
        settings = environment.Settings.from_environment()
        changed = launched_environment(options, os.environ)
        changed["NEURON_PORT_LIB_DIR"] = str(environment.find_library(settings).parent)
        environment.check_no_real_device()
        if options.device_report:
            for path in (options.device_report, options.device_report.with_name(options.device_report.name + ".json")):
                path.unlink(missing_ok=True)
            options.device_report.touch()  # now, rather than after the run, is when to learn that it cannot be written
        print("neuron-port: device neuron is a stand-in, not Trainium", file=sys.stderr, flush=True)
        os.execvpe(options.command[0], options.command, changed)
    except environment.DeviceUnavailable as reason:
        print(f"neuron-port run: {reason}", file=sys.stderr)
    except OSError as reason:
        name = options.command[0] if isinstance(reason.filename, bytes) else reason.filename
        print(f"neuron-port run: '{name}': {reason.strerror.lower()}", file=sys.stderr)
    return OWN_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The bundled `neuron` device: loads the library and makes `torch.neuron`.

`import torch` calls `autoload` through the `torch.backends` entry point beside this package; it does nothing unless the
launcher asked for the device. Tests and tools call `load` themselves.
"""

from neuron_port_runtime.environment import DeviceUnavailable, Settings


def autoload():
    """Loads the device if this process runs under the launcher."""
    settings = Settings.from_environment()
    if settings.requested:
        load(settings)


def load(settings=None):
    """Installs device `neuron` in this process; the second call does nothing."""
    from neuron_port_runtime import installation

    installation.install(settings or Settings.from_environment())


__all__ = ["DeviceUnavailable", "Settings", "autoload", "load"]

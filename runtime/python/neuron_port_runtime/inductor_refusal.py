"""The sentence for torch.compile with PyTorch's default backend, which has no code generator for the device.

Inductor looks for a device's code generators on the device's module; what it finds here refuses when a graph is on
neuron. Graphs on the CPU do not notice.
"""

_SENTENCE = (
    "torch.compile's default backend (inductor) does not compile for device neuron; use torch.compile(..., "
    'backend="neuron"), or call torch.compiler.set_default_backend("neuron") once'
)


class InductorRefused(RuntimeError):
    """Why the default backend does not compile a graph on neuron."""


def refuse(*args, **kwargs):
    raise InductorRefused(_SENTENCE)


class _RefusingType(type):
    __call__ = refuse

    def __getattr__(cls, name):
        refuse()


class _Refusing(metaclass=_RefusingType):
    """Stands for any of Inductor's device classes: making or using one refuses."""


class _RefusingOps:
    def __getattr__(self, name):
        refuse()


def code_generator(name):
    """What Inductor finds under the names it looks for; None for other names."""
    if name not in ("Scheduling", "PythonWrapperCodegen", "CppWrapperCodegen", "WrapperFxCodegen"):
        return None
    from torch._inductor.codegen.common import device_op_overrides_dict

    device_op_overrides_dict.setdefault("neuron", _RefusingOps())
    return _Refusing

"""`nki_op`: registers a typed Python function that calls NKI kernels as a PyTorch op for device neuron."""

import torch


def nki_op(name, fn=None, *, mutates_args=()):
    """Makes `fn` the op `name` ("ns::op"); usable as a decorator.

    The signature gives the schema, so every parameter and the result need annotations; arguments that the kernel writes
    are named in `mutates_args`. The result is a `torch.library` custom op: it has `register_autograd`, and
    `register_fake` to replace the fake kernel, which is the function itself. Other devices have no kernel for it.
    """
    if fn is None:
        return lambda function: nki_op(name, function, mutates_args=mutates_args)
    _check_name(name)
    op = torch.library.custom_op(name, fn, mutates_args=mutates_args, device_types="neuron")
    op.register_fake(fn)
    return op


def _check_name(name):
    namespace, separator, op = name.partition("::")
    if not (separator and namespace.isidentifier() and op.isidentifier()):
        raise ValueError(f"'{name}' is not an op name; write it as 'namespace::op'")

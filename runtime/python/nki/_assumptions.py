"""Checks what an emitted module assumes about its data: NEURON_PORT_DATA_ASSUMPTIONS, strings like "0 <= tok[i] < V".

A name with an index stands for every element of that argument, other names are the kernel's numbers; `finite(x[i])`
holds where no element is infinite or NaN. A sentence of another form cannot be checked and is refused.
"""

import ast
import operator

import numpy

_COMPARE = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


class AssumptionError(ValueError):
    """The data break an assumption under which the kernel was translated."""


def check(module, entry, arguments):
    """`module` is the kernel's globals; assumptions bind its entry only."""
    if module.get("NEURON_PORT_ENTRY") != entry:
        return
    for text in module.get("NEURON_PORT_DATA_ASSUMPTIONS", []):
        try:
            holds = _holds(ast.parse(text, mode="eval").body, arguments)
        except (SyntaxError, KeyError, NotImplementedError) as error:
            raise NotImplementedError(f"the data assumption '{text}' cannot be checked here: {error}") from None
        if not holds:
            raise AssumptionError(f"the data break the assumption '{text}'")


def _holds(node, arguments):
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return all(_holds(value, arguments) for value in node.values)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "finite" and len(node.args) == 1:
        return bool(numpy.isfinite(_value(node.args[0], arguments)).all())
    if isinstance(node, ast.Compare):
        values = [_value(part, arguments) for part in (node.left, *node.comparators)]
        return all(
            bool(numpy.all(_COMPARE[type(op)](left, right))) for op, left, right in zip(node.ops, values, values[1:])
        )
    raise NotImplementedError("it is no comparison")


def _value(node, arguments):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, arguments)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, arguments), _value(node.right, arguments))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        node = node.value
    if isinstance(node, ast.Name):
        value = arguments[node.id]
        value = value.to_float32() if hasattr(value, "to_float32") else value
        return value.astype(numpy.int64) if isinstance(value, numpy.ndarray) and value.dtype.kind in "iu" else value
    raise NotImplementedError(f"'{ast.unparse(node)}' is not understood")

"""The NKI call table: which calls exist, their parameters and defaults, and the enums.

One JSON file, made from AWS's documentation, answers for `nki.language` and `nki.isa`: what it does not know does not
exist (AttributeError with the nearest name), what it knows and the stand-in does not model is a NotImplementedError.
"""

import ast
import difflib
import enum
import functools
import json
import pathlib

_FILE = pathlib.Path(__file__).parent / "data" / "nki_api.json"


@functools.cache
def entries():
    """Name ("nki.isa.dma_copy", "aluop:add", "actfn:exp") to the table's row."""
    return {row["name"]: row for row in json.loads(_FILE.read_text(encoding="utf-8"))}


@functools.cache
def signature(name):
    """Parameters of a call in order: [(parameter, default text or None where it is required)]."""
    text = entries()[name]["signature"]
    call = text[text.index("(") : text.rindex(")") + 1].replace("=...", "=None")
    arguments = ast.parse(f"def call{call}: pass").body[0].args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [ast.unparse(value) for value in arguments.defaults]
    defaults = [None] * (len(positional) - len(defaults)) + defaults
    keyword_only = [
        (argument.arg, ast.unparse(value) if value is not None else None)
        for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults)
    ]
    return [(argument.arg, default) for argument, default in zip(positional, defaults)] + keyword_only


def bind(name, args, kwargs):
    """The arguments given to a call, by parameter name; TypeError as Python words it."""
    parameters = [parameter for parameter, _ in signature(name)]
    if len(args) > len(parameters):
        raise TypeError(f"{name}() takes {len(parameters)} arguments, {len(args)} are given")
    given = dict(zip(parameters, args))
    for keyword, value in kwargs.items():
        if keyword not in parameters:
            raise TypeError(f"{name}() has no argument '{keyword}'{_nearest(keyword, parameters)}")
        if keyword in given:
            raise TypeError(f"{name}() got several values for '{keyword}'")
        given[keyword] = value
    missing = [parameter for parameter, default in signature(name) if default is None and parameter not in given]
    if missing:
        raise TypeError(f"{name}() misses {', '.join(repr(parameter) for parameter in missing)}")
    return given


@functools.cache
def enumeration(name):
    """An enum class of nki.isa, from a row like "enum engine: tensor, vector, ..."."""
    text = entries()[f"nki.isa.{name}"]["signature"]
    members = [member.strip() for member in text.split(":", 1)[1].split(",")]
    return enum.Enum(name, {member: member for member in members}, module="nki.isa")


def is_enumeration(name):
    row = entries().get(f"nki.isa.{name}")
    return row is not None and row["signature"].startswith("enum ")


def missing_attribute(module, name):
    """What to raise for an attribute that a module does not have."""
    known = entries().get(f"{module}.{name}")
    if known:
        return NotImplementedError(f"'{module}.{name}' exists in NKI but the stand-in does not model it")
    names = [row.removeprefix(f"{module}.") for row in entries() if row.startswith(f"{module}.")]
    return AttributeError(f"'{module}' has no '{name}'{_nearest(name, names)}")


def _nearest(name, names):
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""

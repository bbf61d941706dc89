"""A second opinion on kernels and launches: a lexer of its own, knowing nothing of the analyser.

It drops comments and literals, keeps offsets, and reads tokens: `__global__ … name (…) {` is a kernel's definition,
`<<<` is a launch. Preprocessor conditions are not evaluated: code in a dead branch counts."""

import re
from dataclasses import dataclass

SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".cpp", ".cc", ".cxx")
TOKEN = re.compile(r"[A-Za-z_]\w*|<<<|>>>|::|[^\s\w]")
SKIPPED = re.compile(
    r"//(?:\\\r?\n|[^\n])*|/\*.*?\*/|R\"([^()\\\s]{0,16})\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",
    re.S,
)


@dataclass(frozen=True)
class Found:
    name: str
    offset: int  # in characters of the blanked text: equal to bytes for ASCII sources
    macro: str  # name of the #define whose body holds it, or ""


def blanked(text):
    """The text with comments and literals replaced by blanks of the same length."""
    return SKIPPED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def defines(code):
    """(start, end, name) of every #define."""
    return [
        (m.start(), m.end(), m.group(1))
        for m in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\r?\n|[^\n])*", code, re.M)
    ]


def kernels(text):
    code = blanked(text)
    macros = defines(code)
    return [
        Found(name, at, _macro_at(macros, at))
        for m in re.finditer(r"\b__global__\b", code)
        for name, at in _definition(code, m.end())
    ]


def launches(text):
    code = blanked(text)
    macros = defines(code)
    return [Found("<<<", m.start(), _macro_at(macros, m.start())) for m in re.finditer(r"<<<", code)]


def _macro_at(macros, at):
    return next((name for start, end, name in macros if start <= at < end), "")


def _definition(code, start):
    """The name after `__global__` when a body follows its parameter list."""
    depth, name, at, last = 0, None, None, None
    for m in TOKEN.finditer(code, start):
        token = m.group()
        if token == "(":
            if depth == 0 and last is not None:
                name, at = last
            depth += 1
        elif token == ")":
            depth -= 1
        elif depth == 0 and token == "{":
            return [(name, at)] if name else []
        elif depth == 0 and (token in ";=" or token == "__global__"):
            return []
        if depth == 0:
            last = (token, m.start()) if re.match(r"[A-Za-z_]", token) else None
    return []

"""One program in many spellings that mean the same: what a rewriter must not stumble over."""

import io
import re
import textwrap
import tokenize

BREAKS = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT)


def between_tokens(code, inside, outside):
    """`code` with other text between the tokens of a line: inside(gap, left, right) in brackets, else outside(…)."""
    lines = code.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(place):
        return starts[place[0] - 1] + place[1]

    out, last, left, depth = "", 0, None, 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.ENDMARKER:
            return out + code[last:]
        if token.type in BREAKS:
            out += code[last : offset(token.end)]
            last, left = offset(token.end), None
            continue
        gap = code[last : offset(token.start)]
        if left is not None and "\n" not in gap:
            gap = (inside if depth else outside)(gap, left, token.string)
        out += gap + token.string
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        last, left = offset(token.end), token.string


def is_word(char):
    return char.isalnum() or char == "_"


def tight(gap, left, right):
    return " " if is_word(left[-1]) and (is_word(right[0]) or right[0] in "\"'") else ""


def same(gap, left, right):
    return gap


VARIANTS = {
    "plain": lambda code: code,
    "backslashes": lambda code: between_tokens(code, same, lambda gap, left, right: gap if left in ";:" or right == ";" else (gap or " ") + "\\\n"),
    "comments in brackets": lambda code: between_tokens(code, lambda gap, left, right: gap + ' # "cuda" (\n  ', same),
    "tight": lambda code: between_tokens(code, tight, tight),
    "wide": lambda code: between_tokens(code, lambda *_: "  ", lambda *_: "  "),
    "in a function": lambda code: f"def main_():\n{textwrap.indent(code, '    ')}\n    return 0\nmain_()",
    "in a method": lambda code: f"class Main_:\n  def go(self):\n{textwrap.indent(code, '    ')}\nMain_().go()",
    "tabs": lambda code: "if 1:\n" + textwrap.indent(code.replace("    ", "\t"), "\t"),
    "alias": lambda code: "import torch as th\n" + re.sub(r"(?<![\w\"'.])torch\b(?!\.distributed as)", "th", code),
    "imported names": lambda code: "from torch import cuda, device as Dev, backends\n"
    + code.replace("torch.cuda", "cuda").replace("torch.device", "Dev").replace("torch.backends", "backends"),
    "other quotes": lambda code: code.replace('"cuda"', "'cuda'").replace('"cpu"', "'''cpu'''"),
    "crlf": lambda code: code.replace("\n", "\r\n"),
    "lone cr": lambda code: code.replace("\n", "\r"),
}

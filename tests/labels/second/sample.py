#!/usr/bin/env python3
"""Draw the lines of the second labelled set.

usage: sample.py SOURCES > draw.json

SOURCES holds the unpacked sdists of PACKAGES, one folder each. The draws are those of ../guide.md; the seed is
fixed, so the same sources give the same lines. Only the standard library is used.
"""

import ast
import json
import pathlib
import random
import re
import sys

SEED = 20261203
PACKAGES = """
causal_conv1d-1.7.0 e3nn-0.6.0 natten-0.21.7 OpenNMT-py-3.5.1 audiocraft-1.3.0 auto_gptq-0.7.1 autoawq-0.2.9
cellpose-4.2.1.1 dalle-pytorch-1.6.6 dalle2-pytorch-1.15.6 facexlib-0.3.0 fla_core-0.6.0 gfpgan-1.3.8 gsplat-1.5.3
lightweight_gan-1.2.1 litgpt-0.5.13 mace_torch-0.3.16 mmengine-0.10.7 nnunetv2-2.8.1 pytorch_toolbelt-0.8.0
realesrgan-0.3.0 rl_games-1.6.5 sample-factory-2.1.1 simpletransformers-0.70.8 speechbrain-1.1.2
stylegan2_pytorch-1.9.0 torch_pruning-1.6.1 torchani-2.2.4 trainer-0.0.36 yolox-0.3.0
""".split()
STRONG = re.compile(
    r"cuda|nccl|triton|apex|flash_attn|xformers|cupy|pynvml|bitsandbytes|nvidia|pin_memory|cudnn|DataParallel", re.I)
WEAK = re.compile(
    r"gpu|(?<![a-z])amp(?![a-z])|(?<![a-z])half(?![a-z])|bf16|fp16|float16|map_location|(?<![a-z])rank(?![a-z])", re.I)
TORCH = re.compile(r"^\s*(import|from) torch\b", re.M)


def prose_lines(tree):
    """Lines of docstrings and other strings that stand alone."""
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.update(range(node.lineno, node.end_lineno + 1))
    return lines


def pools_of(sources):
    """Draw name -> package -> every (package, path, line) that it may take; files that do not parse are left out."""
    pools = {draw: {package: [] for package in PACKAGES} for draw in ("grep", "grep-weak", "prose", "random")}
    for package in PACKAGES:
        root = sources / package
        for path in sorted(root.rglob("*.py"), key=lambda p: p.relative_to(root).parts):
            try:
                source = path.read_text(encoding="utf-8")
                prose = prose_lines(ast.parse(source))
            except (SyntaxError, ValueError):
                continue
            with_torch = bool(TORCH.search(source))
            for number, line in enumerate(source.split("\n"), 1):
                text = line.strip()
                if not text:
                    continue
                item = (package, path.relative_to(root).as_posix(), number)
                is_prose = text.startswith("#") or number in prose
                for draw, pattern in (("grep", STRONG), ("grep-weak", WEAK)):
                    if pattern.search(line):
                        pools["prose" if is_prose else draw][package].append(item)
                        break
                if with_torch and not is_prose:
                    pools["random"][package].append(item)
    return pools


def shares(pools, total, cap):
    """As equal a share per package as its size allows, `cap` at most."""
    quota = dict.fromkeys(pools, 0)
    while total:
        open_packages = [p for p in pools if quota[p] < min(cap, len(pools[p]))]
        if not open_packages:
            break
        for package in open_packages[:total]:
            quota[package] += 1
        total -= len(open_packages[:total])
    return quota


def main():
    chance = random.Random(SEED)
    pools = pools_of(pathlib.Path(sys.argv[1]))
    drawn = []
    for draw, total, cap in (("grep", 800, 60), ("grep-weak", 110, 10), ("prose", 40, 4)):
        for package, share in shares(pools[draw], total, cap).items():
            drawn += [(draw, item) for item in chance.sample(pools[draw][package], share)]
    taken = {item for _, item in drawn}
    anywhere = [item for package in PACKAGES for item in pools["random"][package]]
    fresh = [item for item in chance.sample(anywhere, 300) if item not in taken]
    drawn += [("random", item) for item in fresh[:230]]
    drawn.sort(key=lambda row: (PACKAGES.index(row[1][0]), row[1][1], row[1][2]))
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    main()

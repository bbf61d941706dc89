"""Every input parses in both passes, and the device IR calls exactly the functions its `// calls:` line names."""

import pathlib
import random
import re

import pytest

from clang import BUILDER_MACROS, CLANG, OPT, ROOT, check, device_ir

HERE = pathlib.Path(__file__).parent
INPUTS = sorted((HERE / "inputs").glob("*.cu"))
CASES = sorted((ROOT / "tests/cases/shared").glob("*.cu"))
NOT_ALONE = {"narrow_float.h", "narrow_operators.h"}

needs_clang = pytest.mark.skipif(CLANG is None, reason="clang++-19 is not installed")


def name_of(path):
    return path.name


def expected(source, key):
    found = re.findall(rf"^// {key}:(.*)$", source.read_text(), re.M)
    return set(" ".join(found).split()) if found else None


@needs_clang
@pytest.mark.parametrize("side", ["host", "device"])
@pytest.mark.parametrize("source", INPUTS, ids=name_of)
def test_parses_without_a_message(source, side):
    assert check(source, side) == ""


@needs_clang
@pytest.mark.parametrize("source", CASES, ids=name_of)
def test_shared_case_gives_device_code(source):
    assert check(source, "device") == ""


@needs_clang
@pytest.mark.skipif(OPT is None, reason="opt-19 is not installed")
@pytest.mark.parametrize("source", [s for s in INPUTS if expected(s, "calls") is not None], ids=name_of)
def test_ir_calls_what_is_documented(source):
    ir = device_ir(source)
    declared = set(re.findall(r"^declare .*?@([\w.]+)\(", ir, re.M))
    called = {name for name in declared if re.search(rf"call .*@{re.escape(name)}\(", ir)}
    housekeeping = {n for n in called if re.match(r"llvm\.(lifetime|memcpy|memset|experimental)", n)}
    assert called - housekeeping == expected(source, "calls")
    for instruction in expected(source, "instructions") or ():
        assert instruction.replace("_", " ") in ir, instruction


@needs_clang
@pytest.mark.parametrize("side, builder", [("host", True), ("device", False)])
def test_all_headers_together_in_a_shuffled_order(tmp_path, side, builder):
    headers = []
    for folder in ("cuda", "torch"):
        root = ROOT / "shims" / folder
        for path in root.rglob("*"):
            if path.is_file() and path.suffix in ("", ".h", ".cuh", ".hpp") and path.name not in NOT_ALONE:
                headers.append(str(path.relative_to(root)))
    assert len(headers) > 200
    random.Random(7 + builder).shuffle(headers)
    source = tmp_path / "all.cu"
    source.write_text("".join(f"#include <{header}>\n" for header in headers))
    assert check(source, side, BUILDER_MACROS if builder else ()) == ""

"""Every defect is found at the lines marked `// DEFECT kind`, and nowhere else; unmarked kernels are clean."""
import json
import re

import pytest
from kernel_tool import CASES, kernel, launch_file

DEFECTS = CASES / "defects"


def marked(source):
    out = {}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        for kind in re.findall(r"// DEFECT ([a-z-]+)", line):
            out.setdefault(kind, set()).add(number)
    return out


@pytest.mark.parametrize("launch", sorted(DEFECTS.glob("*.launch.json")), ids=lambda p: p.name.split(".")[0])
def test_defects_are_found_where_they_are(launch):
    source = DEFECTS / json.loads(launch.read_text())["source"]
    reply = kernel("check", launch)
    assert reply["ok"], reply
    found = {}
    for case in reply["cases"]:
        for defect in case["defects"]:
            lines = found.setdefault(defect["kind"], set())
            assert defect["range"]["path"].endswith(source.name), defect
            lines.add(defect["range"]["start"]["line"])
            if defect["other_range"]:
                lines.add(defect["other_range"]["start"]["line"])
            assert defect["message"] and defect["count"] >= 1
    assert found == marked(source), json.dumps(reply["cases"], indent=1)


def test_missing_barrier_names_both_lines_and_threads():
    reply = kernel("check", DEFECTS / "matmul_missing_barrier.launch.json")
    races = [d for case in reply["cases"] for d in case["defects"] if d["kind"] == "race"]
    texts = {(d["range"]["start"]["line"], d["other_range"]["start"]["line"]) for d in races}
    source = (DEFECTS / "matmul_missing_barrier.cu").read_text().splitlines()
    for one, two in texts:
        assert {("s +=" in source[k - 1]) for k in (one, two)} == {True, False}
    assert all(": no barrier" in d["message"] for d in races)
    assert all(d["object"] in ("a", "b") and len(d["thread"]) == 3 for d in races)


def test_a_loop_without_end_is_an_error_with_its_line(tmp_path):
    source = tmp_path / "loop.cu"
    source.write_text("__global__ void k(int* x) {\n  int i = 0;\n  while (x[0] == 0)\n    i++;\n  x[1] = i;\n}\n")
    buffers = {"x": {"type": "i32", "extent": ["2"], "role": "inout", "init": "zeros"}}
    reply = kernel("run", launch_file(tmp_path, source, "k", ["x"], buffers), step_limit=100000)
    assert not reply["ok"] and reply["error"]["code"] == "step-limit"
    assert re.search(r"loop\.cu:[34]:", reply["error"]["location"]), reply


def test_atomic_order_dependence_is_reported(tmp_path):
    source = tmp_path / "order.cu"
    source.write_text(
        "__global__ void k(int* count, int* slot) {\n"
        "  slot[atomicAdd(count, 1)] = blockIdx.x * blockDim.x + threadIdx.x;\n}\n"
    )
    buffers = {
        "count": {"type": "i32", "extent": ["1"], "role": "inout", "init": "zeros"},
        "slot": {"type": "i32", "extent": ["64"], "role": "out"},
    }
    reply = kernel("check", launch_file(tmp_path, source, "k", ["count", "slot"], buffers, grid=2))
    assert reply["ok"] and reply["cases"][0]["defects"] == []
    assert [d["buffer"] for d in reply["cases"][0]["order_dependent"]] == ["slot", "slot"]


def test_unexecuted_code_is_listed(tmp_path):
    source = tmp_path / "mode.cu"
    source.write_text("__global__ void k(int mode, int* x) {\n  if (mode == 1)\n    x[0] = 1;\n  else\n    x[0] = 2;\n}\n")
    buffers = {"x": {"type": "i32", "extent": ["1"], "role": "out"}}
    reply = kernel("check", launch_file(tmp_path, source, "k", ["0", "x"], buffers, block=1))
    assert [re.search(r":(\d+):", u["place"]).group(1) for u in reply["unexecuted"]] == ["3"]


@pytest.mark.parametrize(
    "body, part",
    [
        ('asm("vadd.u32.u32.u32 %0, %0, 1;" : "+r"(x[0]));', "inline PTX"),
        ("x[0] = *(volatile int*)malloc(4);", "malloc"),
    ],
)
def test_what_is_not_supported_is_named_with_its_line(tmp_path, body, part):
    source = tmp_path / "odd.cu"
    source.write_text("__global__ void k(int* x) {\n  x[1] = 0;\n  " + body + "\n}\n")
    buffers = {"x": {"type": "i32", "extent": ["2"], "role": "inout", "init": "zeros"}}
    reply = kernel("run", launch_file(tmp_path, source, "k", ["x"], buffers))
    assert not reply["ok"] and reply["error"]["code"] == "unsupported"
    assert part in reply["error"]["message"] and "odd.cu:3:" in reply["error"]["location"], reply

"""kernel translate end to end: shared cases of every kind of schedule, what must be refused, and what is written."""

import ast
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NP = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve() / "neuron-port"
CASES = ROOT / "tests/cases/shared"
TRANSLATED = ["saxpy", "gelu", "bias", "lrelu", "vec4add", "rowsum_sh", "rowsum_shfl", "softmax", "layernorm", "matmul", "matmul_tiled", "transpose",
              "convch", "conv3", "maxpool3p", "stencil", "ema", "dot_atomic", "gram", "lrelu2", "maxpool", "residsum", "scan", "softmax_online",
              "softmax_online_br"]
GATES = {"symbolic", "differential", "write_set", "race", "order", "coverage", "shadow", "tile", "roundtrip"}


def translate(source, launch, *flags):
    result = subprocess.run([NP, "kernel", "translate", source, "--launch", launch, "--output-format", "json", *map(str, flags)], capture_output=True, text=True)
    return result, json.loads(result.stdout)["port"] if result.stdout.startswith("{") else None


def case(name):
    launch = CASES / f"{name}.launch.json"
    return CASES / json.loads(launch.read_text())["source"], launch


@pytest.mark.parametrize("name", TRANSLATED)
def test_shared_case_is_translated_with_every_gate(name, tmp_path):
    result, port = translate(*case(name), "--out-dir", tmp_path)
    assert result.returncode == 0, (result.stderr, port and port["reason"])
    assert port["status"] == "translated"
    assert {g["name"] for g in port["gates"]} == GATES
    assert all(g["passed"] for g in port["gates"])
    assert port["gates_missing"] == ["mutation"]
    module = tmp_path / f"{name}_nki.py"
    tree = ast.parse(module.read_text())
    imported = {a.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported <= {"nki"}, imported
    assert f'NEURON_PORT_ENTRY = "{name}"' in module.read_text()


def variant(tmp_path, name, change):
    """A copy of a case whose source text went through `change`."""
    source, launch = case(name)
    text = change(source.read_text())
    assert text != source.read_text()
    (tmp_path / source.name).write_text(text)
    (tmp_path / launch.name).write_text(launch.read_text())
    return tmp_path / source.name, tmp_path / launch.name


def without_last_barrier(text):
    start = text.index("void matmul_tiled(")
    at = text.rindex("__syncthreads();", start, text.index("\n}", start))
    return text[:at] + " " * len("__syncthreads();") + text[at + len("__syncthreads();"):]


def test_a_missing_barrier_is_refused_and_both_lines_are_named(tmp_path):
    source, launch = variant(tmp_path, "matmul_tiled", without_last_barrier)
    checked = subprocess.run([NP, "kernel", "check", source, "--launch", launch], capture_output=True, text=True)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    lines = {int(n) for n in re.findall(rf"{source.name}:(\d+)", checked.stdout)}
    assert len(lines) >= 2 and "race" in checked.stdout, checked.stdout
    result, port = translate(source, launch, "--out-dir", tmp_path / "out")
    assert result.returncode == 1 and port["status"] == "refused" and port["reason"]["code"] == "NPT2901"
    assert not list((tmp_path / "out").glob("*.py"))


def test_names_do_not_matter(tmp_path):
    source, launch = case("softmax")
    text = source.read_text()
    start = text.index("void softmax(")
    end = text.index("\n}", start)
    names = {"softmax": "k0", "x": "first", "y": "second", "M": "height", "N": "width", "row": "p"}
    changed = re.sub(r"(?<!\.)\b\w+\b", lambda m: names.get(m[0], m[0]), text[start:end])
    (tmp_path / "k.cu").write_text(text[:start] + changed + text[end:])
    spec = json.loads(launch.read_text())
    spec["source"] = "k.cu"
    spec["launches"][0]["kernel"] = "k0"
    (tmp_path / "k.launch.json").write_text(json.dumps(spec))
    _, renamed = translate(tmp_path / "k.cu", tmp_path / "k.launch.json")
    _, original = translate(source, launch)
    assert renamed["status"] == "translated", renamed["reason"]
    assert renamed["spec"] == original["spec"]


def small_kernel(tmp_path, body, buffers=None, scalars=None, args=("n", "x", "y"), block="64"):
    """A one-dimensional kernel k(int n, float* x, float* y, ...) with its launch file."""
    params = "int n, float* x, float* y" + "".join(f", {t}" for t in (scalars or {}).values())
    (tmp_path / "k.cu").write_text(f"#include <cuda_runtime.h>\n__global__ void k({params}) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n")
    launch = {"version": 1, "source": "k.cu", "sizes": {"names": ["n"], "cases": [[67], [131], [256]]},
              "buffers": buffers or {"x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"}, "y": {"type": "f32", "extent": ["n"], "role": "out"}},
              "scalars": {}, "launches": [{"kernel": "k", "grid": [f"ceildiv(n,{block})", "1", "1"], "block": [block, "1", "1"], "shared": "0", "args": list(args)}]}
    (tmp_path / "k.launch.json").write_text(json.dumps(launch))
    return tmp_path / "k.cu", tmp_path / "k.launch.json"


MUST_NOT_TRANSLATE = {
    "writes its input": "  if (i < n) { y[i] = 2.0f * x[i]; x[i] = y[i]; }",
    "reads what another block wrote": "  if (i < n) { y[i] = x[i]; if (i > 0) y[i] += y[i - 1]; }",
    "leaves elements unwritten": "  if (i < n && i % 3 == 0) y[i] = x[i];",
    "reads out of bounds": "  if (i < n) y[i] = x[i + 1];",
    "stops when the data say so": "  if (i < n) { float v = x[i]; int k = 0; while (v * v > 0.25f && k < 1000) { v *= 0.5f; ++k; } y[i] = k; }",
    "depends on the clock": "  if (i < n) y[i] = x[i] + clock64();",
    "special-cases one size": "  if (i < n) y[i] = n == 67 ? x[i] : 2.0f * x[i];",
    "special-cases one element": "  if (i < n) y[i] = i == 41 ? 0.0f : x[i];",
    "changes far beyond the sizes tried": "  if (i < n) y[i] = i > 5000 ? 0.0f : x[i];",
}


@pytest.mark.parametrize("what", MUST_NOT_TRANSLATE)
def test_what_must_not_be_translated(what, tmp_path):
    result, port = translate(*small_kernel(tmp_path, MUST_NOT_TRANSLATE[what]))
    if port is not None and port["status"] == "translated":
        # The only way out: the formula or the assumptions say it.
        told = port["spec"] + " ".join(port["assumptions"])
        number = next((n for n in ("67", "41", "500") if n in MUST_NOT_TRANSLATE[what]), None)
        assert number and number in told, port
    else:
        assert result.returncode in (1, 2), (result.stderr, port)


# Kernels right at every size that is tried and something else beyond: each is refused, or says up to where it holds.
BOUNDED = {
    "block of 1024, one element a thread": ("  __shared__ float s[1024]; int t = threadIdx.x; s[t] = t < n ? x[t] : 0.0f; __syncthreads();\n"
                                            "  for (int k = 512; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }\n  if (t == 0) y[0] = s[0];", "1", "1024", ["1"], "1023"),
    "fixed number of rounds": ("  float a = 0.0f; for (int k = 0; k < 8; ++k) { int j = threadIdx.x + 64 * k; if (j < n) a += x[j]; }\n  y[threadIdx.x] = a;", "1", "64", ["64"], None),
    "capped grid": ("  if (i < n) y[i] += 2.0f * x[i];", "min(ceildiv(n,64),16)", "64", ["n"], "16"),
    "constant grid": ("  if (i < n) y[i] += 2.0f * x[i];", "16", "64", ["n"], "1023"),
    "narrowed index": ("  if (i < n) { unsigned short k = (unsigned short)i; y[i] += x[k]; }", "ceildiv(n,64)", "64", ["n"], "3276"),
    "narrowed product": ("  if (i < n) { short k = (short)(i * 37); y[i] += k < 0 ? 1.0f : x[i]; }", "ceildiv(n,64)", "64", ["n"], None),
}


@pytest.mark.parametrize("what", BOUNDED)
def test_what_holds_only_up_to_a_size_says_so(what, tmp_path):
    body, grid, block, extent, bound = BOUNDED[what]
    role = "out" if extent != ["n"] else "inout"
    y = {"type": "f32", "extent": extent, "role": role} | ({"init": "normal"} if role == "inout" else {})
    source, launch = small_kernel(tmp_path, body, {"x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"}, "y": y})
    spec = json.loads(launch.read_text())
    spec["launches"][0]["grid"][0], spec["launches"][0]["block"][0] = grid, block
    launch.write_text(json.dumps(spec))
    result, port = translate(source, launch)
    if port is None or port["status"] != "translated":
        assert result.returncode in (1, 2), (result.stderr, port)
    else:
        assert bound and any(bound in assumption for assumption in port["assumptions"]), port["assumptions"]


def test_an_unreached_branch_is_not_silently_dropped(tmp_path):
    def change(text):
        return text.replace("y[i] = a * x[i] + y[i];", "y[i] = n > 1000000 ? 0.0f : a * x[i] + y[i];", 1) if "y[i] = a * x[i] + y[i];" in text else text
    source, launch = variant(tmp_path, "saxpy", change)
    _, port = translate(source, launch)
    assert port["status"] != "translated" or any("1000000" in a for a in port["assumptions"]), port


@pytest.mark.parametrize("form, expected", [("ir", "define"), ("spec", "y[i in M, j in N]"), ("tile", "kernel @softmax"), ("nki", "NEURON_PORT_ENTRY")])
def test_emit_prints_each_form(form, expected):
    source, launch = case("softmax")
    result = subprocess.run([NP, "kernel", "translate", source, "--launch", launch, "--emit", form], capture_output=True, text=True)
    assert result.returncode == 0 and expected in result.stdout


def row_kernel(tmp_path, body):
    """One thread a row over x[M,N] and y[M,N]."""
    (tmp_path / "k.cu").write_text(f"#include <cuda_runtime.h>\n__global__ void k(int M, int N, const float* x, float* y) {{\n  int r = blockIdx.x * blockDim.x + threadIdx.x;\n  if (r >= M) return;\n{body}\n}}\n")
    launch = {"version": 1, "source": "k.cu", "sizes": {"names": ["M", "N"], "cases": [[3, 67], [5, 131], [8, 64]]},
              "buffers": {"x": {"type": "f32", "extent": ["M", "N"], "role": "in", "init": "normal"}, "y": {"type": "f32", "extent": ["M", "N"], "role": "out"}},
              "scalars": {}, "launches": [{"kernel": "k", "grid": ["ceildiv(M,64)", "1", "1"], "block": ["64", "1", "1"], "shared": "0", "args": ["M", "N", "x", "y"]}]}
    (tmp_path / "k.launch.json").write_text(json.dumps(launch))
    return tmp_path / "k.cu", tmp_path / "k.launch.json"


SUM_AND_DIVIDE = "  float s = 0.0f;\n  for (int j = 0; j < N; ++j) s += {term};\n  for (int j = 0; j < N; ++j) y[r * N + j] = {term} / s;"


def test_a_division_the_chip_cannot_do_at_tiny_values_is_refused_not_our_failure(tmp_path):
    # x / sum(x): the chip multiplies by a reciprocal, which overflows where the sum is subnormal.
    result, port = translate(*row_kernel(tmp_path, SUM_AND_DIVIDE.format(term="x[r * N + j]")))
    assert result.returncode == 1 and port["status"] == "refused", port
    assert port["reason"]["code"] == "NPT2938" and "subnormal" in port["reason"]["message"], port["reason"]


def test_overflow_inside_is_compared_by_kind(tmp_path):
    # A softmax without the maximum: at large data the kernel gives NaN where float64 is finite. So must the tile program.
    result, port = translate(*row_kernel(tmp_path, SUM_AND_DIVIDE.format(term="expf(x[r * N + j])")))
    assert result.returncode == 0 and port["status"] == "translated", port["reason"]


@pytest.mark.parametrize("start, bound", [("-FLT_MAX", "fmaxf"), ("-INFINITY", "fmaxf"), ("FLT_MAX", "fminf")])
def test_a_running_maximum_has_its_data_checked(start, bound, tmp_path):
    body = f"  if (i >= n) return;\n  float m = {start};\n  for (int d = -2; d <= 1; d++) {{ int j = i + d; if (j >= 0 && j < n) m = {bound}(m, x[j]); }}\n  y[i] = m;"
    source, launch = small_kernel(tmp_path, body)
    source.write_text("#include <float.h>\n#include <math.h>\n" + source.read_text())
    _, port = translate(source, launch, "--out-dir", tmp_path / "out")
    assert port["status"] == "translated", port["reason"]
    assert "-3.4028234e38 < x[i] < 3.4028234e38" in (tmp_path / "out/k_nki.py").read_text()


@pytest.mark.parametrize("term", ["x[j] * (x[d] * x[d])", "x[j] * (x[d] * 1000.0f)", "x[j] * expf(x[d])"])
def test_a_skipped_product_is_no_product_with_zero(term, tmp_path):
    body = f"  if (i >= n) return;\n  float s = 0;\n  for (int d = 0; d < 5; d++) {{ int j = i + d - 2; if (j >= 0 && j < n) s += {term}; }}\n  y[i] = s;"
    _, port = translate(*small_kernel(tmp_path, body))
    assert port["status"] != "translated", port["spec"]


@pytest.mark.parametrize("value, check", [("-2.0f * x[j]", "-3.4028234e38 < "), ("x[j] * x[j]", None), ("expf(x[j])", None)])
def test_a_running_maximum_of_computed_values_is_checked_or_refused(value, check, tmp_path):
    body = f"  if (i >= n) return;\n  float m = -FLT_MAX;\n  for (int j = 0; j < n; j++) m = fmaxf(m, {value});\n  y[i] = m;"
    source, launch = small_kernel(tmp_path, body)
    source.write_text("#include <float.h>\n" + source.read_text())
    _, port = translate(source, launch, "--out-dir", tmp_path / "out")
    if check:
        assert port["status"] == "translated" and "2.0 * x[i]" in (tmp_path / "out/k_nki.py").read_text(), port
    else:
        assert port["status"] != "translated", port["spec"]

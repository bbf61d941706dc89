"""docs/rules holds every rule's page as it stands beside the rule, where findings point."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_copies_are_current():
    done = subprocess.run([sys.executable, "docs/rules/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_explain_prints_the_page_that_findings_point_to():
    program = pathlib.Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")) / "neuron-port"
    for name in ("hard-coded-cuda-device", "torch-cuda-memory", "cpu-fallback"):
        shown = subprocess.run([program, "explain", name], capture_output=True, text=True, check=True).stdout
        assert shown.strip() == (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8").strip()

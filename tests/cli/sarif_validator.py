"""The official SARIF validator (npm package @microsoft/sarif-multitool-linux) finds no error in our output.

It is installed once into the build tree; where npm cannot install it, the test is skipped and says so."""

import json
import os
import platform
import subprocess

import pytest
from command import BUILD, ROOT, TRAIN, project, run

PACKAGE, VERSION = "@microsoft/sarif-multitool-linux", "5.7.0"


@pytest.fixture(scope="session")
def validator():
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        pytest.skip("the validator ships an executable for Linux on x86-64 only")
    folder = BUILD / "tests" / f"sarif-multitool-{VERSION}"
    program = folder / "node_modules" / PACKAGE / "Sarif.Multitool"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder), f"{PACKAGE}@{VERSION}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except (FileNotFoundError, subprocess.TimeoutExpired) as error:
            pytest.skip(f"npm cannot install {PACKAGE}: {error}")
        if done.returncode != 0 or not program.exists():
            pytest.skip(f"npm cannot install {PACKAGE}: {done.stderr[-300:]}")
    program.chmod(0o755)

    def validate(log):
        out = log.with_suffix(".result")
        command = [str(program), "validate", str(log), "--output", str(out), "--log", "ForceOverwrite"]
        environment = dict(os.environ, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1", DOTNET_BUNDLE_EXTRACT_BASE_DIR=str(folder))
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        (only,) = json.loads(out.read_text(encoding="utf-8-sig"))["runs"]
        return [(r.get("level", "warning"), r["ruleId"], r["message"]) for r in only["results"]]

    return validate


def test_the_validator_finds_a_mistake(validator, tmp_path):
    log = tmp_path / "bad.sarif"
    log.write_text(json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{}]}]}))
    assert any(level == "error" for level, _, _ in validator(log))


@pytest.mark.parametrize("name", ["python", "empty", "golden"])
def test_no_error_in_our_output(validator, tmp_path, name):
    folder = {
        "python": lambda: project(tmp_path / "work", {"a.py": TRAIN, "ü b.py": TRAIN, "latin.py": b"'\xe4'", "b.py": "def f(:\n"}),
        "empty": lambda: project(tmp_path / "work", {"a.py": "x = 1\n"}),
        "golden": lambda: ROOT / "tests" / "golden" / "fused_block",
    }[name]()
    log = tmp_path / "out.sarif"
    done = run("check", "--output-format", f"sarif={log}", ".", cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    errors = [r for r in validator(log) if r[0] == "error"]
    assert errors == []

"""Published packages' own tests that need CUDA: failing or skipped without it, run on neuron once `fix --unsafe-fixes` was applied."""

import os
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as xml

import pytest
from environment import HERE, TOOL, NotReached, interpreter, keep, source
from program import fix, python_files

SUITES = tomllib.loads((HERE / "suites.toml").read_text())


def outcomes(project, tests, results, on_neuron):
    """{test: (outcome, message)} of one pytest run."""
    command = ["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={results}", *tests]
    if on_neuron:
        command = [str(TOOL), "run", "--", *command]
    else:
        command[0] = str(interpreter())
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NEURON_")}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "NEURON_PORT_PYTHON": str(interpreter())}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=900)
    assert results.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    seen = {}
    for case in xml.parse(results).iter("testcase"):
        inner = [child for child in case if child.tag in ("failure", "error", "skipped")]
        outcome = {"failure": "failed", "error": "failed", "skipped": "skipped"}[inner[0].tag] if inner else "passed"
        seen[case.get("name")] = (outcome, (inner[0].get("message") or "") + (inner[0].text or "") if inner else "")
    return seen


@pytest.mark.parametrize("name", SUITES)
def test_suite(name, tmp_path):
    about = SUITES[name]
    try:
        project = shutil.move(source(about["sdist"], about["version"], about["sha256"], tmp_path / "unpacked"), tmp_path / "project")
    except NotReached as reason:
        pytest.skip(str(reason))
    before = outcomes(project, about["tests"], tmp_path / "before.xml", on_neuron=False)
    chosen = {test for test in before if re.search(about["needs_cuda"], test)}
    assert len(chosen) == about["tests_needing_cuda"]
    for test in chosen:
        assert before[test][0] == about["before"]["outcome"], (test, before[test])
        assert about["before"]["message"] in before[test][1]

    assert fix(project).returncode in (0, 1)
    once = python_files(project)
    assert "nothing to fix" in fix(project).stderr
    assert python_files(project) == once

    after = outcomes(project, about["tests"], tmp_path / "after.xml", on_neuron=True)
    assert set(after) == set(before)
    assert all(after[test][0] == "passed" for test in before if before[test][0] == "passed")
    won = {test for test in chosen if after[test][0] == "passed"}
    keep("suites", name, {"source": f"{about['sdist']} {about['version']}", "tests": about["tests"], "before": about["before"]["outcome"],
                          "chosen": len(chosen), "won": len(won), "stays": about["stays"]})
    assert won == {test for test in chosen if re.search(about["passed"], test)}, {test: after[test] for test in chosen}
    for test in chosen - won:
        assert about["stays"]["message"] in after[test][1], (test, after[test])

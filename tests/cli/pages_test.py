"""explain, rules, schema, config show, doctor: what the tool says about itself."""

import json
import re

import jsonschema
import pytest
from command import TRAIN, project, report, run


def table(tmp_path):
    shown = run("rules", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    return [re.match(r"(NPT\d{4})  (\S+) +(error|warning|hint) +(preview|stable|deprecated) +(.+)$", line) for line in shown.stdout.splitlines()]


def test_rules_lists_each_rule_once(tmp_path):
    rows = table(tmp_path)
    assert all(rows) and len(rows) >= 21
    ids, names = [r[1] for r in rows], [r[2] for r in rows]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert len(set(zip(ids, names))) == len(rows)
    assert sum(i.startswith("NPT3") for i in ids) >= 15 and sum(i.startswith(("NPT1", "NPT2")) for i in ids) >= 6


def test_every_rule_is_explained(tmp_path):
    headings = ["What it finds", "Why it matters on Neuron", "Example", "Instead", "Fix safety", "Limits", "References"]
    for row in table(tmp_path):
        page = run("explain", row[1], cwd=tmp_path)
        assert page.returncode == 0 and f"({row[1]})" in page.stdout.splitlines()[0], row[1]
        found = re.findall(r"^## (.+)$", page.stdout, re.M)
        assert found == headings, (row[1], found)


def test_explain_by_name_and_by_api(tmp_path):
    assert run("explain", "hard-coded-cuda-device", cwd=tmp_path).stdout == run("explain", "NPT3001", cwd=tmp_path).stdout
    for name in ("torch.cuda.Stream", "torch.cuda.synchronize", "cudaMalloc", "__shfl_down_sync"):
        done = run("explain", name, cwd=tmp_path)
        assert done.returncode == 0 and name in done.stdout, (name, done.stderr)


@pytest.mark.parametrize("name", ["report", "config", "launch"])
def test_schemas_are_schemas(tmp_path, name):
    schema = json.loads(run("schema", name, cwd=tmp_path).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert not jsonschema.Draft202012Validator(schema).is_valid([])


def test_config_show(tmp_path):
    folder = project(tmp_path / "work", {"pyproject.toml": '[tool.neuron-port]\nselect = ["NPT3"]\nfail-on = "hint"\n', "a.py": TRAIN})
    shown = run("config", "show", cwd=folder)
    assert shown.returncode == 0 and "pyproject.toml" in shown.stdout
    import tomllib

    values = tomllib.loads(shown.stdout)
    assert values["select"] == ["NPT3"] and values["fail-on"] == "hint"
    schema = json.loads(run("schema", "config", cwd=folder).stdout)
    jsonschema.Draft202012Validator(schema).validate(values)
    project(folder, {"other.toml": 'ignore = ["NPT3001"]\n'})
    assert tomllib.loads(run("config", "show", "--config", "other.toml", cwd=folder).stdout)["ignore"] == ["NPT3001"]


def test_what_config_show_prints_is_a_configuration(tmp_path):
    folder = project(tmp_path / "work", {"neuron-port.toml": 'exclude = ["a \\"b\\"", "c\\\\d"]\nignore = ["NPT3001"]\n', "a.py": TRAIN})
    shown = run("config", "show", cwd=folder).stdout
    project(folder, {"again.toml": shown})
    again = run("config", "show", "--config", "again.toml", cwd=folder)
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines()[1:] == shown.splitlines()[1:]


def test_doctor_names_what_is_missing(tmp_path):
    """Beside a lone copy of the executable nothing is found: exit 1, and each thing with what to do about it."""
    import shutil
    import subprocess

    from command import TOOL

    alone = tmp_path / "bin" / "neuron-port"
    alone.parent.mkdir()
    shutil.copy(TOOL, alone)
    done = subprocess.run([str(alone), "doctor"], capture_output=True, text=True, timeout=120, env={"PATH": "/usr/bin:/bin", "NEURON_PORT_PYTHON": "/nonexistent/python"})
    assert done.returncode == 1
    for name in ("neuron-port-clang", "neuron-port-kernel", "torch", "neuron device"):
        assert re.search(rf"missing +{name}: .+; .+", done.stdout), (name, done.stdout)


def test_check_works_without_the_siblings(tmp_path):
    """A lone executable still analyses Python, and says that C++ was only partly seen."""
    import shutil
    import subprocess

    from command import TOOL

    alone = tmp_path / "bin" / "neuron-port"
    alone.parent.mkdir()
    shutil.copy(TOOL, alone)
    folder = project(tmp_path / "work", {"a.py": TRAIN, "k.cu": "__global__ void k(float* x) { x[0] = 1.f; }\n"})
    done = subprocess.run([str(alone), "check", "--output-format", "json"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert [p["path"] for p in found["coverage"]["partial_files"]] == ["k.cu"]
    assert [k["name"] for k in found["kernels"]] == ["k"]
    assert found["coverage"]["files"] == 2


def test_rule_ids_of_findings_are_listed(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN})
    known = {row[1] for row in table(tmp_path)}
    assert {f["rule"] for f in report(cwd=folder)["findings"]} <= known

"""Small verbs and options: JSON of listings, help with examples, completions, standard input under a name, the nearest
configuration, port on a branch."""

import json
import os
import stat
import subprocess

import pytest
from command import TRAIN, assert_one_error, contents, git, project, report, run

VERBS = ["check", "fix", "kernel", "kernel translate", "kernel run", "kernel check", "port", "graph", "run", "explain", "rules", "schema",
         "doctor", "config", "baseline", "baseline create", "baseline update", "baseline prune", "clean", "completion", "version"]


def test_every_command_has_an_example(tmp_path):
    for verb in VERBS:
        done = run(*verb.split(), "--help", cwd=tmp_path)
        assert done.returncode == 0 and "Example:\n  neuron-port " + verb.split()[0] in done.stdout, verb


def test_listings_as_json(tmp_path):
    rules = json.loads(run("rules", "--output-format", "json", cwd=tmp_path).stdout)["rules"]
    assert [r["id"] for r in rules] == sorted(r["id"] for r in rules) and all(r["summary"] for r in rules)
    page = json.loads(run("explain", "NPT3001", "--output-format", "json", cwd=tmp_path).stdout)["rule"]
    assert page["id"] == "NPT3001" and "## Example" in page["page"]
    apis = json.loads(run("explain", "torch.cuda.Stream", "--output-format", "json", cwd=tmp_path).stdout)["apis"]
    assert "Stream" in apis[0]["cuda"]
    doctor = json.loads(run("doctor", "--output-format", "json=d.json", cwd=tmp_path).stdout or (tmp_path / "d.json").read_text())
    assert {c["what"] for c in doctor["checks"]} >= {"torch", "neuron-port-clang"}
    assert_one_error(run("rules", "--output-format", "sarif", cwd=tmp_path), '"sarif"')


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(tmp_path, shell):
    done = run("completion", shell, cwd=tmp_path)
    assert done.returncode == 0 and "--unsafe-fixes" in done.stdout and "translate" in done.stdout
    if shell == "bash":
        ask = done.stdout + "COMP_WORDS=(neuron-port check --isol); COMP_CWORD=2; _neuron_port; echo ${COMPREPLY[@]}"
        assert subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True).stdout.split() == ["--isolated"]


def test_standard_input_under_a_name(tmp_path):
    folder = project(tmp_path / "work", {"pyproject.toml": "", "sub/neuron-port.toml": "ignore = ['NPT3']\n"})
    done = run("check", "-", "--stdin-filename", "pkg.py", "--output-format", "concise", cwd=folder, input=TRAIN)
    assert done.returncode == 1 and done.stdout.startswith("pkg.py:")
    assert_one_error(run("check", "-", "--stdin-filename", "none/a.py", cwd=folder, input=TRAIN), '"none"')
    assert_one_error(run("check", "-", "--stdin-filename", "a.txt", cwd=folder, input=TRAIN), '"a.txt"')
    assert_one_error(run("check", ".", "--stdin-filename", "a.py", cwd=folder), "--stdin-filename")


def test_the_nearest_configuration_decides(tmp_path):
    files = {"pyproject.toml": "[tool.neuron-port]\nselect = ['NPT3']\n", "a.py": TRAIN, "sub/b.py": TRAIN, "sub/gen/c.py": TRAIN,
             "sub/deep/d.py": TRAIN, "sub/neuron-port.toml": "select = ['NPT3001']\nexclude = ['gen/']\n"}
    folder = project(tmp_path / "work", files)
    found = {}
    for finding in report(cwd=folder)["findings"]:
        found.setdefault(finding["path"], set()).add(finding["rule"])
    assert set(found) == {"a.py", "sub/b.py", "sub/deep/d.py"}
    assert found["sub/b.py"] == found["sub/deep/d.py"] == {"NPT3001"} and len(found["a.py"]) > 1
    assert set(f["path"] for f in report("--isolated", cwd=folder)["findings"]) == set(found) | {"sub/gen/c.py"}
    shown = run("config", "explain", "sub/deep/d.py", cwd=folder)
    assert "sub/neuron-port.toml:1" in shown.stdout
    (folder / "sub/neuron-port.toml").write_text("select = ['NPT9999']\n")
    assert_one_error(run("check", cwd=folder), "NPT9999", "sub/neuron-port.toml")
    assert_one_error(run("config", "explain", "none.py", cwd=folder), '"none.py"')


def test_readiness(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN + "import bitsandbytes\n"})
    r = report(cwd=folder)["summary"]["readiness"]
    work = ["rewrite", "hours", "minutes", "automatic"]
    assert sum(i["places"] for i in r["worklist"]) == sum(r[w] for w in work) > 0
    order = [(not i["blocker"], work.index(i["work"])) for i in r["worklist"]]
    assert order == sorted(order) and r["blockers"] == sum(i["blocker"] for i in r["worklist"])
    assert "Readiness: " in run("check", cwd=folder).stdout


def ported(tmp_path, **files):
    folder = project(tmp_path / "work", {"a.py": TRAIN, "run.py": TRAIN} | files)
    (folder / "run.py").chmod(0o755)
    git("init", "-q", "-b", "main", cwd=folder)
    git("add", ".", cwd=folder)
    git("commit", "-qm", "start", cwd=folder)
    for key, value in (("user.name", "t"), ("user.email", "t@example.org")):
        git("config", key, value, cwd=folder)
    return folder


def ask(folder, *arguments):
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_port_on_a_branch(tmp_path):
    folder = ported(tmp_path)
    hook = folder / ".git/hooks/post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    before = {p: d for p, d in contents(folder).items() if not p.startswith(".git/")}
    done = run("port", ".", "--git-branch", "neuron", "--exit-zero", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert {p: d for p, d in contents(folder).items() if not p.startswith(".git/")} == before
    assert ask(folder, "rev-parse", "--abbrev-ref", "HEAD").strip() == "main" and ask(folder, "status", "--porcelain") == ""
    assert ask(folder, "rev-list", "--count", "main..neuron").strip() == "1"
    assert set(ask(folder, "diff", "--name-only", "main", "neuron").split()) == {"a.py", "run.py"}
    assert ask(folder, "ls-tree", "neuron", "run.py").startswith("100755") and "cuda.synchronize" not in ask(folder, "show", "neuron:a.py")


def test_no_branch(tmp_path):
    folder = ported(tmp_path)
    assert_one_error(run("port", ".", "--git-branch", "main", cwd=folder), '"main"')
    assert_one_error(run("port", ".", "--git-branch", "a..b", cwd=folder), '"a..b"')
    assert_one_error(run("port", ".", cwd=folder), "--git-branch")
    assert_one_error(run("port", ".", "--git-branch", "x", "--out-dir", "../y", cwd=folder), "--out-dir")
    (folder / "a.py").write_text("x = 1\n")
    assert_one_error(run("port", ".", "--git-branch", "x", cwd=folder), "uncommitted")
    assert_one_error(run("port", ".", "--git-branch", "x", cwd=project(tmp_path / "plain", {"a.py": TRAIN})), "work tree")


def test_a_ported_tree_is_not_reported_again(tmp_path):
    folder = project(tmp_path / "work", {"neuron-port.toml": "", "src/a.py": TRAIN})
    assert run("port", "src", "--out-dir", "out", "--exit-zero", cwd=folder).returncode == 0
    assert {f["path"] for f in report(cwd=folder)["findings"]} == {"src/a.py"}


def test_trust_needs_the_fast_engine(tmp_path):
    folder = project(tmp_path / "work", {"k.cu": "", "k.launch.json": "{}"})
    assert_one_error(run("kernel", "run", "k.cu", "--trust", cwd=folder), "--engine fast")
    assert_one_error(run("kernel", "run", "k.cu", "--engine", "fsat", cwd=folder), '"fast"')


def test_a_wrong_value_is_named_also_before_a_program(tmp_path):
    assert_one_error(run("run", "--policy", "strct", "--", "python", "x.py", cwd=tmp_path), '"strict"')

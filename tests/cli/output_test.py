"""The output formats: each is read back by the program it is meant for, and all name the same findings."""

import os
import subprocess
import json
import re

import jsonschema
import pytest
from command import TRAIN, project, report, run

FILES = {
    "bom.py": b"\xef\xbb\xbfimport torch\r\nx = torch.zeros(3, device='cuda')\r\n",
    "crlf.py": b"import torch\r\n\r\n\tx = 1\r\n" b"y = torch.zeros(3, device=\"cuda\")\r\n",
    "text.py": "import torch\nü = '日本😀'; y = torch.zeros(3, device='cuda')\n",
    "tabs.py": "import torch\ndef f():\n\treturn torch.zeros(3, device='cuda')\n",
    "last.py": "import torch\nx = torch.zeros(3, device='cuda')",
    "train.py": TRAIN,
    "broken.py": "import torch\nx = torch.zeros(3, device='cuda')\ndef f(:\n",
    "latin.py": b"x = '\xe4'\n",
    "sub/ordner ü/a b.py": TRAIN,
}


@pytest.fixture
def folder(tmp_path):
    return project(tmp_path / "work", FILES)


def test_json_is_valid_against_the_schema(folder):
    schema = json.loads(run("schema", "report", cwd=folder).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    found = report(cwd=folder)
    validator.validate(found)
    for change in (
        lambda r: r.pop("coverage"),
        lambda r: r["findings"][0].update(severity="bad"),
        lambda r: r["findings"][0]["range"]["start"].update(line=0),
        lambda r: r["coverage"].update(files="9"),
    ):
        wrong = json.loads(json.dumps(found))
        change(wrong)
        assert not validator.is_valid(wrong)


def test_every_file_is_accounted_for(folder):
    coverage = report(cwd=folder)["coverage"]
    assert coverage["files"] == len(FILES)
    assert coverage["files"] == coverage["analysed"] + coverage["partial"] + len(coverage["skipped"])
    assert [s["path"] for s in coverage["skipped"]] == ["latin.py"]
    assert "broken.py" in [p["path"] for p in coverage["partial_files"]]


def test_offsets_are_bytes_and_columns_are_characters(folder):
    """Offsets cut the exact bytes out of the file as stored; lines and columns are counted in its text."""
    seen = set()
    for f in report(cwd=folder)["findings"]:
        data = (folder / f["path"]).read_bytes()
        for end in ("start", "end"):
            position = f["range"][end]
            before = data[: position["offset"]].decode("utf-8")
            assert position["line"] == before.count("\n") + 1, f
            line = before.rsplit("\n", 1)[-1].removeprefix("\ufeff")
            assert position["column"] == len(line) + 1, f
        text = data[f["range"]["start"]["offset"] : f["range"]["end"]["offset"]]
        if f["rule"] == "NPT3001":
            assert re.fullmatch(rb"(torch\.device\()?(['\"])cuda\2\)?", text), (f["path"], text)
            seen.add(f["path"])
    assert {"bom.py", "crlf.py", "text.py", "tabs.py", "last.py", "train.py"} <= seen


def test_edits_are_ranges_of_bytes(folder):
    fixes = [fix for f in report(cwd=folder)["findings"] for fix in f["fixes"]]
    assert fixes
    for fix in fixes:
        assert fix["safety"] in ("safe", "unsafe", "display")
        for edit in fix["edits"]:
            assert 0 <= edit["start"] <= edit["end"] <= len((folder / edit["path"]).read_bytes())


def test_findings_are_ordered_and_fingerprints_differ(folder):
    findings = report(cwd=folder)["findings"]
    keys = [(f["path"], f["range"]["start"]["offset"], f["rule"]) for f in findings]
    assert keys == sorted(keys)
    prints = [f["fingerprint"] for f in findings]
    assert all(prints) and len(set(prints)) == len(prints)


def test_fingerprints_do_not_move_with_the_line(tmp_path):
    before = project(tmp_path / "one", {"a.py": TRAIN})
    after = project(tmp_path / "two", {"a.py": "# a new first line\n" + TRAIN})
    prints = [[f["fingerprint"] for f in report(cwd=folder)["findings"]] for folder in (before, after)]
    assert prints[0] and prints[0] == prints[1]


def test_concise_is_one_line_a_finding(folder):
    findings = report(cwd=folder)["findings"]
    lines = run("check", "--output-format", "concise", cwd=folder).stdout.splitlines()
    assert len(lines) == len(findings)
    for line, f in zip(lines, findings):
        start = f["range"]["start"]
        assert line.startswith(f"{f['path']}:{start['line']}:{start['column']}: {f['severity']} {f['rule']} ")


def test_json_lines(folder):
    lines = run("check", "--output-format", "jsonl", cwd=folder).stdout.splitlines()
    assert [json.loads(line) for line in lines] == report(cwd=folder)["findings"]


def test_github_commands(folder):
    findings = report(cwd=folder)["findings"]
    lines = run("check", "--output-format", "github", cwd=folder).stdout.splitlines()
    assert len(lines) == len(findings)
    for line in lines:
        assert re.fullmatch(r"::(error|warning|notice) file=[^,:]+,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=[^:,]+::.+", line)


def test_gitlab_code_quality(folder):
    items = json.loads(run("check", "--output-format", "gitlab", cwd=folder).stdout)
    findings = report(cwd=folder)["findings"]
    assert [i["fingerprint"] for i in items] == [f["fingerprint"] for f in findings]
    for item in items:
        assert item["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert item["location"]["path"] and item["location"]["lines"]["begin"] >= 1


def test_sarif_locations(folder):
    log = json.loads(run("check", "--output-format", "sarif", cwd=folder).stdout)
    (sarif_run,) = log["runs"]
    findings = report(cwd=folder)["findings"]
    assert log["version"] == "2.1.0" and sarif_run["columnKind"] == "unicodeCodePoints"
    assert len(sarif_run["results"]) == len(findings)
    rules = sarif_run["tool"]["driver"]["rules"]
    for result, f in zip(sarif_run["results"], findings):
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (f["range"]["start"]["line"], f["range"]["start"]["column"])
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == f["rule"]
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in sarif_run["results"]}
    assert "sub/ordner%20%C3%BC/a%20b.py" in uris


def test_html_stands_alone_and_escapes(tmp_path):
    hostile = "import torch\nx = torch.zeros(3, device='cuda')  # <script>alert(1)</script>\n"
    folder = project(tmp_path / "work", {"<b>a.py": hostile})
    page = run("check", "--output-format", "html", cwd=folder).stdout
    assert page.lower().startswith("<!doctype html>") and "NPT3001" in page
    assert "<script>alert(1)" not in page and "<b>a.py" not in page
    assert not re.search(r"(src|href)\s*=\s*[\"']https?://[^\"']+\.(js|css)", page)


def test_several_formats_to_files(folder):
    wanted = ["json=out.json", "sarif=out.sarif", "html=out.html", "concise"]
    done = run("check", *[w for name in wanted for w in ("--output-format", name)], cwd=folder)
    assert done.returncode == 1
    assert json.loads((folder / "out.json").read_text()) == report(cwd=folder)
    assert json.loads((folder / "out.sarif").read_text())["version"] == "2.1.0"
    assert "NPT3001" in (folder / "out.html").read_text()
    assert all(re.match(r".+:\d+:\d+: ", line) for line in done.stdout.splitlines())


def test_text_is_a_summary_first(folder):
    shown = run("check", cwd=folder).stdout
    order = [shown.index(part) for part in ("finding", "safe to fix", "Most important places", "Coverage: ", "Next")]
    assert order == sorted(order)
    assert "latin.py: not valid UTF-8" in shown
    full = run("check", "--output-format", "full", cwd=folder).stdout
    for f in report(cwd=folder)["findings"]:
        assert f"{f['path']}:{f['range']['start']['line']}:{f['range']['start']['column']}: " in full


def test_statistics(folder):
    shown = run("check", "--statistics", cwd=folder).stdout
    count = sum(f["rule"] == "NPT3001" for f in report(cwd=folder)["findings"])
    assert re.search(rf"^ +{count}  NPT3001  hard-coded-cuda-device$", shown, re.M)


def test_colour(folder):
    plain = run("check", cwd=folder).stdout
    assert "\x1b[" not in plain
    coloured = run("check", cwd=folder, FORCE_COLOR=1).stdout
    assert "\x1b[" in coloured and re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert run("check", cwd=folder, FORCE_COLOR=1, NO_COLOR=1).stdout == plain
    assert run("check", cwd=folder, NO_COLOR="", FORCE_COLOR=1).stdout == coloured


def test_machine_formats_have_no_colour(folder):
    for name in ("json", "jsonl", "sarif", "github", "gitlab"):
        assert "\x1b" not in run("check", "--output-format", name, cwd=folder, FORCE_COLOR=1).stdout


def test_source_cannot_command_the_terminal(tmp_path):
    """A line of the analysed file is shown, its control characters are not sent."""
    folder = project(tmp_path / "work", {"a.py": "import torch\nx = torch.zeros(3, device='cuda')  # \x1b]0;owned\x07 \x1b[2J \x9b2J \r x\n"})
    for name in ("text", "full", "concise"):
        shown = run("check", "--output-format", name, cwd=folder).stdout
        assert not set("\x1b\x07\x9b\r") & set(shown), name


@pytest.mark.parametrize("name", ["text", "full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "html"])
def test_output_does_not_depend_on_the_number_of_jobs(folder, name):
    for i in range(40):
        project(folder, {f"many/m{i}.py": TRAIN * (1 + i % 5)})
    one, two, eight = (run("check", "--jobs", n, "--output-format", name, cwd=folder).stdout for n in (1, 2, 8))
    assert one and one == two == eight


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    folder = project(tmp_path / "work", {"a.py": TRAIN})
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
    assert run("check", "--output-format", f"concise={pipe}", cwd=folder).returncode == 1
    assert " NPT3001 " in reader.communicate(timeout=20)[0]
    assert pipe.is_fifo()

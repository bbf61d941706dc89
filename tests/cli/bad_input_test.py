"""Bad input: one clear error that names the thing, exit code 2, nothing half written."""

import pytest
from command import TRAIN, assert_one_error, contents, project, report, run


@pytest.fixture
def folder(tmp_path):
    return project(tmp_path / "work", {"proj/train.py": TRAIN})


def assert_refused(folder, arguments, *parts, **settings):
    before = contents(folder)
    assert_one_error(run(*arguments, cwd=folder, **settings), *parts)
    assert contents(folder) == before


def test_missing_file(folder):
    assert_refused(folder, ["check", "nowhere.py"], 'no such file or directory "nowhere.py"')
    assert_refused(folder, ["check", "proj", "nowhere.py"], "nowhere.py")
    assert_refused(folder, ["fix", "nowhere.py"], "nowhere.py")
    assert_refused(folder, ["port", "nowhere", "--out-dir", "out"], '"nowhere"')


def test_directory_without_sources(folder):
    project(folder, {"empty/readme.txt": "no code"})
    assert_refused(folder, ["check", "empty"], 'sources found in "empty"')
    assert_refused(folder, ["port", "empty", "--out-dir", "out"], "sources found in", "empty")


def test_invalid_utf8(folder):
    project(folder, {"latin.py": b"name = '\xe4'\n"})
    assert_refused(folder, ["check", "latin.py"], "latin.py", "UTF-8")
    assert_refused(folder, ["fix", "latin.py"], "latin.py", "UTF-8")


def test_invalid_utf8_inside_a_folder_is_a_gap_in_coverage(folder):
    project(folder / "proj", {"latin.py": b"name = '\xe4'\n"})
    coverage = report("proj", cwd=folder)["coverage"]
    assert coverage["files"] == 2 and coverage["analysed"] == 1
    assert coverage["skipped"] == [{"path": "latin.py", "reason": "not valid UTF-8"}]


def test_line_of_five_megabytes(folder):
    """Read like any other: the finding behind it is found, at the right column."""
    long_line = "data = '" + "x" * 5_000_000 + "'; y = torch.zeros(3, device='cuda')\n"
    project(folder, {"long/long.py": "import torch\n" + long_line})
    found = report("long/long.py", cwd=folder)
    assert found["coverage"]["analysed"] == 1
    assert [f["rule"] for f in found["findings"]] == ["NPT3001"]
    assert found["findings"][0]["range"]["start"]["column"] == long_line.index("'cuda'") + 1
    shown = run("check", "long/long.py", cwd=folder)
    assert len(shown.stdout) < 10_000


def test_file_too_large_for_code(folder):
    project(folder, {"large.py": b"#" * 17_000_000})
    assert_refused(folder, ["check", "large.py"], "large.py", "17000000 bytes")


def test_out_inside_the_project(folder):
    assert_refused(folder, ["port", "proj", "--out-dir", "proj/out"], '"proj/out"', "inside the project")
    assert_refused(folder, ["port", "proj", "--out-dir", "proj"], '"proj"')


def test_project_inside_out(folder):
    assert_refused(folder, ["port", "proj", "--out-dir", "."], "inside output folder")


def test_out_that_cannot_be_written(folder):
    project(folder, {"file": "a file, not a folder"})
    assert_refused(folder, ["port", "proj", "--out-dir", "file/out"], "file/out")
    assert_refused(folder, ["port", "proj", "--out-dir", "file"], '"file"')
    assert_refused(folder, ["check", "proj", "--output-format", "json=file/report.json"], "file/report.json")


def test_out_that_is_not_empty(folder):
    project(folder, {"out/kept.txt": "kept"})
    assert_refused(folder, ["port", "proj", "--out-dir", "out"], '"out"', "not empty")


@pytest.mark.parametrize("flag", ["--select", "--ignore", "--extend-select"])
def test_unknown_rule(folder, flag):
    assert_refused(folder, ["check", "proj", flag, "NPT3999"], '"NPT3999"', "did you mean", "NPT3")
    assert_refused(folder, ["check", "proj", flag, "hard-code"], '"hard-code"')


def test_unknown_rule_to_explain(folder):
    assert_refused(folder, ["explain", "NPT3999"], '"NPT3999"', "did you mean")
    assert_refused(folder, ["explain", "hard-coded-cuda-devize"], "did you mean", "hard-coded-cuda-device")


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["check", "--fxi", "proj"], ['"--fxi"', '"--fix"']),
        (["check", "--ouput-format=json", "proj"], ['"--ouput-format"', '"--output-format"']),
        (["fix", "--unsafe-fix", "proj"], ['"--unsafe-fix"', '"--unsafe-fixes"']),
        (["kernel", "run", "x.cu", "--lanch", "x"], ['"--lanch"', '"--launch"']),
        (["kernel", "trnslate", "x.cu"], ['"trnslate"', '"translate"']),
        (["chek", "proj"], ['"chek"', '"check"']),
        (["check", "proj", "--output-format", "jsn"], ['"jsn"', '"json"']),
        (["check", "proj", "--fail-on", "eror"], ['"eror"', '"error"']),
        (["check", "proj", "--target", "neurn"], ['"neurn"', '"neuron"']),
        (["check", "proj", "--jobs", "many"], ["--jobs", "many"]),
        (["schema", "reprt"], ['"reprt"', '"report"']),
        (["port", "proj"], ["--out-dir"]),
    ],
)
def test_unknown_word_on_the_command_line(folder, arguments, parts):
    assert_refused(folder, arguments, *parts)


def test_no_command_lists_the_commands(folder):
    done = run(cwd=folder)
    assert done.returncode == 2 and done.stderr.startswith("neuron-port: no command given")
    assert all(verb in done.stderr for verb in ("check", "fix", "kernel", "port", "run"))


@pytest.mark.parametrize(
    "text, parts",
    [
        ('selct = ["NPT3"]\n', ['"selct"', '"select"', "neuron-port.toml:1:"]),
        ('fail-on = "eror"\n', ['"eror"', '"error"', "neuron-port.toml:1:"]),
        ('select = "NPT3"\n', ['"select"', "list"]),
        ("select = [\n", ["neuron-port.toml:"]),
        ('select = ["NPT3999"]\n', ['"NPT3999"']),
    ],
)
def test_mistake_in_the_configuration(folder, text, parts):
    project(folder / "proj", {"neuron-port.toml": text})
    assert_refused(folder, ["check", "proj"], *parts)


def test_mistake_in_pyproject(folder):
    project(folder / "proj", {"pyproject.toml": '[project]\nname = "x"\n[tool.neuron-port]\nexclud = ["a"]\n'})
    assert_refused(folder, ["check", "proj"], "pyproject.toml:4:", '"exclud"', '"exclude"')


def test_missing_configuration_file(folder):
    assert_refused(folder, ["check", "proj", "--config", "none.toml"], '"none.toml"')


def test_revision_that_does_not_exist(folder):
    assert_refused(folder, ["check", "proj", "--since", "no-such-revision"], '"no-such-revision"')
    assert_refused(folder, ["check", "proj", "--since=--output=stolen"], '"--output=stolen"')


def test_nothing_to_undo(folder):
    assert_refused(folder, ["fix", "--undo", "proj"], "no fix to take back")


def test_standard_input_cannot_be_fixed_in_place(folder):
    assert_refused(folder, ["check", "--fix", "-"], "standard input", "--diff", input=TRAIN)


def test_missing_cuda_file_and_launch_file(folder):
    assert_refused(folder, ["kernel", "run", "none.cu"], 'no such file "none.cu"')
    project(folder, {"k.cu": "__global__ void k(float* x) { x[0] = 1.f; }\n"})
    assert_refused(folder, ["kernel", "run", "k.cu", "--launch", "none.json"], '"none.json"')


def test_our_own_errors_of_run_are_125(folder):
    assert run("run", "--", "no-such-program-anywhere", cwd=folder).returncode == 125

"""Bad requests and launch files: one clear error each, naming the thing; nothing half written."""
import json
import os
import random
import subprocess

import pytest
from kernel_tool import BUILD, CASES, kernel

SHARED = CASES / "shared"
GOOD = json.loads((SHARED / "saxpy.launch.json").read_text())


def changed(tmp_path, change):
    launch = json.loads(json.dumps(GOOD))
    launch["source"] = str((SHARED / "elementwise.cu").resolve())
    change(launch)
    path = tmp_path / "saxpy.launch.json"
    path.write_text(json.dumps(launch))
    return path


@pytest.mark.parametrize(
    "change, code, place, part",
    [
        (lambda l: l["launches"][0].update(kernel="saxpi"), None, "", "saxpi"),
        (lambda l: l["launches"][0]["args"].pop(), "arguments", "#/launches/0/args", "4 parameters"),
        (lambda l: l["launches"][0]["args"].__setitem__(0, "x"), "arguments", "#/launches/0/args/0", "is no pointer"),
        (lambda l: l["launches"][0]["args"].__setitem__(2, "n"), "arguments", "#/launches/0/args/2", "is a pointer"),
        (lambda l: l["launches"][0]["args"].__setitem__(0, "a"), "arguments", "#/launches/0/args/0", "is an integer"),
        (lambda l: l["launches"][0]["args"].__setitem__(0, "n*100000000"), "arguments", "/args/0", "cannot hold"),
        (lambda l: l["launches"][0]["args"].__setitem__(0, "m"), "unknown-name", "#/launches/0/args/0", "\"m\""),
        (lambda l: l["buffers"]["x"].update(type="f64"), "arguments", "#/launches/0/args/2", "\"f64\""),
        (lambda l: l["buffers"]["x"].update(type="f33"), "launch-file", "#/buffers/x/type", "f33"),
        (lambda l: l.update(source="none.cu"), None, "none.cu", ""),
        (lambda l: l["launches"][0].update(block=["2048", "1", "1"]), "launch-file", "#/launches/0/block/0", "2048"),
    ],
)
def test_launch_files_with_one_mistake(tmp_path, change, code, place, part):
    out = tmp_path / "out"
    reply = kernel("run", changed(tmp_path, change), out_dir=str(out))
    assert not reply["ok"], reply
    error = reply["error"]
    assert code is None or error["code"] == code, error
    assert place in error["location"] and part in error["message"], error
    assert not list(out.rglob("*.npy"))


def test_missing_launch_file_and_broken_source(tmp_path):
    assert kernel("run", tmp_path / "no.json")["error"]["code"] == "io"
    broken = tmp_path / "broken.cu"
    broken.write_text("__global__ void saxpy(int n, float a, const float* x, float* y) { y[0] = ; }\n")
    error = kernel("run", SHARED / "saxpy.launch.json", source=str(broken))["error"]
    assert error["code"] == "cuda-compile" and "broken.cu:1:" in error["location"]


def test_unwritable_output(tmp_path):
    (tmp_path / "file").write_text("")
    error = kernel("run", SHARED / "saxpy.launch.json", out_dir=str(tmp_path / "file" / "out"))["error"]
    assert error["code"] == "io" and "file" in error["message"]


@pytest.mark.parametrize("text, status", [("", 2), ("[]", 2), ("{", 2), ("{}", 0), ('{"verb": "rum"}', 0)])
def test_requests_that_are_none(text, status):
    done = subprocess.run([str(BUILD / "neuron-port-kernel")], input=text, capture_output=True, text=True)
    assert done.returncode == status
    if status == 0:
        assert json.loads(done.stdout)["error"]["code"] == "request"


def test_mutilated_launch_files_never_crash(tmp_path):
    """Random edits of a good file: the reply is an answer, whatever it says. The source is empty, so this is quick."""
    text = (SHARED / "embed.launch.json").read_text()
    rng = random.Random(7)
    path = tmp_path / "embed.launch.json"
    for _ in range(int(os.environ.get("NP_FUZZ_RUNS", "60"))):
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(letters))
            letters[at] = rng.choice(['"', "{", "}", "[", "]", ",", ":", "9", "-", "\\", "", "null", "1e999", "\u00e9"])
        path.write_text("".join(letters))
        reply = kernel("run", path, worker="/does/not/exist")
        assert not reply["ok"] and reply["error"]["message"]

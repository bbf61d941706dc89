"""The launcher, the autoload and the reasons not to load."""

import json
import subprocess
import sys

from conftest import BUILD, ROOT
from helpers import environment, launch, run_python

USE = "import torch; print(torch.ones(2, device='neuron').sum().item(), torch.accelerator.current_accelerator())"
NOTICE = "neuron-port: device neuron is a stand-in, not Trainium"


def test_launch_runs_a_program_on_the_device_and_says_what_it_is():
    result = launch(["--", sys.executable, "-c", USE])
    assert (result.returncode, result.stdout) == (0, "2.0 neuron\n"), result.stderr
    assert result.stderr.count(NOTICE) == 1


def test_exit_code_is_the_programs():
    assert launch(["--", sys.executable, "-c", "raise SystemExit(7)"]).returncode == 7


def test_usage_errors():
    for arguments, message in [
        ([], "no command given; write it after '--'"),
        (["--"], "no command given; write it after '--'"),
        (["--bogus", "--", "true"], "unknown flag '--bogus'"),
        (["--", "no-such-program"], "'no-such-program': no such file or directory"),
    ]:
        result = launch(arguments)
        assert (result.returncode, result.stdout) == (125, "")
        assert result.stderr.splitlines()[-1] == f"neuron-port run: {message}"


def test_nothing_happens_without_the_launcher():
    program = "import torch; print(hasattr(torch, 'neuron'), torch.accelerator.is_available())"
    result = run_python(program, NEURON_PORT_RUN=None)
    assert result.stdout == "False False\n", result.stderr


def test_library_that_is_not_there():
    result = launch(["--", "true"], NEURON_PORT_LIB_DIR="/nonexistent")
    assert result.returncode == 125
    assert "'libneuron_port_device.so' is not in '/nonexistent'; build target 'neuron_port_device'" in result.stderr


def test_other_torch_release_is_refused_before_loading(tmp_path):
    (tmp_path / "libneuron_port_device.so").write_bytes(b"never loaded")
    (tmp_path / "neuron_port_device.torch").write_text("2.99\n")
    result = launch(["--", "true"], NEURON_PORT_LIB_DIR=str(tmp_path))
    assert result.returncode == 125
    assert "the neuron device was built for torch 2.99 and cannot load into torch 2." in result.stderr


def test_real_torch_neuronx_is_respected(tmp_path):
    (tmp_path / "torch_neuronx").mkdir()
    (tmp_path / "torch_neuronx" / "__init__.py").write_text("")
    path = f"{ROOT / 'runtime' / 'python'}:{tmp_path}"
    command = [sys.executable, "-m", "neuron_port_runtime.launch", "--", "true"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment(PYTHONPATH=path))
    assert result.returncode == 125
    assert "the real 'torch_neuronx' is installed at" in result.stderr


def test_bad_settings():
    for name, value, message in [
        ("NEURON_RT_NUM_CORES", "many", "'NEURON_RT_NUM_CORES' is 'many'; give a positive whole number"),
        ("NEURON_RT_VISIBLE_CORES", "3-1", "'NEURON_RT_VISIBLE_CORES' is '3-1'; give cores such as '0-3' or '0,2'"),
    ]:
        result = launch(["--", "true"], **{name: value})
        assert result.returncode == 125 and message in result.stderr


def test_device_report(tmp_path):
    report = tmp_path / "report.json"
    program = "import torch; x = torch.ones(3, 3, device='neuron'); x @ x @ x; torch.linalg.qr(x)"
    command = ["--device-report", str(report), "--", sys.executable, "-c", program]
    result = launch(command, NEURON_RT_VISIBLE_CORES="0-2,5")
    assert result.returncode == 0, result.stderr
    (process,) = json.loads(report.read_text())["processes"]
    ops = {entry["op"]: entry for entry in process["ops"]}
    assert process["device_count"] == 4
    assert (ops["aten::mm"]["calls"], ops["aten::mm"]["on_neuron"]) == (2, "native")
    assert ops["aten::linalg_qr"]["on_neuron"] == "fallback" and ops["aten::linalg_qr"]["evidence"] == "pre-beta"


def test_library_needs_libtorch_cpu_and_c10_only():
    command = ["readelf", "-d", BUILD / "lib" / "libneuron_port_device.so"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True)
    needed = {line.split("[")[1].rstrip("]") for line in listing.stdout.splitlines() if "NEEDED" in line}
    ours = {name for name in needed if any(word in name for word in ("torch", "c10", "python"))}
    assert ours == {"libtorch_cpu.so", "libc10.so"}


def test_the_report_for_people(tmp_path):
    program = "import torch; x = torch.ones(3, 3, device='neuron'); (x @ x).sum().item()"
    for name, start in (("report.html", "<!doctype html>"), ("report.txt", "Device report")):
        result = launch(["--device-report", str(tmp_path / name), "--", sys.executable, "-c", program])
        assert result.returncode == 0, result.stderr
        text = (tmp_path / name).read_text()
        assert text.startswith(start) and "aten::_local_scalar_dense: 1 calls" in text
        assert len(json.loads((tmp_path / f"{name}.json").read_text())["processes"]) == 1


def test_flags_reach_the_device(tmp_path):
    program = "import torch; torch.linalg.qr(torch.ones(2, 2, device='neuron'))"
    result = launch(["--policy", "strict", "--", sys.executable, "-c", program])
    assert result.returncode == 1 and "The policy is strict" in result.stderr
    program = "import torch; print(torch.neuron.get_device_name(), torch.accelerator.get_memory_info()[1] >> 30)"
    result = launch(["--chip", "trn3", "--", sys.executable, "-c", program], NEURON_LOGICAL_NC_CONFIG="1")
    assert result.stdout.split() == ["trn3", "18"], result.stderr
    result = launch(["--streams", "fast", "--", "true"])
    assert result.returncode == 125 and "invalid choice: 'fast'" in result.stderr


def test_torchrun_and_pytest(tmp_path):
    (tmp_path / "train.py").write_text(
        "import torch, torch.distributed as dist\n"
        "dist.init_process_group('neuron')\n"
        "x = torch.ones(2, device='neuron'); dist.all_reduce(x); print(x.tolist())\n"
        "dist.destroy_process_group()\n"
    )
    run = ["--", sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=1", str(tmp_path / "train.py")]
    result = launch(run)
    assert "[1.0, 1.0]" in result.stdout, result.stderr
    (tmp_path / "test_it.py").write_text("import torch\ndef test_it(): assert torch.ones(1, device='neuron').is_neuron\n")
    result = launch(["--", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_it.py")])
    assert result.returncode == 0 and "1 passed" in result.stdout

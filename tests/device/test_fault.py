"""Host code that follows a device pointer dies with a sentence that says what to do."""

import signal

from helpers import run_python

READ = "import ctypes, torch; x = torch.ones(4, device='neuron'); print(ctypes.c_float.from_address(x.data_ptr()).value)"


def test_stray_read_faults_with_a_message():
    result = run_python(READ)
    assert result.returncode == -signal.SIGSEGV
    assert result.stdout == ""
    assert "host code touched memory of device neuron:0 at 0x" in result.stderr
    assert "copy the tensor with .cpu()" in result.stderr


def test_faulthandler_still_reports_the_python_line():
    result = run_python("import faulthandler; faulthandler.enable()\n" + READ)
    assert result.returncode == -signal.SIGSEGV
    assert "host code touched memory of device neuron:0" in result.stderr
    assert "Fatal Python error: Segmentation fault" in result.stderr


def test_other_faults_are_left_alone():
    result = run_python("import ctypes, torch; torch.ones(1, device='neuron'); ctypes.string_at(8)")
    assert result.returncode == -signal.SIGSEGV
    assert "neuron-port" not in result.stderr


def test_host_readable_memory_can_be_asked_for():
    result = run_python(READ, NEURON_PORT_HOST_READABLE="1")
    assert result.stdout.strip() == "1.0", result.stderr

"""Published training programs: broken without CUDA, fixed by `fix --unsafe-fixes` alone, trained on neuron with the CPU's losses.

Every folder with a program.toml is one program."""

import math

import pytest
from environment import HERE, NotReached, keep
from program import Program, fix, furthest_apart, parses, python_files

NAMES = sorted(path.parent.name for path in HERE.glob("*/program.toml"))


@pytest.fixture(scope="module", params=NAMES)
def tried(request, tmp_path_factory):
    """The program after all its runs, each done once."""
    program = Program(request.param)
    try:
        project = program.unpack(tmp_path_factory.mktemp(request.param))
    except NotReached as reason:
        pytest.skip(str(reason))
    published = python_files(project)
    before = program.run(project, "as published")
    first = fix(project)
    once = python_files(project)
    second = fix(project)
    yield {
        "program": program, "published": published, "before": before, "first": first, "once": once, "second": second, "twice": python_files(project),
        "cpu": program.run(project, "cpu"), "neuron": program.run(project, "neuron"),
    }


def test_it_fails_without_cuda_first(tried):
    before = tried["before"]
    assert before.code != 0
    assert tried["program"].about["fails_with"] in before.output, before.last_lines()
    assert not before.losses


def test_fix_settles_and_breaks_no_file(tried):
    assert tried["first"].returncode in (0, 1), tried["first"].stderr
    changed = [name for name, data in tried["once"].items() if data != tried["published"][name]]
    assert changed
    assert not [name for name in changed if parses(tried["published"][name]) and not parses(tried["once"][name])]
    assert "nothing to fix" in tried["second"].stderr
    assert tried["once"] == tried["twice"]


def test_it_trains_on_neuron_with_the_losses_of_the_cpu(tried):
    program, cpu, neuron = tried["program"], tried["cpu"], tried["neuron"]
    about = program.about
    apart = furthest_apart(cpu.losses, neuron.losses)
    changed = sum(data != tried["published"][name] for name, data in tried["once"].items())
    keep("programs", program.name, {
        "title": about["title"], "source": f"{about['sdist']} {about['version']}", "file": about["file"], "fails_with": about["fails_with"],
        "changed": changed, "cpu": cpu.losses, "neuron": neuron.losses, "apart": apart if math.isfinite(apart) else None,
        "ops": neuron.neuron_ops, "calls": neuron.neuron_calls, "tolerance": about.get("tolerance", 0.0), "why": about.get("why", ""),
        "seconds": round(neuron.seconds, 1),
    })
    assert cpu.code == 0, cpu.last_lines()
    assert len(cpu.losses) == about["losses"], cpu.last_lines()
    assert cpu.devices == ["cpu"]
    assert neuron.code == 0, neuron.last_lines()
    assert neuron.devices == ["neuron"], neuron.last_lines()
    if "autocast" in about:
        assert neuron.autocast == [["neuron", about["autocast"]]], neuron.autocast
    assert neuron.neuron_calls > 10 * about["losses"]
    assert len(set(cpu.losses)) > 1 or about["losses"] == 1
    assert apart <= about.get("tolerance", 0.0), (cpu.losses, neuron.losses)

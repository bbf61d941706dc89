"""Every good kernel in both engines: the same bits, or a refusal by the fast engine that is on the list.

fast_refuses.json names what the fast engine does not know yet and the error it gives; a kernel that it learns leaves
the list, and a new refusal, a wrong bit or a crash fails."""

import json
import pathlib

import pytest
from suite import GOOD, TOPICS, kernel, load_topic, same_bits

REFUSED = json.loads((pathlib.Path(__file__).parent / "fast_refuses.json").read_text())
CASES = [(topic, case) for topic in TOPICS for case in load_topic(topic)]


@pytest.mark.parametrize("topic, case", CASES, ids=[f"{topic}-{case.name}" for topic, case in CASES])
def test_same_bits_or_known_refusal(tmp_path, topic, case):
    launch = {
        "version": 1,
        "source": str(GOOD / f"{topic}.cu"),
        "sizes": {"names": ["n"], "cases": [[1]]},
        "buffers": case.buffers(),
        "scalars": case.scalars(),
        "launches": [case.whole_launch()],
    }
    path = tmp_path / "k.launch.json"
    path.write_text(json.dumps(launch))
    request = {"verb": "run", "launch": str(path)}
    fast = kernel({**request, "out_dir": str(tmp_path / "fast"), "engine": "fast", "trust": 1})
    name = f"{topic}.{case.name}"
    if name in REFUSED:
        assert "cases" not in fast, f"{name} runs now: take it off fast_refuses.json"
        assert REFUSED[name] in fast["error"]["message"], fast["error"]
        return
    assert "cases" in fast, fast["error"]
    checked = kernel({**request, "out_dir": str(tmp_path / "checked")})
    assert "cases" in checked, checked["error"]
    outputs = sorted((tmp_path / "checked").glob("*/out/*.npy"))
    assert outputs
    for output in outputs:
        other = tmp_path / "fast" / output.relative_to(tmp_path / "checked")
        assert same_bits(output, other), f"{output.name} differs"


def test_the_list_names_kernels_that_exist():
    assert set(REFUSED) <= {f"{topic}.{case.name}" for topic, case in CASES}

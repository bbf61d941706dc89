"""Every good kernel gives what NumPy gives, and no report."""

import json

import pytest
from suite import TOPICS, load_topic, run_topic

CASES = [(topic, case.name) for topic in TOPICS for case in load_topic(topic)]


@pytest.fixture(scope="session")
def ran(tmp_path_factory):
    """Runs a topic once, however many of its kernels are asked for."""
    topics = {}

    def get(topic):
        if topic not in topics:
            folder = tmp_path_factory.mktemp(topic)
            cases, reply = run_topic(topic, "run", folder, out_dir=str(folder / "data"))
            topics[topic] = ({c.name: c for c in cases}, reply, folder / "data/0")
        return topics[topic]

    return get


@pytest.mark.parametrize("topic, name", CASES, ids=[f"{t}-{n}" for t, n in CASES])
def test_result_and_no_report(ran, topic, name):
    cases, reply, folder = ran(topic)
    assert "cases" in reply, json.dumps(reply)[:2000]
    (only,) = reply["cases"]
    mine = [d for d in only["defects"] if d["kernel"].replace(" ", "") == cases[name].kernel.replace(" ", "")]
    assert mine == [], json.dumps(mine, indent=1)
    assert only["complete"]
    cases[name].check(folder)


def test_there_are_many():
    assert len(CASES) >= 120


def test_printf_prints_in_order(ran):
    _, reply, _ = ran("language")
    lines = [f"thread {t} of 4: {t * 0.5:.2f} {chr(97 + t)} {-t} 0x{255 - t:x} ok%" for t in range(4)]
    assert "\n".join(lines) in reply["cases"][0]["printed"]

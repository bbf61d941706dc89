"""Good kernels under other orders of blocks, warps and lanes: still no report."""

import json

import pytest
from suite import TOPICS, run_topic


@pytest.mark.parametrize("topic", TOPICS)
def test_no_report_in_any_order(tmp_path, topic):
    _, reply = run_topic(topic, "check", tmp_path, orders=3)
    assert "cases" in reply, json.dumps(reply)[:2000]
    assert [case["defects"] for case in reply["cases"]] == [[]]

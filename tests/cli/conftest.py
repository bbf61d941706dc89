"""Every test gets a folder for temporary files of its own, and must leave it empty."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(autouse=True)
def no_leftovers(tmp_path, monkeypatch):
    folder = tmp_path / "temporary-files"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    yield
    assert list(folder.iterdir()) == [], "left in the folder for temporary files"
    assert not list(tmp_path.rglob("*.neuron-port-*")), "left beside what was written"

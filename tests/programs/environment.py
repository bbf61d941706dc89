"""The interpreter the programs run with, and their sources.

A virtual environment beside the build takes torch from the project's own .venv and adds the packages of packages.txt;
it is made once per state of that file. Sources come from the package index as pinned archives and are never kept here."""

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = Path(os.environ.get("NP_BUILD_DIR", ROOT / "build")).resolve()
TOOL = BUILD / "neuron-port"
WORK = BUILD / "programs"

sys.path.insert(0, str(ROOT / "tests" / "corpus"))
from sdist import NotReached, _download, unpack  # noqa: E402


def interpreter():
    """The python with torch and every package the programs import; made on the first call."""
    packages = HERE / "packages.txt"
    wanted = hashlib.sha256(packages.read_bytes()).hexdigest()
    folder = WORK / "venv"
    python = folder / "bin" / "python"
    stamp = folder / "packages.sha256"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    ours = sysconfig.get_paths()["purelib"]
    theirs = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
                            check=True, capture_output=True, text=True).stdout.strip()
    (Path(theirs) / "torch_of_the_project.pth").write_text(ours + "\n")
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "-r", packages]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode:
        raise NotReached("the packages of the programs cannot be installed: " + done.stderr[-400:])
    stamp.write_text(wanted)
    return python


def source(name, version, digest, folder):
    """The unpacked sdist, its archive checked against the pinned hash; archives are kept in the build folder."""
    archive = WORK / "archives" / f"{name}-{version}.tar.gz"
    if not archive.exists():
        data = _download(name, version)
        archive.parent.mkdir(parents=True, exist_ok=True)
        archive.write_bytes(data)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert found == digest, f"{name} {version}: sha256 is {found}"
    return unpack(archive, folder)


def results_file():
    return WORK / "results.json"


def keep(section, name, entry):
    """Notes one outcome for docs/programs.md (table.py)."""
    file = results_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(file.read_text()) if file.exists() else {}
    known.setdefault(section, {})[name] = entry
    file.write_text(json.dumps(known, indent=1, sort_keys=True))

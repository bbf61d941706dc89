"""Fetches pinned source packages with pip's own finder and session, and unpacks them.

`pip download` would run each package's setup.py to learn its metadata; here nothing of a package is ever executed."""

import hashlib
import json
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGES = json.loads((HERE / "packages.json").read_text())


class NotReached(Exception):
    """The package index did not answer: no fault of ours."""


def fetch(name, folder, packages=PACKAGES):
    """The unpacked source folder of package `name`, whose archive has the pinned hash."""
    version, digest = packages[name]["version"], packages[name]["sha256"]
    data = _download(name, version)
    found = hashlib.sha256(data).hexdigest()
    assert found == digest, f"{name} {version}: sha256 is {found}"
    archive = folder / f"{name}-{version}.tar.gz"
    archive.write_bytes(data)
    return unpack(archive, folder)


def unpack(archive, folder):
    """The one folder that `archive` holds, unpacked into `folder`: files and folders alone, none of them outside it.

    `extractall(filter="data")` would do the same, but Debian 12's Python 3.11.2 does not know it."""
    root = folder.resolve()
    with tarfile.open(archive) as tar:
        members = [member for member in tar if member.isreg() or member.isdir()]
        outside = [member.name for member in members if not (root / member.name).resolve().is_relative_to(root)]
        assert not outside, f"{archive.name} reaches outside its folder: {outside[:3]}"
        tar.extractall(root, members)
    (unpacked,) = [path for path in folder.iterdir() if path.is_dir()]
    return unpacked


def _download(name, version):
    from pip._internal.commands import create_command
    from pip._vendor.packaging.specifiers import SpecifierSet
    from pip._vendor.requests.exceptions import RequestException

    command = create_command("download")
    with command.main_context():
        options, _ = command.parse_args(["--no-deps", "--no-binary", ":all:", name])
        session = command.get_default_session(options)
        finder = command._build_package_finder(options, session)
        best = finder.find_best_candidate(name, SpecifierSet(f"=={version}")).best_candidate
        if best is None:
            raise NotReached(f"the package index has no source package of {name} {version}")
        try:
            answer = session.get(best.link.url_without_fragment, headers={"Accept-Encoding": "identity"})
            answer.raise_for_status()
        except RequestException as error:
            raise NotReached(f"{name}: {error}") from error
        return answer.content

#!/usr/bin/env python3
"""Shows that every file which a build opens belongs to what scripts/setup.sh installs.

    scripts/check_hermetic.py build        (a finished build folder)

What a build opens is gathered from ninja's own records (headers, sources, libraries) and, where those are silent, by
tracing opened files: a configure run into a fresh folder, every link once more, one compile for each compiler, and the start of
every other tool. Each file is then given an origin: this repository, the build folder, .venv (pip) and the interpreter that
the setup script chose for it, build/grammars (npm), or a Debian package that the setup script names or that such a package
depends on. Prints the number of files for each origin and every file without one; exit 1 if there is any, else 2 if the
folder is no finished build.

Not seen: what generator scripts (cmake -P) read beyond their declared inputs, and looking a file up without opening it.
"""

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DPKG = Path("/var/lib/dpkg")
KERNEL = ("/proc/", "/sys/", "/dev/")
# Files that no package lists because a package's installation script writes them.
WRITTEN_AT_INSTALLATION = {"/etc/ld.so.cache": "libc-bin", "/etc/passwd": "base-passwd", "/etc/group": "base-passwd",
                           "/etc/nsswitch.conf": "base-files", "/usr/lib/locale/locale-archive": "libc-bin"}


class NotABuild(Exception):
    pass


# --- what the build opens ---------------------------------------------------------------------------------------------


def output(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise NotABuild(f'"{shlex.join(command[:4])}" failed: {(done.stderr or done.stdout)[:800]}')
    return done.stdout


def recorded(build):
    """Headers and sources of every compile, inputs of every other step, and what configuring read."""
    headers = [line.strip() for line in output(["ninja", "-t", "deps"], build).splitlines() if line.startswith("    ")]
    if not headers:
        raise NotABuild(f'"{build}" holds no record of a compile; build it first')
    inputs = output(["ninja", "-t", "inputs", "all"], build).splitlines()
    configured = re.findall(r"^    (?:\|\|? )?(/.+)$", output(["ninja", "-t", "query", "build.ninja"], build), re.M)
    return [os.path.join(build, name) for name in headers + inputs + configured]


def steps(build):
    """The single commands of the build, as words; shell joins (`cd X && A && B`) taken apart."""
    for line in output(["ninja", "-t", "commands"], build).splitlines():
        for part in line.split(" && "):
            words = shlex.split(part)
            if words and words[0] not in (":", "cd"):
                yield words


def is_compiler(word):
    return re.fullmatch(r"(clang|g|c)(\+\+|cc)?(-\d+)?", os.path.basename(word)) is not None


def tools_of(words):
    """The programs one command starts: launchers, then the compiler or tool itself."""
    for word in words:
        if "=" in word and not word.startswith(("/", "-")):
            continue
        yield shutil.which(word) or word
        if os.path.basename(word) not in ("env", "ccache"):
            return


def trace(command, folder):
    """Files that a command and its children open or execute, as the kernel names them, and whether it succeeded."""
    with tempfile.NamedTemporaryFile("r") as log:
        flags = ["-f", "-qq", "-y", "-s", "4096", "-e", "trace=open,openat,execve", "-e", "signal=none", "-o", log.name]
        status = subprocess.run(["strace", *flags, *command], cwd=folder, capture_output=True).returncode
        text = log.read()
    opened = re.findall(r"= \d+<(/[^<>]*)>$", text, re.M)
    executed = re.findall(r'execve\("(/[^"]+)"', text)
    if not executed:
        raise NotABuild('"strace" cannot trace here; allow ptrace')
    return [path for path in opened + executed if os.path.isfile(path)], status == 0


def traced(build, scratch):
    """Opened files of configuring, of all links, of one compile for each compiler, and of starting the other tools; and
    the steps that could not be repeated, because the build has not come to them or is out of date."""
    files, configured = trace(["cmake", "--preset", "release", "-B", os.path.join(scratch, "configure")], ROOT)
    if not configured:
        raise NotABuild('"cmake --preset release" fails')
    tools, seen, missed = {shutil.which("ninja")}, set(), []
    for words in steps(build):
        tools.update(tools_of(words))
        compiler = next((i for i, word in enumerate(words) if is_compiler(word)), None)
        if compiler is None or "-o" not in words:
            continue
        command = words[compiler:]
        product = command[command.index("-o") + 1]
        kind = command[0] if "-c" in command else product
        if not os.path.exists(os.path.join(build, product)):
            missed.append(product)
            continue
        if kind in seen:
            continue
        for flag in {"-o", "-MF"} & set(command):
            command[command.index(flag) + 1] = os.path.join(scratch, "out")
        opened, repeated = trace(command, build)
        files += opened
        if repeated:
            seen.add(kind)
        else:
            missed.append(product)
    for tool in tools:
        if not is_compiler(tool):
            files += trace([tool, "--version"], build)[0]
    return files + list(tools), missed


# --- where each file comes from ---------------------------------------------------------------------------------------


def merged(path):
    """Debian keeps /bin and /lib as links into /usr; package lists name either."""
    return re.sub(r"^/(bin|sbin|lib|lib32|lib64|libx32)/", r"/usr/\1/", path)


def debian_files():
    owner = {}
    for listing in (DPKG / "info").glob("*.list"):
        package = listing.stem.split(":")[0]
        for path in listing.read_text().splitlines():
            owner[merged(path)] = package
    return owner


def debian_packages():
    """Installed packages: name, whether the base system holds it, what it depends on; and who provides a name."""
    packages, provides = {}, defaultdict(list)
    for entry in (DPKG / "status").read_text().split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): (.*)$", entry, re.M))
        if not fields.get("Status", "").endswith(" installed"):
            continue
        wanted = ", ".join(filter(None, (fields.get("Depends"), fields.get("Pre-Depends"))))
        groups = [[re.match(r"[\w.+-]+", name.strip())[0] for name in group.split("|")] for group in wanted.split(",") if group.strip()]
        base = fields.get("Essential") == "yes" or fields.get("Priority") == "required"
        packages[fields["Package"]] = (base, groups)
        for name in re.findall(r"([\w.+-]+)(?: \([^)]*\))?", fields.get("Provides", "")):
            provides[name].append(fields["Package"])
    return packages, provides


def closure(roots, packages, provides):
    """All packages that apt brings along with `roots`: of alternatives, the first that is installed."""
    reached, left = set(), [name for name in roots if name in packages]
    while left:
        name = left.pop()
        if name in reached:
            continue
        reached.add(name)
        for group in packages[name][1]:
            found = next((n for n in group if n in packages), None)
            left += [found] if found else [p for n in group for p in provides[n]][:1]
    return reached


def setup_packages():
    text = (ROOT / "scripts/setup.sh").read_text()
    return re.search(r"^APT_PACKAGES=\(([^)]*)\)", text, re.M)[1].split()


def venv_files():
    """The file that making .venv writes, and every file that an installed distribution in it records."""
    owner = {str(ROOT / ".venv/pyvenv.cfg"): "venv"}
    for record in (ROOT / ".venv").glob("lib/python*/site-packages/*.dist-info/RECORD"):
        name = record.parent.name.removesuffix(".dist-info").replace("-", " ")
        for row in csv.reader(record.open(newline="")):
            owner[os.path.normpath(record.parents[1] / row[0])] = name
    return owner


def chosen_python():
    """Folder of the interpreter that .venv was made from, by choosePython of the setup script."""
    home = re.search(r"^home = (.+)$", (ROOT / ".venv/pyvenv.cfg").read_text(), re.M)[1]
    return os.path.dirname(os.path.realpath(home))


class Origins:
    def __init__(self, build, scratch):
        packages, provides = debian_packages()
        named = setup_packages()
        self.absent = [name for name in named if name not in packages]
        self.base = {name for name, (base, _) in packages.items() if base}
        self.base = closure(self.base, packages, provides)
        self.setup = closure(named, packages, provides)
        self.debian, self.venv = debian_files(), venv_files()
        self.folders = [(f"{os.path.realpath(folder)}/", what) for folder, what in ((scratch, "the build folder"), (build, "the build folder"))]
        self.tracked = set(output(["git", "ls-files"], ROOT).splitlines())
        if chosen_python() not in ("/", "/usr"):
            self.folders.append((chosen_python() + "/", f"the Python chosen by scripts/setup.sh, {chosen_python()}"))
        self.grammars = json.loads((ROOT / "build/grammars/package.json").read_text())["dependencies"]

    def of(self, path):
        """(origin, None) or (None, why not)."""
        if path.startswith(KERNEL):
            return "the kernel (/proc, /sys, /dev)", None
        inside = os.path.relpath(path, ROOT)
        if match := re.match(r"build/grammars/node_modules/([^/]+)/", inside):
            return ("build/grammars (npm)", None) if match[1] in self.grammars else (None, f'npm package "{match[1]}" is not in cmake/grammars.json')
        for folder, origin in self.folders:
            if path.startswith(folder):
                return origin, None
        if inside.startswith(".venv/"):
            return (".venv (pip): " + self.venv[path], None) if path in self.venv else (None, "in .venv, but no installed distribution records it")
        if not inside.startswith("../"):
            return ("this repository", None) if inside in self.tracked else (None, "in the source tree, but not tracked")
        package = self.debian.get(merged(path)) or WRITTEN_AT_INSTALLATION.get(path)
        if package in self.setup:
            return "Debian, by scripts/setup.sh", None
        if package in self.base:
            return "Debian, base system", None
        return None, f'Debian package "{package}", which scripts/setup.sh does not bring' if package else "no package holds it"


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    build = os.path.realpath(arguments[0])
    if not os.path.isfile(os.path.join(build, "build.ninja")):
        print(f'check_hermetic: "{arguments[0]}" is no build folder; run `make` first', file=sys.stderr)
        return 2
    os.environ["LC_ALL"] = "C"
    with tempfile.TemporaryDirectory() as scratch:
        try:
            opened, missed = traced(build, scratch)
            opened += recorded(build)
        except NotABuild as error:
            print(f"check_hermetic: {error}", file=sys.stderr)
            return 2
        origins, counts, strangers = Origins(build, scratch), defaultdict(set), {}
        for path in sorted({os.path.realpath(path) for path in opened}):
            origin, why_not = origins.of(path)
            if origin:
                counts[origin].add(path)
            elif os.path.isfile(path):
                strangers[path] = why_not
    for origin, files in sorted(counts.items(), key=lambda item: -len(item[1])):
        print(f"{len(files):7}  {origin}")
    print(f"{len(strangers):7}  none of these")
    for name in origins.absent:
        print(f'note: scripts/setup.sh names "{name}", which is not installed here')
    for path, why in strangers.items():
        print(f"{path}: {why}")
    if missed:
        print(f'{len(missed)} steps of this build never ran or are out of date, among them "{missed[0]}": finish it with `make`')
    return 1 if strangers else 2 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

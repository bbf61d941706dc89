"""Every defective kernel gives the marked kinds at the marked lines, and nothing else."""

import json
import re

import pytest
from suite import GOOD, kernel

BAD = GOOD.parent / "bad"


def marks(source):
    """Kernel -> kind -> lines. A mark in a device function belongs to the next kernel."""
    out, open_marks, name = {}, {}, None
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if found := re.match(r"__global__ void (\w+)", line):
            name = found[1]
            out[name] = open_marks
            open_marks = {}
        elif line.startswith("__device__"):
            name = None
        for kind in re.findall(r"// DEFECT ([a-z-]+)", line):
            (out[name] if name else open_marks).setdefault(kind, set()).add(number)
    return out


KERNELS = [(source, name, kinds) for source in sorted(BAD.glob("*.cu")) for name, kinds in marks(source).items()]
ENDS_THE_RUN = {"deadlock", "assertion", "trap"}
P = {"type": "i32", "extent": ["256"], "role": "in", "init": {"kind": "randint", "low": "0", "high": "100"}}
Q = {"type": "i32", "extent": ["256"], "role": "inout", "init": "zeros"}


def check(folder, source, names, **change):
    """One call for several kernels, each with buffers of its own."""
    launches = [
        {"kernel": n, "grid": ["2"], "block": ["64"], "shared": "0", "args": [f"p{k}", f"q{k}"], **change}
        for k, n in enumerate(names)
    ]
    launch = {
        "version": 1,
        "source": str(source),
        "sizes": {"names": ["n"], "cases": [[1]]},
        "buffers": {f"{b}{k}": e for k in range(len(names)) for b, e in (("p", P), ("q", Q))},
        "scalars": {},
        "launches": launches,
    }
    path = folder / "case.launch.json"
    path.write_text(json.dumps(launch))
    return kernel({"verb": "check", "launch": str(path), "step_limit": 2000000})


@pytest.fixture(scope="session")
def defects(tmp_path_factory):
    """The defects of a kernel; those that do not end the run are checked together."""
    known = {}

    def get(source, name):
        if (source, name) not in known:
            together = [n for s, n, kinds in KERNELS if s == source and not ENDS_THE_RUN & set(kinds)]
            names = together if name in together else [name]
            reply = check(tmp_path_factory.mktemp("bad"), source, names)
            assert reply["ok"], reply
            for each in names:
                known[source, each] = [d for d in reply["cases"][0]["defects"] if d["kernel"] == each]
        return known[source, name]

    return get


def test_there_are_many():
    assert len(KERNELS) >= 40
    assert all(kinds for _, _, kinds in KERNELS)


@pytest.mark.parametrize("source, name, kinds", KERNELS, ids=[f"{s.stem}-{n}" for s, n, _ in KERNELS])
def test_defect_is_found_where_it_is(defects, source, name, kinds):
    found = {}
    for defect in defects(source, name):
        lines = found.setdefault(defect["kind"], set())
        assert defect["count"] >= 1 and len(defect["thread"]) == len(defect["block"]) == 3
        for place in (defect["range"], defect["other_range"]):
            if place:
                assert place["path"].endswith(source.name), defect
                lines.add(place["start"]["line"])
    texts = [f"{d['kind']} at {d['range']['start']['line']}: {d['message']}" for d in defects(source, name)]
    assert found == kinds, "\n".join(texts)


def test_messages_name_threads_objects_and_values(defects):
    (race,) = defects(BAD / "races.cu", "blocks_write_one_word")
    assert re.search(r'write of "q\d+"\[0\] races with the write by thread 0 of block [01]: blocks run', race["message"])
    assert sorted(race["values"]) == ["0x00000000", "0x00000001"]
    message = defects(BAD / "sync.cu", "barriers_of_other_numbers")[0]["message"]
    assert "warp 0: lanes 0-31 wait at the barrier in" in message and "warp 1: lanes 0-31 wait" in message
    overflows = defects(BAD / "memory.cu", "index_overflow")
    assert any("70000 * 70000 does not fit 32 bits" in d["message"] for d in overflows)


HOSTILE = {
    "endless": ("while (q[0] == 0) q[1] = 0;", "step-limit", "warp 1: lanes 0-31 run in"),
    "waits_for_another_warp": (
        "if (threadIdx.x < 32) __syncthreads(); else for (int k = 0;; k++) if (k < 0) q[1] = 2;",
        "step-limit",
        "warp 0: lanes 0-31 wait at the barrier",
    ),
    "recursion": ("q[threadIdx.x] = deep((int)threadIdx.x);", "stack-overflow", "deeper than 1000 calls"),
    "big_frames": ("q[threadIdx.x] = big((int)threadIdx.x);", "stack-overflow", "grows beyond 512 KiB"),
    "unknown_ptx": ('asm volatile("wgmma.fence.sync.aligned;");', "unsupported", "wgmma"),
    "device_malloc": ("q[0] = *(int*)malloc(4);", "unsupported", "malloc"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_kernels_end_in_one_error_with_their_line(tmp_path, name):
    body, code, part = HOSTILE[name]
    source = tmp_path / "hostile.cu"
    source.write_text(
        "__device__ int deep(int n) { return n < -100000000 ? 0 : 1 + deep(n - 1); }\n"
        "__device__ int big(int n) { int a[30000]; a[n % 7] = n; return n < -9 ? 0 : a[n % 7] + big(n - 1); }\n"
        "__global__ void k(const int* p, int* q) {\n  " + body + "\n}\n"
    )
    reply = check(tmp_path, source, ["k"])
    assert not reply["ok"] and reply["error"]["code"] == code, reply
    assert part in reply["error"]["message"] and "hostile.cu:" in reply["error"]["location"], reply


@pytest.mark.parametrize(
    "change, part",
    [
        ({"shared": str(1 << 30)}, "shared"),
        ({"grid": ["0"]}, "grid"),
        ({"block": ["0"]}, "block"),
        ({"block": ["1025"]}, "block"),
        ({"block": ["64", "32"]}, "block"),
    ],
)
def test_impossible_launches_are_refused(tmp_path, change, part):
    reply = check(tmp_path, BAD / "sync.cu", ["trapped"], **change)
    assert not reply["ok"], reply
    assert part in reply["error"]["message"] + reply["error"]["location"], reply

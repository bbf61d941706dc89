#!/usr/bin/env python3
"""Score `neuron-port check` against the labelled lines.

usage: score.py SOURCES BINARY [LABELS] [--out PAGE] [--note TEXT]

SOURCES holds the unpacked sdists of packages.json, one folder each. LABELS is the set's folder, with its own
labels.json and packages.json: without it, the first set beside this file. The page is docs/labels.md for the first
set, docs/labels_NAME.md for the set in folder NAME. Only the standard library is used.
How lines, statements and findings are matched: guide.md.
"""

import argparse
import ast
import collections
import hashlib
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs"
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def statement_spans(source):
    """Line -> (first, last) of the innermost statement on it; of a compound statement, its header."""
    spans = {}
    for node in ast.walk(ast.parse(source)):  # parents come before children
        if not isinstance(node, (ast.stmt, ast.excepthandler)):
            continue
        first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
        last = node.end_lineno
        inner = [child for name in BODIES for child in getattr(node, name, [])]
        if inner:
            start = min(getattr(child, "lineno", last) for child in inner)
            last = max(node.lineno, start - 1)
        for line in range(first, last + 1):
            spans[line] = (first, last)
    return spans


def findings_of(binary, folder):
    command = [binary, "check", ".", "--isolated", "--exit-zero", "--output-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder.name}: exit {done.returncode}: {done.stderr[-500:]}")
    lines = collections.defaultdict(list)
    for finding in json.loads(done.stdout)["findings"]:
        lines[finding["path"], finding["range"]["start"]["line"]].append(finding)
    return lines


def score(sources, binary, folder_of_set):
    labels = json.loads((folder_of_set / "labels.json").read_text())
    by_package = collections.defaultdict(list)
    for label in labels:
        by_package[f"{label['package']}-{label['version']}"].append(label)
    for package, rows in by_package.items():
        folder = sources / package
        found = findings_of(binary, folder)
        spans = {}
        for row in rows:
            source = (folder / row["path"]).read_text(encoding="utf-8")
            text = source.split("\n")[row["line"] - 1].strip()
            if hashlib.sha256(text.encode()).hexdigest() != row["sha256"]:
                sys.exit(f"{package}/{row['path']}:{row['line']}: not the labelled text")
            if row["path"] not in spans:
                spans[row["path"]] = statement_spans(source)
            first, last = row["line"], row["line"]
            if row["label"] == "positive":
                first, last = spans[row["path"]].get(row["line"], (first, last))
            row["hits"] = [f for line in range(first, last + 1) for f in found.get((row["path"], line), [])]
            row["same_line"] = bool(found.get((row["path"], row["line"])))
            row["folder"] = package
    return labels


def ratio(part, whole):
    return f"{part / whole:.3f}" if whole else "-"


def numbers(rows):
    positive = [r for r in rows if r["label"] == "positive"]
    hit = sum(bool(r["hits"]) for r in positive)
    false = sum(bool(r["hits"]) for r in rows if r["label"] == "negative")
    return len(positive), hit, false


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"


def breakdown(title, key, labels):
    groups = collections.defaultdict(list)
    for row in labels:
        groups[key(row)].append(row)
    rows = []
    for name, members in sorted(groups.items()):
        positive, hit, false = numbers(members)
        negative = sum(r["label"] == "negative" for r in members)
        rows.append((name, positive, negative, ratio(hit, hit + false), ratio(hit, positive)))
    return table((title, "positive", "negative", "precision", "recall"), rows)


def rules_of(row):
    return ", ".join(sorted({f"{f['rule']} {f['name']} ({f['severity']})" for f in row["hits"]}))


def page(labels, folder_of_set, version, note):
    packages = json.loads((folder_of_set / "packages.json").read_text())
    development = {p["package"] for p in packages if p["development"]}
    positive, hit, false = numbers(labels)
    negative = sum(r["label"] == "negative" for r in labels)
    unclear = sum(r["label"] == "unclear" for r in labels)
    loud = [dict(r, hits=[f for f in r["hits"] if f["severity"] != "hint"]) for r in labels]
    _, loud_hit, loud_false = numbers(loud)
    first = folder_of_set == HERE
    yield "# Precision and recall over labelled CUDA-specific sites" + ("" if first else f": set \"{folder_of_set.name}\"")
    yield ""
    notes = "" if first else f"; what this set adds to it: `tests/labels/{folder_of_set.name}/notes.md`"
    yield f"Written by `tests/labels/score.py`; what is labelled, how and before what: `tests/labels/guide.md`{notes}."
    yield f"{version}." + (f" {note}" if note else "")
    yield ""
    yield f"- labelled lines: {len(labels)}: {positive} positive, {negative} negative, {unclear} unclear (not scored)"
    yield f"- **precision {ratio(hit, hit + false)}** ({hit} of {hit + false} lines with a finding)"
    yield f"- **recall {ratio(hit, positive)}** ({hit} of {positive} positive lines)"
    same_line = sum(r["same_line"] for r in labels if r["label"] == "positive")
    yield f"- recall counting only findings on the labelled line itself: {ratio(same_line, positive)}"
    yield f"- without hints: precision {ratio(loud_hit, loud_hit + loud_false)}, recall {ratio(loud_hit, positive)}"
    yield ""
    yield "The lines are not a sample of all code: grep hits outnumber random lines, so these are not rates per line of code."
    yield ""
    yield "## By draw, package and construct"
    yield ""
    yield from breakdown("packages", lambda r: "development" if r["package"] in development else "held out", labels)
    yield ""
    yield from breakdown("draw", lambda r: r["stratum"], labels)
    yield ""
    yield from breakdown("package", lambda r: r["folder"], labels)
    yield ""
    kinds = collections.defaultdict(list)
    for row in labels:
        if row["label"] == "positive":
            kinds[row["kind"]].append(bool(row["hits"]))
    yield from table(("construct", "positive", "recall"), ((k, len(v), ratio(sum(v), len(v))) for k, v in sorted(kinds.items())))
    yield ""
    yield "## Disagreements"
    yield ""
    yield "### Positive, no finding"
    yield ""
    yield from table(("place", "construct"), (
        (f"{r['folder']}/{r['path']}:{r['line']}", r["kind"]) for r in labels if r["label"] == "positive" and not r["hits"]))
    yield ""
    yield "### Negative, with a finding"
    yield ""
    yield from table(("place", "rules"), (
        (f"{r['folder']}/{r['path']}:{r['line']}", rules_of(r)) for r in labels if r["label"] == "negative" and r["hits"]))
    yield ""
    yield "### Unclear, for information"
    yield ""
    yield from table(("place", "why unclear", "rules"), (
        (f"{r['folder']}/{r['path']}:{r['line']}", r["reason"], rules_of(r) or "-") for r in labels if r["label"] == "unclear"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("binary")
    parser.add_argument("labels", type=pathlib.Path, nargs="?", default=HERE, help="folder of the set")
    parser.add_argument("--out", type=pathlib.Path, help="page to write")
    parser.add_argument("--note", default="")
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    version = subprocess.run([binary, "version"], capture_output=True, text=True, check=True).stdout.strip()
    folder_of_set = options.labels.resolve()
    labels = score(options.sources, binary, folder_of_set)
    out = options.out or DOCS / ("labels.md" if folder_of_set == HERE else f"labels_{folder_of_set.name}.md")
    out.write_text("\n".join(page(labels, folder_of_set, version, options.note)) + "\n")
    positive, hit, false = numbers(labels)
    print(f"precision {ratio(hit, hit + false)} ({hit}/{hit + false}), recall {ratio(hit, positive)} ({hit}/{positive})")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the habits of the repository that no compiler checks.

    tools/check_repo.py [--root DIR]                the tracked files
    tools/check_repo.py [--root DIR] --commits RANGE  the commit subjects of a git range, such as origin/main..HEAD

Files: length, licence line, `#pragma once`, no `using namespace` and no conditional compilation in headers, no
leftover marks, no home directory of somebody's machine, and in the documents every link, path and make target
exists. Exit codes: 0 clean, 1 problems (one per line on stdout).
"""
import argparse
import pathlib
import re
import subprocess
import sys

MAX_LINES = 800
MAX_SUBJECT = 72
LICENCE = "SPDX-License-Identifier: Apache-2.0"
CXX = {".h", ".cc", ".cu", ".cuh", ".proto"}
CODE = CXX | {".py", ".cmake", ".sh"}
TEXT = CODE | {".md", ".txt", ".yaml", ".json"}
# Spelled in two halves, so that this file does not report itself.
LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME)\b|\b(XX" r"X|HA" r"CK)[:(]")
HOME = re.compile(r"(^|[^\w.])/(home|root|Users)/\w")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
QUOTED = re.compile(r"`([^`\n]+)`")
DOCUMENT = re.compile(r"\bdocs/[\w/-]+\.md\b")
PATH = re.compile(r"(?:src|apps|docs|tools|tests|cmake|configs|bench|\.ci)/[\w./-]*\w/?")
SUBJECT = re.compile(r"[a-z][a-z0-9_./-]*(, [a-z][a-z0-9_./-]*)*: [a-z0-9].*[^.\s]")


def tracked_files(root):
    """Paths relative to root: what git tracks, or every file where there is no git (a source archive)."""
    try:
        output = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True, text=True)
        names = [name for name in output.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()]
        names = [name for name in names if not re.match(r"(\.git|build[^/]*)/", name)]
    return sorted(pathlib.Path(name) for name in names if (root / name).is_file())


def is_code(path, first_line):
    return path.suffix in CODE or path.name in ("CMakeLists.txt", "Makefile") or first_line.startswith("#!")


def check_header(path, lines):
    if "#pragma once" not in lines:
        yield f"{path}:1: a header needs #pragma once"
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*using\s+namespace\b", line):
            yield f"{path}:{number}: no `using namespace` in headers; write the names out"
        if re.match(r"\s*#\s*if", line):
            yield f"{path}:{number}: no conditional compilation in headers; choose in the .cc or by CMake"


def check_code(path, lines):
    if not any(LICENCE in line for line in lines[:2]):
        yield f"{path}:1: the first line must be the licence line `{LICENCE}`"
    if len(lines) > MAX_LINES:
        yield f"{path}:{MAX_LINES + 1}: {len(lines)} lines, {MAX_LINES} allowed; split the file, one idea in each"
    if path.suffix in {".h", ".cuh"}:
        yield from check_header(path, lines)


def check_text(root, path, lines):
    for number, line in enumerate(lines, 1):
        match = LEFTOVER.search(line)
        if match:
            yield f"{path}:{number}: `{match.group()}` left over; do it, or make it an issue"
        if HOME.search(line):
            yield f"{path}:{number}: names a home directory of somebody's machine"
        for name in DOCUMENT.findall(line) if path.suffix in CXX else []:
            if not (root / name).exists():
                yield f"{path}:{number}: names {name}, which does not exist"


def check_document(root, path, lines, targets):
    """A document's links, the repository paths it names in backquotes, and its make targets must exist."""
    in_block = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            in_block = not in_block
        for link in (a or b for a, b in LINK.findall(line)):
            target = link.split("#")[0]
            if re.match(r"[a-z]+:", link) or not target:
                continue
            if not (root / path.parent / target).exists():
                yield f"{path}:{number}: the link {link} leads nowhere"
        commands = [line] if in_block else QUOTED.findall(line)
        for command in commands:
            for name in command.split():
                if PATH.fullmatch(name) and not (root / name).exists():
                    yield f"{path}:{number}: names {name}, which does not exist"
        for command in commands:
            match = re.match(r"(?:\$ )?make ([a-z][a-z-]*)", command.strip())
            if match and match.group(1) not in targets:
                yield f"{path}:{number}: `make {match.group(1)}` is no target of the Makefile"


def make_targets(root):
    makefile = root / "Makefile"
    text = makefile.read_text(encoding="utf-8") if makefile.is_file() else ""
    return set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE))


def check_files(root):
    problems = []
    files = tracked_files(root)
    targets = make_targets(root)
    for path in files:
        try:
            lines = (root / path).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            if path.suffix in TEXT:
                problems.append(f"{path}:1: is no UTF-8 text")
            continue
        code = is_code(path, lines[0] if lines else "")
        if code:
            problems += check_code(path, lines)
        if code or path.suffix in TEXT:
            problems += check_text(root, path, lines)
        if path.suffix == ".md":
            problems += check_document(root, path, lines, targets)
    return problems, len(files)


def check_subject(subject):
    """The problem of one commit subject, or None."""
    if len(subject) > MAX_SUBJECT:
        return f"{len(subject)} characters, {MAX_SUBJECT} allowed"
    if not SUBJECT.fullmatch(subject):
        return "wanted `room: imperative text` in lower case, without a full stop"
    first = subject.split(": ", 1)[1].split(" ")[0]
    if first in {"added", "adds", "adding", "fixed", "fixes", "fixing", "changed", "changes", "changing", "removed",
                 "removes", "removing", "updated", "updates", "updating", "made", "makes", "making"}:
        return f"wanted the imperative (add, fix, change), found `{first}`"
    return None


def check_commits(root, commits):
    output = subprocess.run(["git", "-C", str(root), "log", "--no-merges", "--format=%h %s", commits],
                            capture_output=True, check=True, text=True)
    problems = []
    lines = output.stdout.splitlines()
    for line in lines:
        commit, _, subject = line.partition(" ")
        problem = check_subject(subject)
        if problem:
            problems.append(f"commit {commit} `{subject}`: {problem}")
    return problems, len(lines)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--commits", metavar="RANGE", help="check commit subjects instead of files")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    if options.commits:
        problems, count = check_commits(root, options.commits)
        what = "commits"
    else:
        problems, count = check_files(root)
        what = "files"
    for problem in problems:
        print(problem)
    print(f"repository: {count} {what}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

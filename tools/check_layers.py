#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an #include that goes against the direction of the rooms.

    tools/check_layers.py [--root DIR]

ALLOWED is the one table of who may know whom; docs/architecture.md draws it. Checked for every file under
src/lockstep/ and apps/: the room of each included file is allowed, the included file exists, includes are
written as paths from src, and libraries that should stay behind a room's sources do not reach its headers.
Exit codes: 0 clean, 1 problems (one per line on stdout).
"""
import argparse
import pathlib
import re
import sys

ALLOWED = {
    "base": set(),
    "tensor": {"base"},
    "config": {"base", "tensor"},
    "io": {"base", "tensor"},
    "graph": {"base", "tensor"},
    "backend": {"base", "tensor"},
    "simulate": {"base", "graph"},
    "ops": {"base", "tensor", "graph", "backend"},
    "collective": {"base", "tensor", "graph", "backend"},
    "data": {"base", "tensor", "config"},
    "eval": {"base", "tensor", "config"},
    "modeling": {"base", "tensor", "config", "graph", "ops", "collective"},
    "solver": {"base", "tensor", "config", "graph", "ops", "collective"},
    "engine": {"base", "tensor", "config", "io", "graph", "backend", "ops", "collective", "data", "eval", "modeling",
               "solver"},
    "apps": {"base", "tensor", "config", "io", "graph", "simulate", "solver", "data", "eval", "engine"},
}

# Library headers that public headers may not include, and the rooms whose headers may.
LIBRARIES = {
    "yaml-cpp/": set(),
    "simdjson": set(),
    "pugixml": set(),
    "jpeglib": set(),
    "spng": set(),
    "cairo": set(),
    "openssl/": set(),
    "mpi.h": set(),
    "CLI/": {"apps"},
    "google/protobuf/": {"graph"},
    "dnnl": {"backend", "ops"},
    "oneapi/dnnl/": {"backend", "ops"},
}

SOURCES = {".h", ".cc", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def find_two_way_pairs(allowed):
    """The pairs of rooms that the table lets know each other, directly or through others; none may exist."""
    reach = {room: set(known) for room, known in allowed.items()}
    changed = True
    while changed:
        changed = False
        for known in reach.values():
            wider = known.union(*(reach[room] for room in known)) if known else known
            if wider != known:
                known |= wider
                changed = True
    return sorted((a, b) for a in reach for b in reach[a] if a in reach[b])


def room_of(path):
    """The room of a path such as src/lockstep/ops/relu.cc, or None where it stands in no room."""
    parts = path.parts
    if parts[0] == "apps":
        return "apps"
    return parts[2] if len(parts) > 3 and parts[:2] == ("src", "lockstep") else None


def exists(root, include):
    """True if an include path names a file of ours; messages of protobuf are known by their .proto."""
    if include.endswith(".pb.h"):
        include = include[: -len(".pb.h")] + ".proto"
    return (root / "src" / include).is_file()


def check_file(root, path):
    room = room_of(path)
    if room not in ALLOWED:
        yield f"{path}:1: stands in no known room; add the room to ALLOWED in tools/check_layers.py or move the file"
        return
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, include = match.groups()
        where = f"{path}:{number}:"
        if quote == "<":
            if include.startswith("lockstep/"):
                yield f'{where} write #include "{include}" with quotes'
            if path.suffix == ".h":
                for library, rooms in LIBRARIES.items():
                    if include.startswith(library) and room not in rooms:
                        yield f"{where} <{include}> must stay out of the headers of {room}; include it in the .cc"
            continue
        if include.startswith("lockstep/"):
            target = include.split("/")[1] if include.count("/") > 1 else None
            if not exists(root, include):
                yield f'{where} "{include}" does not exist under src/'
            elif target != room and target not in ALLOWED[room]:
                yield (f'{where} {room} may not include {target} ("{include}"); '
                       f"allowed are {', '.join(sorted(ALLOWED[room])) or 'no other room'}")
        elif room == "apps" and (root / path.parent / include).is_file():
            pass  # a program's own header stands beside its sources
        else:
            yield f'{where} "{include}" is no path from src; write "lockstep/<room>/<file>.h"'


def check(root):
    problems = [f"ALLOWED lets {a} and {b} know each other" for a, b in find_two_way_pairs(ALLOWED)]
    paths = []
    for top in ("src", "apps"):
        paths += [p for p in (root / top).rglob("*") if p.suffix in SOURCES]
    for path in sorted(paths):
        problems += check_file(root, path.relative_to(root))
    return problems, len(paths)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args(arguments).root.resolve()
    problems, count = check(root)
    for problem in problems:
        print(problem)
    if count == 0:
        print(f"{root}: no sources found under src/ and apps/")
        return 1
    print(f"layers: {count} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The command: measures the parts that are asked for, and shows the latest of all."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.speed.report.page import page
from benchmarks.speed.report.plot import plots
from benchmarks.speed.report.targets import checks
from benchmarks.speed.scale import Scale
from phil.errors import InputError
from phil.files import write_atomic
from reproduction.record import record

# Imported when they are measured, so that no part needs what only another one does.
PARTS = {
    "peers": "benchmarks.speed.peers.measure",
    "network": "benchmarks.speed.network.measure",
    "break_even": "benchmarks.speed.break_even.measure",
    "growth": "benchmarks.speed.growth.measure",
    "training": "benchmarks.speed.training",
    "start": "benchmarks.speed.start",
}
COMMAND = "python -m benchmarks.speed"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="How fast the engine is.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; or all")
    parser.add_argument("--quick", action="store_true", help="small maps, a minute, kept apart")
    parser.add_argument("--show", action="store_true", help="measure nothing, write the page anew")
    parser.add_argument("--data", type=Path, default=None, help="folder of the public maps")
    parser.add_argument("--build", type=Path, help="where trained heuristics are kept")
    parser.add_argument("--results", type=Path, help="where the figures are written")
    parser.add_argument("--docs", type=Path, help="where the page is written")
    chosen = parser.parse_args(arguments)
    for part in chosen.parts:
        if part not in PARTS:
            parser.error(f"there is no part '{part}'; there are {', '.join(PARTS)}")
    apart = Path("build/speed/quick")  # quick figures are never mistaken for real ones
    build = chosen.build or (apart if chosen.quick else Path("build/speed"))
    results = chosen.results or (apart / "results" if chosen.quick else Path("benchmarks/results"))
    docs = chosen.docs or (apart / "docs" if chosen.quick else Path("docs"))
    try:
        for part in () if chosen.show else chosen.parts or PARTS:
            measure_part(part, Scale(chosen.quick, chosen.data, build), results)
        print(show(results, docs))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def measure_part(part: str, scale: Scale, results: Path) -> None:
    """Measure one part and keep its figures, in place of older ones."""
    print(f"{part} ...", file=sys.stderr, flush=True)
    made_with = record()
    began = time.monotonic()
    measured = import_module(PARTS[part]).measure(scale)
    document = {
        "part": part,
        "command": f"{COMMAND} {part}{' --quick' if scale.quick else ''}",
        "record": made_with | {"seconds": round(time.monotonic() - began, 1)},
        "quick": scale.quick,
        "results": measured,
    }
    _write(_file(results, part), document)


def show(results: Path, docs: Path) -> str:
    """Put the parts that are there together: one file of figures, a page, plots; the page."""
    parts: dict[str, Any] = {
        part: json.loads(_file(results, part).read_text())
        for part in PARTS
        if _file(results, part).exists()
    }
    found = checks({part: document["results"] for part, document in parts.items()})
    targets = [check.as_json() for check in found]
    _write(results / "speed.json", {"command": COMMAND, "targets": targets, "parts": parts})
    (docs / "images").mkdir(parents=True, exist_ok=True)
    for name, drawing in plots(parts).items():
        write_atomic(docs / "images" / name, drawing)
    text = page(parts, found)
    write_atomic(docs / "speed.md", text.encode())
    return text


def _file(results: Path, part: str) -> Path:
    return results / "speed" / f"{part}.json"


def _write(path: Path, document: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, (json.dumps(document, indent=1, allow_nan=False) + "\n").encode())

"""Measures the parts that are asked for, and shows the latest of all."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import typer

from phil.cli.output import note
from phil.errors import unknown_name
from phil.files import write_atomic
from reproduction.experiment import Request
from reproduction.record import record
from reproduction.speed.common import Scale
from reproduction.speed.page import page
from reproduction.speed.plots import plots
from reproduction.speed.summary import Figure, summary

COMMAND = "python -m reproduction speed"
# Module and function of each part, imported when it is measured: one part's libraries may be
# missing for another.
PARTS = {
    "peers": ("peers", "measure"),
    "network": ("network", "measure"),
    "break_even": ("break_even", "measure"),
    "growth": ("growth", "measure"),
    "training": ("waiting", "training"),
    "start": ("waiting", "start"),
}
# All figures are those of one core unless they say otherwise.
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}


def run(request: Request, names: Sequence[str]) -> bool:
    """Measure the parts that are named, or all; keep their figures and write the page."""
    for part in names:
        if part not in PARTS:
            raise unknown_name("part", part, PARTS)
    scale = Scale(request.quick, request.data, request.heuristics / request.named("speed"))
    file = request.results / f"{request.named('speed')}.json"
    for part in names or PARTS:
        note(f"{part} ...")
        _keep(file, part, _in_own_process(part, scale))
    typer.echo(show(file, request.docs))
    return True


def show(file: Path, docs: Path) -> str:
    """Write the page and the plots of the parts that were measured."""
    parts = _parts(file)
    figures = summary({part: document["results"] for part, document in parts.items()})
    (docs / "images").mkdir(parents=True, exist_ok=True)
    for name, drawing in plots(parts).items():
        write_atomic(docs / "images" / name, drawing)
    text = page(parts, figures)
    write_atomic(docs / f"{file.stem}.md", text.encode())
    for figure in figures:
        if not figure.kept:
            note(f"out of its bounds: {figure.text}: {figure} ({_bounds(figure)})")
    return text


def _in_own_process(part: str, scale: Scale) -> dict[str, Any]:
    """Measure a part where BLAS and torch, which look when they are loaded, use one thread."""
    os.environ.update(ONE_THREAD)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_measure, part, scale).result()


def _measure(part: str, scale: Scale) -> dict[str, Any]:
    module, function = PARTS[part]
    measure = getattr(import_module(f"reproduction.speed.{module}"), function)
    made_with = record()
    began = time.monotonic()
    measured = measure(scale)
    return {
        "part": part,
        "command": f"{COMMAND} {part}{' --quick' if scale.quick else ''}",
        "record": made_with | {"seconds": round(time.monotonic() - began, 1)},
        "quick": scale.quick,
        "results": measured,
    }


def _parts(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())["parts"] if file.exists() else {}
    return {part: found[part] for part in PARTS if part in found}


def _keep(file: Path, part: str, document: dict[str, Any]) -> None:
    parts = {**_parts(file), part: document}
    ordered = {name: parts[name] for name in PARTS if name in parts}
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = json.dumps({"command": COMMAND, "parts": ordered}, indent=1, allow_nan=False)
    write_atomic(file, (whole + "\n").encode())


def _bounds(figure: Figure) -> str:
    return f"at least {figure.least}" if figure.least is not None else f"at most {figure.most}"

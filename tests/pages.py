"""The pages of the documentation taken apart: what can be run, what it prints, where links lead."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from phil.cli.main import main
from reproduction.experiment import Request
from reproduction.registry import EXPERIMENTS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
RESULTS = ROOT / "reproduction" / "results"
# What is learned in seconds is enough to go on with.
QUICK = ("iterations=1", "steps=1", "rollouts=1", "candidates=1", "width=8", "horizon=20")


@dataclass(frozen=True)
class Step:
    """Something that a page has its reader do: a Python block, or a `phil` command."""

    text: str
    python: bool
    line: int
    prints: str | None = None  # the block marked `text` that follows a Python block


def steps(page: Path) -> list[Step]:
    """The Python blocks and the commands of a page, in order."""
    found: list[Step] = []
    for token in _tokens(page):
        line = (token.map or [0])[0]
        if token.type == "fence" and token.info == "python":
            found.append(Step(token.content, True, line + 1))
        elif token.type == "fence" and token.info == "text":
            assert found[-1].python, f"{page}:{line}: no Python block prints this"
            found[-1] = Step(found[-1].text, True, found[-1].line, prints=token.content)
        elif token.type == "code_block":
            for number, text in enumerate(token.content.splitlines()):
                if text.startswith("phil "):
                    found.append(Step(text.removeprefix("phil "), False, line + number))
    return found


def commands(page: Path) -> list[str]:
    """The arguments of the `phil` commands of a page."""
    return [step.text for step in steps(page) if not step.python]


def python_blocks(page: Path) -> list[str]:
    """The Python blocks of a page."""
    return [step.text for step in steps(page) if step.python]


def run_command(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[list[str], str, str]:
    """Run a `phil` command here; its arguments, what it printed, and what it said."""
    arguments = shlex.split(command, comments=True)
    if arguments[0] == "train":
        arguments += [part for setting in QUICK for part in ("--set", setting)]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    printed = capsys.readouterr()
    assert not ended.value.code, printed.err
    return arguments, printed.out, printed.err


def run_page(page: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Do all that a page says, from top to bottom, in the current folder; what commands printed."""
    names: dict[str, Any] = {}
    printed = ""
    for step in steps(page):
        if not step.python:
            printed += run_command(step.text, capsys)[1]
            continue
        run_python(page, step, names, capsys)
    return printed


def run_python(
    page: Path, step: Step, names: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Run a Python block of a page, which prints what the page says."""
    # Empty lines above, so that an error names the line of the page.
    exec(compile("\n" * step.line + step.text, str(page), "exec"), names)
    shown = capsys.readouterr().out
    assert step.prints is None or shown == step.prints, f"{page}:{step.line}"


def rows(page: Path, heading: str) -> list[list[str]]:
    """The cells of the table that has such a first line."""
    _, below = page.read_text().split(f"{heading}\n", 1)
    lines = below.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def links(page: Path) -> Iterator[str]:
    """Where the links and pictures of a page lead."""
    for token in _tokens(page):
        for part in token.children or ():
            target = part.attrs.get("href") or part.attrs.get("src")
            if target:
                yield str(target)


def anchors(page: Path) -> set[str]:
    """What can stand behind `#` in a link to a page: its headings, as code hosts write them."""
    tokens = _tokens(page)
    titles = [
        "".join(part.content for part in text.children or ())
        for opened, text in pairwise(tokens)
        if opened.type == "heading_open"
    ]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@cache
def results(name: str) -> Any:
    """A committed result."""
    experiment = EXPERIMENTS.get(name)
    if experiment is not None:
        return experiment.document(Request(RESULTS, DOCS, ROOT / "build"))
    return json.loads((RESULTS / f"{name}.json").read_text())


def section(page: Path, title: str) -> str:
    """What stands below a heading of a page, up to the next one."""
    _, below = page.read_text().split(f"\n## {title}\n", 1)
    return below.split("\n## ", 1)[0]


def of_all(words: Mapping[str, bool]) -> str:
    """How many of how many."""
    return f"{sum(words.values())} of {len(words)}"


def _tokens(page: Path) -> list[Token]:
    return MarkdownIt().enable("table").parse(page.read_text())

"""How far a heuristic carries: other families, larger maps, random starts and goals.

Every family's heuristic of Table 1 (seed 0), and two that learned on all families together, one of
them from random starts and goals, are run on the test maps of all families under three conditions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from phil.evaluation import Method, Solver, evaluate, parse_method
from phil.files import check_writable, write_atomic
from phil.heuristics.registry import SUFFIX, read_any
from phil.problems import open_set
from phil.problems.generated import generate_maps
from phil.problems.pairs import map_problem
from phil.problems.problem import ALL, Problem, ProblemSet
from phil.search import GREEDY
from phil.view.sections import Section, section_markdown
from reproduction.kept import file_name
from reproduction.parts import Part, Told, make_parts
from reproduction.scores import mean, score_json
from reproduction.solvable import has_path
from reproduction.table1.columns import COLUMNS
from reproduction.table1.study import SMALL_SIDE, Study, small_set, train_part

CORNERS, LARGE, RANDOM = "corners", "large", "random"
CONDITIONS = {
    CORNERS: "The test maps of Table 1, bottom-left to top-right: what the heuristics of single "
    "families learned for.",
    LARGE: "Generated maps of twice the side, bottom-left to top-right.",
    RANDOM: "The test maps of Table 1, start and goal drawn at random.",
}
UNLEARNED = {"euclidean": "greedy(euclidean)", "astar": "astar(euclidean)", "oracle": "oracle"}
ALL_RANDOM = "all, random pairs"
LARGE_MAPS, LARGE_SEED = 20, 1
WORKERS = 2


@dataclass(frozen=True)
class Transfer:
    """What to run: on the families of a study, with its heuristics."""

    study: Study

    @property
    def name(self) -> str:
        """Of its files."""
        return file_name("transfer", quick=self.study.quick)

    @property
    def rows(self) -> tuple[str, ...]:
        """Everything that is compared: by what it learned from, and unlearned methods."""
        return (*self.study.families, ALL, ALL_RANDOM, *UNLEARNED)

    def part(self, row: str) -> Part:
        """One row of the three tables."""
        path = self.study.results / self.name / f"{row.replace(', ', '-').replace(' ', '_')}.json"
        return Part(path, partial(_make_row, self, row))

    def problems(self, family: str, condition: str) -> Sequence[Problem]:
        """The test problems of a family under a condition."""
        study = self.study
        if condition == LARGE:
            side = 2 * (SMALL_SIDE if study.quick else 201) - 1
            count = 2 if study.quick else LARGE_MAPS
            maps = generate_maps(family, count, LARGE_SEED, "test", (side, side))
            return [map_problem(free, f"large/{family}", str(k)) for k, free in enumerate(maps)]
        if study.quick:
            return small_set(family, condition).test
        return open_set(f"grids/{family}", data=study.data, pairs=condition).test


def reproduce(transfer: Transfer, docs: Path, told: Told) -> dict[str, Any]:
    """Make the missing rows, then write the tables as JSON and Markdown."""
    study = transfer.study
    target, page = study.results / f"{transfer.name}.json", docs / f"{transfer.name}.md"
    for path in (target, page):
        path.parent.mkdir(parents=True, exist_ok=True)
        check_writable(path)
    parts = [transfer.part(row) for row in transfer.rows]
    make_parts(parts, 1 if study.quick else WORKERS, told)
    document = {
        "command": "python -m reproduction transfer" + (" --quick" if study.quick else ""),
        "families": list(study.families),
        "rows": {row: part.read() for row, part in zip(transfer.rows, parts, strict=True)},
    }
    write_atomic(target, (json.dumps(document) + "\n").encode())
    write_atomic(page, markdown(document).encode())
    return document


def _make_row(transfer: Transfer, row: str) -> dict[str, Any]:
    method = _method(transfer, row)
    found: dict[str, Any] = {}
    for condition in CONDITIONS:
        found[condition] = {}
        for family in transfer.study.families:
            solvable = [*filter(has_path, transfer.problems(family, condition))]
            [score] = evaluate(solvable, [method])
            found[condition][family] = score_json(score)
    return found


def _method(transfer: Transfer, row: str) -> Solver:
    if row in UNLEARNED:
        return parse_method(UNLEARNED[row])
    study = transfer.study
    if row in (ALL, ALL_RANDOM):
        file = _train_on_all(study, RANDOM if row == ALL_RANDOM else CORNERS)
    else:
        file = train_part(study, COLUMNS["phil"], row, 0)
    return Method(row, GREEDY, read_any(file))


def _train_on_all(study: Study, pairs: str) -> Path:
    file = study.heuristics / study.name / f"phil-all-{pairs}{SUFFIX}"
    if not file.exists():
        from phil.learning import train  # only here: reading results needs no torch

        file.parent.mkdir(parents=True, exist_ok=True)
        if study.quick:
            sets = [small_set(family, pairs) for family in study.families]
            problems = ProblemSet(
                ALL,
                train=tuple(problem for one in sets for problem in one.train),
                validation=tuple(problem for one in sets for problem in one.validation),
            )
        else:
            problems = open_set(f"grids/{ALL}", data=study.data, pairs=pairs)
        train(
            problems,
            settings=dict(COLUMNS["phil"].quick) if study.quick else None,
            output=file,
            resume=Path(f"{file}.checkpoint").exists(),
            workers=1,
        )
    return file


def markdown(document: dict[str, Any]) -> str:
    """The three tables."""
    return "\n".join(
        [
            "# Transfer: other families, larger maps, random starts and goals\n",
            f"Made by `{document['command']}`. Mean expansions, greedy search. Rows: what the "
            "heuristic learned from (PHIL, preset best, seed 0 of Table 1; `all` and `all, random "
            "pairs`: a share of every family, as many maps as the others); then methods that learn "
            "nothing, and the shortest path. Columns: the family of the test maps. Maps without a "
            "path are left out.\n",
            *(
                section_markdown(_section(document, condition, text))
                for condition, text in CONDITIONS.items()
            ),
        ]
    )


TITLES = {
    CORNERS: "Other families",
    LARGE: "Larger maps",
    RANDOM: "Random starts and goals",
    "euclidean": "greedy Euclidean",
    "astar": "A*",
    "oracle": "shortest path",
}


def _section(document: dict[str, Any], condition: str, text: str) -> Section:
    return Section(
        TITLES[condition],
        [text],
        ["learned from", *document["families"]],
        [
            [
                TITLES.get(row, row),
                *(
                    f"{mean(found[condition][family]['expansions']):,.0f}"
                    for family in document["families"]
                ),
            ]
            for row, found in document["rows"].items()
        ],
    )

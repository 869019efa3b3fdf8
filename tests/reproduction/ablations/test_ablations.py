"""The ablations: every part is made once, and the reports show what the parts hold."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import read_any
from reproduction.ablations.command import reproduce
from reproduction.ablations.fringe import FRINGES
from reproduction.ablations.page import (
    first_sections,
    last_sections,
    studies_shown,
    study_section,
)
from reproduction.ablations.parts import Ablations
from reproduction.ablations.studies import STUDIES
from reproduction.ablations.variants import variant

FAMILY = "alternating_gaps"
STUDY = STUDIES["no_memory"]


def quiet(text: str) -> None:
    """Nobody listens."""


@pytest.fixture(scope="module")
def ablations(tmp_path_factory: pytest.TempPathFactory) -> Ablations:
    """Two seeds of the smallest study on one family."""
    root = tmp_path_factory.mktemp("ablations")
    made = Ablations([FAMILY], [STUDY.name], 2, None, root / "results", root / "build", quick=True)
    reproduce(made, root / "docs", quiet)
    return made


@pytest.fixture(scope="module")
def document(ablations: Ablations) -> dict[str, Any]:
    """What was written."""
    content: dict[str, Any] = json.loads((ablations.results / "ablations-quick.json").read_text())
    return content


def test_every_part_is_made_once(ablations: Ablations) -> None:
    before = {path: path.stat().st_mtime_ns for path in ablations.folder.iterdir()}
    assert sorted(path.stem for path in before) == [
        *(f"{FAMILY}-base-{seed}" for seed in range(2)),
        f"{FAMILY}-maps",
        *(f"{FAMILY}-remember-False-{seed}" for seed in range(2)),
    ]
    reproduce(ablations, ablations.results.parent / "docs", quiet)
    assert {path: path.stat().st_mtime_ns for path in ablations.folder.iterdir()} == before


def test_a_part_is_what_its_heuristic_does_on_the_test_maps(ablations: Ablations) -> None:
    without = variant(remember=False)
    part = ablations.part(FAMILY, without, 1).read()
    file = ablations.heuristic(FAMILY, without, 1)
    metadata = read_any(file).metadata
    assert metadata.training["seed"] == 1
    assert metadata.training["settings"]["remember"] is False
    [score] = evaluate(ablations.maps(FAMILY).problems.test, [parse_method(str(file))])
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]


def test_fewer_train_maps(ablations: Ablations) -> None:
    few = replace(ablations, studies=["maps"], seeds=1)
    few.part(FAMILY, variant(5), 0).make()
    metadata = read_any(few.heuristic(FAMILY, variant(5), 0)).metadata
    assert metadata.training["problems"] == 5


def test_ways_to_treat_the_fringe_share_one_training(ablations: Ablations) -> None:
    fringe = STUDIES["fringe"]
    results = ablations.results.parent / "fringe"
    tested = replace(ablations, studies=[fringe.name], seeds=1, results=results)
    trained = sorted(tested.heuristics.rglob("*"))
    made = reproduce(tested, results, quiet)
    assert sorted(tested.heuristics.rglob("*")) == trained
    found = made["families"][FAMILY]["variants"]
    assert {*found} == {"base", "fringe-frozen", "fringe-lazy", "fringe-all"}
    # Frozen is what the search of the base does; what it costs is told here alone.
    assert found["fringe-frozen"]["by_run"] == found["base"]["by_run"]
    costs = [found[f"fringe-{way}"]["evaluations_per_expansion"] for way in FRINGES]
    assert all(frozen < lazy < every for frozen, lazy, every in zip(*costs, strict=True))
    assert "evaluations_per_expansion" not in found["base"]
    [*ratios, cost] = study_section(fringe, made).rows
    assert [row[0] for row in ratios] == [FAMILY]
    assert cost == [
        f"{FAMILY}, evaluations per expansion",
        *(f"{np.mean(each):.2f}" for each in costs),
    ]
    [trainings] = last_sections(made)
    assert trainings.rows[0][:2] == [FAMILY, "1"]


def test_ratios_are_of_mean_expansions(ablations: Ablations, document: dict[str, Any]) -> None:
    row = document["families"][FAMILY]
    base = row["variants"]["base"]
    parts = [ablations.part(FAMILY, variant(), seed).read() for seed in range(2)]
    means = [np.mean(part["test"]["expansions"]) for part in parts]
    for unit, reference in (("ratio_to_astar", "astar"), ("ratio_to_shortest", "shortest")):
        ratios = [mean / row["maps"]["expansions"][reference] for mean in means]
        assert base[unit]["mean"] == pytest.approx(np.mean(ratios))
        assert base[unit]["deviation"] == pytest.approx(np.std(ratios, ddof=1))
    assert row["maps"]["solvable"]["test"] + row["maps"]["unsolvable"]["test"] == 6
    assert base["solved"] == [row["maps"]["solvable"]["test"]] * 2


def test_verdicts_are_of_the_families_that_were_run(document: dict[str, Any]) -> None:
    claims = {tuple(claim["families"]): claim for claim in document["claims"][STUDY.name]}
    assert claims[()]["outcome"] == "not run"
    variants = document["families"][FAMILY]["variants"]
    less = variants["base"]["expansions"] / variants["remember-False"]["expansions"] - 1
    assert claims[(FAMILY,)]["difference"] == pytest.approx(less)


def test_the_reports_show_every_number(ablations: Ablations, document: dict[str, Any]) -> None:
    docs = ablations.results.parent / "docs"
    page = (docs / "ablations-quick.md").read_text()
    html = (docs / "ablations-quick.html").read_text()
    assert studies_shown(document) == [STUDY]
    figure = (docs / f"ablations-quick-{STUDY.name}.svg").read_bytes()
    assert figure.startswith(b"<?xml")
    assert len(figure) < 40_000
    assert f"(ablations-quick-{STUDY.name}.svg)" in page
    shown = [*first_sections(document), study_section(STUDY, document), *last_sections(document)]
    for section in shown:
        assert f"## {section.title}" in page
        for row in section.rows:
            assert "| " + " | ".join(row) + " |" in page
            assert all(f">{cell}<" in html for cell in row[1:])


@pytest.mark.parametrize("change", [{"families": ["mazes"]}, {"studies": ["colour"]}])
def test_unknown_names_are_refused(ablations: Ablations, change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="unknown"):
        replace(ablations, **change)

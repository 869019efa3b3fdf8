"""The ablations: every part is made once, and the page shows what the parts hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import read_any
from reproduction.ablations.fringe import FRINGES
from reproduction.ablations.page import counts, studies_shown, study_section, trainings
from reproduction.ablations.studies import STUDIES, variant
from reproduction.ablations.table import ABLATIONS
from reproduction.grid import Trial
from tests.reproduction.conftest import QuickRun

FAMILY = "alternating_gaps"
STUDY = STUDIES["no_memory"]
COUNTED = ("expansions", "calls")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> QuickRun:
    """Two seeds of the smallest study on one family."""
    only = {"families": [FAMILY], "studies": [STUDY.name]}
    return QuickRun.of(ABLATIONS, tmp_path_factory.mktemp("ablations"), seeds=2, only=only)


@pytest.fixture(scope="module")
def row(ran: QuickRun) -> dict[str, Any]:
    found: dict[str, Any] = ran.document["families"][FAMILY]
    return found


def test_every_part_is_there_once(ran: QuickRun) -> None:
    assert sorted(ran.parts) == [
        *(f"{FAMILY}-base-{seed}" for seed in range(2)),
        f"{FAMILY}-maps",
        *(f"{FAMILY}-remember-False-{seed}" for seed in range(2)),
    ]
    ran.check_resumed()


def test_a_part_is_what_its_heuristic_does_on_the_test_maps(ran: QuickRun) -> None:
    trial = Trial(FAMILY, variant(remember=False).name, 1)
    file = ABLATIONS.heuristic(ran.request, trial)
    metadata = read_any(file).metadata
    assert metadata.training["seed"] == 1
    assert metadata.training["settings"]["remember"] is False
    [score] = evaluate(ABLATIONS.problems(ran.request, FAMILY).test, [parse_method(str(file))])
    expansions = [run.result.expansions for run in score.runs]
    assert ran.parts[trial.name]["test"]["expansions"] == expansions


def test_fewer_training_maps(ran: QuickRun) -> None:
    file = ABLATIONS.train(ran.request, Trial(FAMILY, variant(5, rollouts=16).name))
    assert read_any(file).metadata.training["problems"] == 5


def test_ways_to_treat_the_fringe_share_one_training(ran: QuickRun) -> None:
    fringe = STUDIES["fringe"]
    trained = sorted(ran.request.heuristics.rglob("*"))
    only = {"families": [FAMILY], "studies": [fringe.name]}
    tested = QuickRun.of(ABLATIONS, ran.request.docs.parent, only=only)
    assert sorted(ran.request.heuristics.rglob("*")) == trained
    found = tested.document["families"][FAMILY]["variants"]
    assert {*found} == {"base", "remember-False", "fringe-frozen", "fringe-lazy", "fringe-all"}
    # Frozen is what the search of the base does; what it costs is told here alone.
    assert found["fringe-frozen"]["by_run"] == found["base"]["by_run"][:1]
    costs = [found[f"fringe-{way}"]["evaluations_per_expansion"] for way in FRINGES]
    assert all(frozen < lazy < every for frozen, lazy, every in zip(*costs, strict=True))
    assert "evaluations_per_expansion" not in found["base"]
    [ratios, cost] = study_section(fringe, tested.document).rows
    assert ratios[0] == FAMILY
    assert cost == [
        f"{FAMILY}, evaluations per expansion",
        *(f"{np.mean(each):.2f}" for each in costs),
    ]
    assert trainings(tested.document).rows[0][:2] == [FAMILY, "4"]


def test_random_orders_and_astar_share_the_trainings(ran: QuickRun) -> None:
    study = STUDIES["order"]
    trained = sorted(ran.request.heuristics.rglob("*"))
    only = {"families": [FAMILY], "studies": [study.name]}
    tested = QuickRun.of(ABLATIONS, ran.request.docs.parent, only=only)
    assert sorted(ran.request.heuristics.rglob("*")) == trained
    section = study_section(study, tested.document)
    assert [row[0] for row in section.rows] == [
        f"{FAMILY}, with memory",
        f"{FAMILY}, without memory",
        f"{FAMILY}, with memory, deviation between orders",
        f"{FAMILY}, without memory, deviation between orders",
    ]
    assert section.rows[2][1] == section.rows[2][3] == "-"
    assert section.text[-1].startswith("In random orders, expansions deviate by at most")
    assert f"without memory by {section.rows[3][4]} on {FAMILY}." in section.text[-1]


def test_the_overestimates_of_astar(ran: QuickRun) -> None:
    study = STUDIES["overestimates"]
    only = {"families": [FAMILY], "studies": [study.name]}
    tested = QuickRun.of(ABLATIONS, ran.request.docs.parent, only=only)
    section = study_section(study, tested.document)
    assert section.header == ["family", "0.1", "0.3", "1", "3", "10"]
    titles = ["greedy", "A*", "A*, path cost over the least", "A*, values above the exact distance"]
    assert [row[0] for row in section.rows] == [f"{FAMILY}, {title}" for title in titles]
    base = tested.document["families"][FAMILY]["variants"]["astar"]
    assert base["training"] == "base"
    assert 0 <= base["overestimated"][0] <= 1 <= base["path_cost"][0]
    assert section.text[-1].startswith("With a weight of 0.1 against one of 10: on")


def test_ratios_are_of_mean_expansions(ran: QuickRun, row: dict[str, Any]) -> None:
    base = row["variants"]["base"]
    tests = [ran.parts[f"{FAMILY}-base-{seed}"]["test"] for seed in range(2)]
    means = [np.mean(test["expansions"]) for test in tests]
    for unit, reference in (("ratio_to_astar", "astar"), ("ratio_to_shortest", "shortest")):
        ratios = [mean / row["maps"]["expansions"][reference] for mean in means]
        assert base[unit]["mean"] == pytest.approx(np.mean(ratios))
        assert base[unit]["deviation"] == pytest.approx(np.std(ratios, ddof=1))
    assert row["maps"]["solvable"]["test"] + row["maps"]["unsolvable"]["test"] == 6
    assert base["solved"] == [row["maps"]["solvable"]["test"]] * 2


def test_expansions_and_calls_of_every_variant(ran: QuickRun, row: dict[str, Any]) -> None:
    found = counts(ran.document)
    assert found.header == ["study", "variant", FAMILY, f"{FAMILY}, calls"]
    astar, *_ = found.rows
    [without] = [cells for cells in found.rows if cells[:2] == [STUDY.title, "without"]]
    assert astar[1:] == ["A*", *(f"{row['maps'][key]['astar']:,.0f}" for key in COUNTED)]
    forgetful = row["variants"]["remember-False"]
    assert without[2:] == [f"{forgetful[key]:,.0f}" for key in COUNTED]
    assert forgetful["calls"] > forgetful["expansions"], "the network looks ahead"


def test_claims_are_judged_on_the_families_that_were_run(
    ran: QuickRun, row: dict[str, Any]
) -> None:
    claims = {tuple(claim["families"]): claim for claim in ran.document["claims"][STUDY.name]}
    assert claims[()]["outcome"] == "not run"
    variants = row["variants"]
    less = variants["base"]["expansions"] / variants["remember-False"]["expansions"] - 1
    assert claims[(FAMILY,)]["difference"] == pytest.approx(less)


def test_the_page_shows_every_number(ran: QuickRun) -> None:
    ran.check_page()
    assert STUDY in studies_shown(ran.document)
    drawing = ran.file(f"-{STUDY.name}.svg").read_bytes()
    assert drawing.startswith(b"<?xml")
    assert len(drawing) < 40_000


@pytest.mark.parametrize("only", [{"families": ["mazes"]}, {"studies": ["colour"]}])
def test_unknown_names_are_refused(tmp_path: Any, only: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match="unknown"):
        QuickRun.of(ABLATIONS, tmp_path, only=only)

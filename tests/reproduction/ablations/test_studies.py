"""The list of ablations: what is run, once each, and what is claimed of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import reproduction
from phil.heuristics.phil.specification import CONVOLUTIONS
from phil.learning.settings import PRESETS, TrainingSettings, training_settings
from reproduction.ablations.studies import (
    BASE,
    FAMILIES,
    HARD,
    PRESET,
    QUICK_STUDIES,
    STUDIES,
    Study,
    urgency,
    variant,
)
from reproduction.ablations.table import ABLATIONS, VARIANTS
from reproduction.ablations.ways import WAYS
from reproduction.experiment import Request
from reproduction.grid import Trial
from reproduction.store import read_parts

RESULTS = Path(reproduction.__file__).parent / "results" / "ablations.json"
every_study = pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)


def labels(name: str) -> list[str]:
    return STUDIES[name].labels


def test_the_points_of_the_paper() -> None:
    assert labels("memory_start") == ["0", "8", "16", "32", "64"]
    assert labels("neighbourhood") == ["0", "1", "2", "4"]
    assert labels("memory_size") == ["1", "16", "32", "64", "128", "256"]
    chosen = {v.spec.settings["convolution"] for v in STUDIES["convolution"].variants}
    assert chosen == set(CONVOLUTIONS)
    printed = STUDIES["convolution"].printed
    assert [*printed] == labels("convolution")
    assert all(set(row) == set(FAMILIES) for row in printed.values())
    assert printed["GAT"]["gaps_and_forest"] == (0.154, 0.0112)
    assert printed["DeeperGCN softmax"]["alternating_gaps"] == (0.069, 0.0008)


@every_study
def test_every_variant_can_be_trained(study: Study) -> None:
    for one in study.variants:
        for changed in (one.spec.settings, one.spec.quick):
            settings = training_settings(PRESET, dict(changed))
            for name, value in one.changes:
                assert getattr(settings, name) == value


@every_study
def test_claims_are_about_the_study(study: Study) -> None:
    assert study.claims
    for claim in study.claims:
        assert set(claim.fewer) | set(claim.more) <= set(study.variants)
        assert not set(claim.fewer) & set(claim.more)
        assert set(claim.families) <= set(FAMILIES)


@every_study
def test_the_first_line_has_every_label(study: Study) -> None:
    assert all(set(line) <= set(study.labels) for line in study.lines.values())


def test_only_what_is_carried_of_the_memory_changes_where_the_read_out_stays() -> None:
    carried = STUDIES["memory_carried"].lines["PHIL"]
    settings = {
        label: training_settings(PRESET, one.spec.settings) for label, one in carried.items()
    }
    assert {label: each.carried for label, each in settings.items()} == {
        "1": 1, "16": 16, "32": 32, "64": 0,
    }  # fmt: skip
    assert {each.memory for each in settings.values()} == {64}


def test_the_base_is_one_training() -> None:
    sharing = {name for name, study in STUDIES.items() if variant() in study.variants}
    assert sharing == {*STUDIES} - {"loss", "maps", "fringe", "order"}
    assert {one.training for one in STUDIES["fringe"].variants} == {variant()}
    trainings = {one.training for one in STUDIES["order"].variants}
    assert trainings == {variant(), variant(remember=False)}
    assert variant(**BASE).name == "base"


def test_names_tell_trainings_apart() -> None:
    variants = {one for study in STUDIES.values() for one in study.variants}
    assert len({one.name for one in variants}) == len(variants)


@pytest.mark.parametrize("preset", [name for name in PRESETS if name.startswith("paper")])
def test_the_base_does_not_depend_on_the_preset(preset: str) -> None:
    """Under every reading of the paper it is what the stored results were trained with."""
    settings = training_settings(preset, BASE)
    assert settings == TrainingSettings.model_validate(BASE)
    assert (settings.steps, settings.validate_every, settings.validation) == (40, 3, 40)
    assert (settings.horizon, settings.learning_rate, settings.stop_at_goal) == (400, 5e-4, True)


def test_stored_results_are_of_variants_that_there_are() -> None:
    _, parts = read_parts(RESULTS)
    assert {part["method"] for part in parts.values() if "method" in part} <= set(VARIANTS)


def test_all_studies_are_planned_on_all_families_with_every_seed(tmp_path: Path) -> None:
    request = Request(tmp_path, tmp_path, tmp_path, seeds=3)
    planned = [part.name for part in ABLATIONS.parts(request)]
    assert len(planned) == len(set(planned))
    assert {*planned} == {f"{family}-maps" for family in FAMILIES} | {
        Trial(family, name, seed).name
        for family in FAMILIES
        for name in VARIANTS
        for seed in range(3)
    }


def test_every_way_of_testing_exists() -> None:
    assert {one.way for one in VARIANTS.values()} == {None, *WAYS}


def test_quick_studies_exist() -> None:
    assert set(QUICK_STUDIES) <= set(STUDIES)


def test_what_the_paper_has_is_run_first() -> None:
    def order(name: str, family: str) -> int:
        return urgency(STUDIES[name].variants[-1], family)

    assert order("convolution", "forest") < order("maps", HARD) < order("maps", "forest")
    # The paper rolled memories in on the hard family alone.
    assert order("memory_start", HARD) == order("convolution", "forest")
    assert order("memory_start", "forest") > order("maps", "forest")

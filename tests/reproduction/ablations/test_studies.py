"""The list of ablations: what is run, once each, and what is claimed of it."""

from __future__ import annotations

import pytest

from phil.heuristics.phil.specification import CONVOLUTIONS
from phil.learning.settings import training_settings
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
def test_every_line_has_every_label(study: Study) -> None:
    assert all([*line] == study.labels for line in study.lines.values())


def test_the_base_is_one_training() -> None:
    sharing = {name for name, study in STUDIES.items() if variant() in study.variants}
    assert sharing == {*STUDIES} - {"loss", "maps", "fringe"}
    assert {one.training for one in STUDIES["fringe"].variants} == {variant()}
    assert variant(**BASE).name == "base"


def test_names_tell_trainings_apart() -> None:
    variants = {one for study in STUDIES.values() for one in study.variants}
    assert len({one.name for one in variants}) == len(variants)


def test_quick_studies_exist() -> None:
    assert set(QUICK_STUDIES) <= set(STUDIES)


def test_what_the_paper_has_is_run_first() -> None:
    def order(name: str, family: str) -> int:
        return urgency(STUDIES[name].variants[-1], family)

    assert order("convolution", "forest") < order("maps", HARD) < order("maps", "forest")
    # The paper rolled memories in on the hard family alone.
    assert order("memory_start", HARD) == order("convolution", "forest")
    assert order("memory_start", "forest") > order("maps", "forest")

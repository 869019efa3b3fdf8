"""Carrying over: one heuristic on maps that it was not trained on, and its ingredients."""

from __future__ import annotations

from pathlib import Path

import pytest

from phil.errors import InputError
from reproduction.carry import benches
from reproduction.carry.ablation import ANY, BASE, FOR_ANY, FOR_FAMILIES, VARIANTS, spec
from reproduction.carry.table import CARRY
from reproduction.experiment import Request
from reproduction.table1.table import QUICK_FAMILIES
from tests.reproduction.conftest import QuickRun


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> QuickRun:
    return QuickRun.of(CARRY, tmp_path_factory.mktemp("carry"))


def test_every_method_is_measured_on_every_map(ran: QuickRun) -> None:
    for bench in benches.BENCHES:
        methods = ran.document["benches"][bench]
        assert [*methods] == [*benches.TITLES]
        for scores in methods.values():
            assert [*scores] == sorted(QUICK_FAMILIES)
            for name, score in scores.items():
                least = methods["oracle"][name]["expansions"]
                assert all(
                    found >= limit for found, limit in zip(score["expansions"], least, strict=True)
                )


def test_every_ingredient_is_left_out_once(ran: QuickRun) -> None:
    assert ANY in ran.document["ablation"]
    for name, variants in ran.document["ablation"].items():
        assert [*variants] == [each for each in VARIANTS if name in VARIANTS[each].sets]
        assert "hedge" in variants[BASE][0]


def test_a_variant_differs_from_the_base_in_what_it_says() -> None:
    assert spec(ANY, BASE).settings == FOR_ANY
    assert spec("mazes", BASE).settings == FOR_FAMILIES
    assert spec(ANY, "frame").settings == {**FOR_ANY, "frame": "map"}
    assert spec("mazes", "frame").settings == {**FOR_FAMILIES, "frame": "goal"}
    assert spec("mazes", "untuned").quick["tune"] == 0


def test_the_page_shows_all(ran: QuickRun) -> None:
    ran.check_resumed()
    page = ran.text("md")
    for part in CARRY.page(ran.document, ran.request).parts:
        assert part.title in page
    assert "geometric mean" in page
    [picture] = ran.document["pictures"]
    assert ran.file(f"-{picture['map']}.png").exists()


def test_a_missing_heuristic_is_an_error_that_says_how_to_make_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benches, "shipped_names", lambda: ())
    with pytest.raises(InputError, match="shipped --maps map"):
        benches.shipped(Request(tmp_path, tmp_path, tmp_path))


def test_single_parts_can_be_asked_for(tmp_path: Path) -> None:
    request = Request(tmp_path, tmp_path, tmp_path, quick=True, only={"parts": ["maps"]})
    names = [part.name for part in CARRY.parts(request)]
    assert names == [f"maps-{method}" for method in benches.TITLES]

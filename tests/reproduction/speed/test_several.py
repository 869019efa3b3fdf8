"""MHA* and BFWS, compiled and called from Python."""

from __future__ import annotations

import pytest

from reproduction.speed import page, several
from reproduction.speed.common import Scale
from reproduction.speed.summary import summary


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """A quick run."""
    return several.measure(Scale(True, None, tmp_path_factory.mktemp("build")))


def test_every_method_has_both_times(found: dict[str, object]) -> None:
    methods = found["methods"]
    assert isinstance(methods, dict)
    assert [*methods] == [*several.METHODS]
    assert [row["heuristics"] for row in methods.values()] == [3, 2, 1]
    for row in methods.values():
        assert row["expansions"] > 10
        assert row["compiled_us"] > 0
        assert row["python_us"] > 0


def test_the_page_and_the_summary_show_them(found: dict[str, object]) -> None:
    [section, *_] = page._several(found)
    assert [row[0] for row in section.rows] == [*several.METHODS]
    [headline] = summary({"several": found})
    assert headline.text == "MHA* and BFWS: time per expansion and heuristic, slowest method"
    assert str(headline).endswith(" µs")

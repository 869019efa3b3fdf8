"""Recipes, and those that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs.features import canonical, parse_recipe
from phil.graphs.features.registry import FEATURES


def test_numbers_left_out_are_filled_in() -> None:
    text = " degree, neighbourhood,landmarks ,laplacian:3,node2vec,coordinates"
    assert canonical(text) == (
        "degree,neighbourhood,landmarks:16,laplacian:3,node2vec:16,coordinates"
    )
    assert canonical("laplacian") == "laplacian:8"
    assert canonical("") == canonical("  ") == ""


@given(st.permutations(sorted(FEATURES)), st.integers(1, 1024), st.integers(0, 6))
def test_a_canonical_recipe_is_its_own_and_keeps_its_order(
    names: list[str], k: int, count: int
) -> None:
    words = [name if FEATURES[name].default is None else f"{name}:{k}" for name in names[:count]]
    text = ",".join(words)
    assert canonical(text) == text
    assert [item.feature.name for item in parse_recipe(text)] == names[:count]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ("landmark", "unknown feature 'landmark'; did you mean 'landmarks'?"),
        ("betweenness", "unknown feature 'betweenness'.*Known: coordinates, degree"),
        ("degree:3", "the feature degree takes no number; write degree"),
        ("degree:", "the feature degree takes no number"),
        ("landmarks:0", "must be an integer in 1..1024, such as landmarks:16"),
        ("landmarks:-1", "must be an integer"),
        ("landmarks:", "must be an integer"),
        ("landmarks:1e2", "must be an integer"),
        ("landmarks:9999999999999999", "must be an integer"),
        ("landmarks:٣", "must be an integer"),
        ("node2vec:1025", "must be an integer"),
        ("degree,,landmarks", "contain an empty name"),
        ("degree,", "contain an empty name"),
        ("landmarks:2,degree,landmarks:3", "name landmarks more than once"),
    ],
)
def test_what_is_no_recipe_is_refused_with_help(recipe: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_recipe(recipe)


@given(st.text(max_size=20))
def test_any_text_is_a_recipe_or_one_clear_error(text: str) -> None:
    try:
        assert canonical(canonical(text)) == canonical(text)
    except InputError as error:
        assert str(error)  # noqa: PT017

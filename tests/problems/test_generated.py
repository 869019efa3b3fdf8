"""Generated maps: the same for the same seed, never repeated, and like the public ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from phil.errors import InputError
from phil.problems import SPLITS
from phil.problems.generated import FAMILIES, generate_map, generate_maps

# Mean free fraction of the 600 public train maps of each family.
PUBLIC_FREE_FRACTION = {
    "alternating_gaps": 0.8153,
    "single_bugtrap": 0.9425,
    "shifting_gaps": 0.8153,
    "forest": 0.8352,
    "bugtrap_forest": 0.8466,
    "gaps_and_forest": 0.6429,
    "mazes": 0.9238,
    "multiple_bugtraps": 0.9244,
}
# 63 of the 600 public gaps_and_forest train maps have no path, and none of the other families'.
PUBLIC_UNSOLVABLE_SHARE = 0.105

SHAPES = [(20, 20), (20, 90), (75, 31), (201, 201), (260, 140)]

each_family = pytest.mark.parametrize("family", FAMILIES)
each_shape = pytest.mark.parametrize("shape", SHAPES)


def solvable(free: NDArray[np.bool_]) -> bool:
    """Whether an 8-connected path joins the bottom-left to the top-right cell."""
    components, _ = ndimage.label(free, structure=np.ones((3, 3)))
    return bool(components[-1, 0] == components[0, -1])


def test_the_families_are_the_public_ones() -> None:
    assert set(FAMILIES) == set(PUBLIC_FREE_FRACTION)


@each_family
def test_the_same_seed_gives_the_same_maps(family: str) -> None:
    maps = generate_maps(family, 5, seed=3)
    assert maps.shape == (5, 201, 201)
    assert maps.dtype == np.bool_
    np.testing.assert_array_equal(maps, generate_maps(family, 5, seed=3))
    assert not np.array_equal(maps, generate_maps(family, 5, seed=4))


@each_family
def test_a_larger_count_only_adds_maps(family: str) -> None:
    more = generate_maps(family, 20, seed=1, split="test", shape=(30, 40))
    for count in (0, 1, 13):
        fewer = generate_maps(family, count, seed=1, split="test", shape=(30, 40))
        np.testing.assert_array_equal(fewer, more[:count])


@each_family
def test_no_map_is_repeated_within_or_between_splits(family: str) -> None:
    digests = [
        cells.tobytes() for split in SPLITS for cells in generate_maps(family, 200, 0, split)
    ]
    assert len(set(digests)) == len(digests)


def test_a_map_is_in_one_split_whatever_the_seeds() -> None:
    """At this shape so few maps exist that independent draws alone would collide."""
    splits = [
        {
            cells.tobytes()
            for seed in range(3)
            for cells in generate_maps("alternating_gaps", 60, seed, split, (20, 20))
        }
        for split in SPLITS
    ]
    assert len(set().union(*splits)) == sum(map(len, splits))


@each_family
@each_shape
def test_start_and_goal_are_free_at_any_shape(family: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        free = generate_map(family, rng, shape)
        assert free.shape == shape
        assert free[-1, 0]
        assert free[0, -1]
        assert not free.all()


@each_family
def test_the_free_fraction_is_that_of_the_public_maps(family: str) -> None:
    maps = generate_maps(family, 150, seed=0)
    assert maps.mean() == pytest.approx(PUBLIC_FREE_FRACTION[family], rel=0.02)


@each_family
def test_proportions_do_not_depend_on_the_shape(family: str) -> None:
    maps = generate_maps(family, 150, seed=0, shape=(80, 120))
    assert maps.mean() == pytest.approx(PUBLIC_FREE_FRACTION[family], rel=0.03)


@each_family
def test_only_gaps_and_forest_has_maps_without_a_path(family: str) -> None:
    unsolvable = np.mean([not solvable(free) for free in generate_maps(family, 200, seed=0)])
    if family == "gaps_and_forest":
        assert unsolvable == pytest.approx(PUBLIC_UNSOLVABLE_SHARE, abs=0.06)
    else:
        assert unsolvable == 0


def test_a_maze_has_one_way() -> None:
    """Closing the gap of either wall cuts the goal off."""
    free = generate_map("mazes", np.random.default_rng(0))
    for third in (slice(50, 85), slice(115, 150)):
        wall = third.start + int(free[:, third].sum(axis=0).argmin())
        closed = free.copy()
        closed[:, wall] = False
        assert solvable(free)
        assert not solvable(closed)


def test_an_unknown_name_brings_up_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown family 'forrest'; did you mean 'forest'"):
        generate_map("forrest", np.random.default_rng(0))
    with pytest.raises(InputError, match="did you mean 'mazes'"):
        generate_maps("maze", 1, seed=0)
    with pytest.raises(InputError, match="unknown split 'valid'; did you mean 'validation'"):
        generate_maps("mazes", 1, seed=0, split="valid")


@pytest.mark.parametrize("shape", [(19, 40), (40, 19), (1, 1)])
def test_a_small_shape_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=f"at least 20 rows and 20 columns, got {shape[0]}x"):
        generate_map("mazes", np.random.default_rng(0), shape)
    with pytest.raises(InputError, match="at least 20 rows"):
        generate_maps("mazes", 1, seed=0, shape=shape)


@pytest.mark.parametrize(("count", "seed"), [(-1, 0), (1, -1)])
def test_a_negative_count_or_seed_is_refused(count: int, seed: int) -> None:
    with pytest.raises(InputError, match="must not be negative"):
        generate_maps("forest", count, seed)


def test_asking_for_more_maps_than_exist_is_an_error_not_a_repeat() -> None:
    with pytest.raises(InputError, match="different train maps of 20x20 cells; request fewer"):
        generate_maps("alternating_gaps", 1_000, seed=0, shape=(20, 20))

"""Settings and features that follow from the graphs at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phil.graphs import FeatureGroup, Graph, GridGraph
from phil.graphs.features import add_features
from phil.learning.defaults import data_defaults, one_map, resolve_settings, usual_features
from phil.learning.settings import TrainingSettings
from phil.problems import single_graph_set
from phil.problems.problem import Problem, ProblemSet
from tests.learning.small import graph_problems, grid_problems, small_set


def chain(nodes: int, **more: Any) -> Graph:
    return Graph.from_edges(nodes, [(node, node + 1) for node in range(nodes - 1)], **more)


def values(problems: ProblemSet, preset: str) -> dict[str, Any]:
    return {default.name: default.value for default in data_defaults(problems, preset)}


def settings_for(problems: ProblemSet, preset: str, **changes: Any) -> TrainingSettings:
    return resolve_settings(problems, preset, changes)[0]


def one_problem(graph: Graph) -> ProblemSet:
    return ProblemSet("one", (Problem(graph, 0, graph.size - 1),))


@pytest.mark.parametrize(
    ("nodes", "rollout", "horizon"),
    [(101, 20, 100), (5001, 64, 5000), (10_001, 128, 10_000)],
)
def test_the_papers_rules_of_thumb(nodes: int, rollout: int, horizon: int) -> None:
    assert values(one_problem(chain(nodes)), "paper-printed") == {
        "neighbors": 2,
        "horizon": horizon,
        "rollout": rollout,
    }
    settings = settings_for(one_problem(chain(nodes)), "paper-printed")
    assert (settings.layers, settings.iterations) == (4, 60)


@pytest.mark.parametrize(("nodes", "horizon"), [(101, 101), (20_001, 10_000)])
def test_roll_outs_of_the_paper_preset_reach_the_goal(nodes: int, horizon: int) -> None:
    found = values(one_problem(chain(nodes)), "paper")
    printed = values(one_problem(chain(nodes)), "paper-printed")
    assert found == printed | {"horizon": horizon}


def test_the_horizon_is_never_below_the_roll_out() -> None:
    star = Graph.from_edges(6000, [(0, node) for node in range(1, 6000)])
    assert values(one_problem(star), "paper-printed")["horizon"] == 64
    assert settings_for(one_problem(star), "paper-printed").rollout == 64


def test_no_more_than_eight_neighbours() -> None:
    dense = Graph.from_edges(20, [(a, b) for a in range(20) for b in range(a)])
    assert values(one_problem(dense), "best")["neighbors"] == 8


def test_best_rolls_out_until_goals_are_reached() -> None:
    assert values(one_problem(chain(51)), "best")["horizon"] == 51
    assert values(one_problem(chain(701)), "best")["horizon"] == 701
    assert values(one_problem(chain(9001)), "best")["horizon"] == 4000


def test_the_largest_graphs_are_rolled_out_on_less_often() -> None:
    assert settings_for(one_problem(chain(99_999)), "best").rollouts == 64
    assert settings_for(one_problem(chain(100_000)), "best").rollouts == 16


def test_the_temperature_has_the_unit_of_the_distances() -> None:
    plain, weighted = chain(11), chain(11, weights=np.full(10, 300.0))
    assert values(one_problem(plain), "best")["temperature"] == 0.5
    assert values(one_problem(weighted), "best")["temperature"] == 150.0


def test_what_is_asked_for_wins_and_maps_keep_the_preset() -> None:
    problems = one_problem(chain(51))
    settings = settings_for(problems, "best", neighbors=3)
    assert (settings.neighbors, settings.horizon, settings.goal_first) == (3, 51, True)
    assert data_defaults(small_set(), "best") == []
    assert settings_for(small_set(), "best").horizon == 4000


def test_defaults_say_why() -> None:
    space = GridGraph(np.ones((4, 4, 4), bool))
    sets = [one_problem(chain(51)), one_problem(chain(100_000)), small_set()]
    sets.append(ProblemSet("space", (Problem(space, 0, 63),)))
    told = [[str(each) for each in data_defaults(one, "best")] for one in sets]
    degree, diameter = "neighbors=2 (mean degree 2.0, at most 8)", "horizon=51 (diameter about 50"
    assert told == [
        [
            degree,
            "validation=500 (51 nodes at most: searches are short)",
            f"{diameter}, 51 nodes)",
            told[0][3],
        ],
        [
            degree,
            "rollouts=16 (100,000 nodes: to save time and memory)",
            "horizon=4000 (diameter about 99999, 100,000 nodes)",
            told[1][3],
        ],
        [],
        [],
    ]
    assert [str(each) for each in data_defaults(sets[-1], "paper")] == [
        "neighbors=4 (3D maps, as in the paper)",
        "rollout=64 (3D maps, as in the paper)",
    ]
    assert told[0][3] == (
        "temperature=1.0 (half a mean edge of 1 or 2 % of a mean distance of 50, whichever is "
        "larger)"
    )
    assert [str(each) for each in data_defaults(one_problem(chain(51)), "paper-printed")] == [
        degree,
        "horizon=50 (diameter about 50)",
        "rollout=10 (a fifth of the diameter: 51 nodes)",
    ]
    assert [str(each) for each in data_defaults(one_problem(chain(51)), "paper")] == [
        degree,
        "horizon=51 (all nodes, at most 10,000)",
        "rollout=10 (a fifth of the diameter: 51 nodes)",
    ]


def test_landmarks_are_for_one_graph_alone() -> None:
    words = np.eye(400, 7)
    assert usual_features(single_graph_set("one", chain(400))) == "degree,landmarks:16"
    assert (
        usual_features(single_graph_set("one", chain(400, features=words)))
        == "degree,neighbourhood,landmarks:16"
    )
    assert usual_features(single_graph_set("one", chain(20))) == "degree"
    assert usual_features(ProblemSet("many", graph_problems(3))) == "degree,neighbourhood"


def test_places_are_a_feature_unless_they_are_one_already() -> None:
    places = np.arange(800.0).reshape(400, 2)
    drawn = chain(400, coordinates=places)
    assert usual_features(single_graph_set("one", drawn)) == "coordinates,degree,landmarks:16"
    known = chain(400, features=places, feature_groups=[FeatureGroup("coordinates", 2, True)])
    assert usual_features(single_graph_set("one", known)) == "degree,landmarks:16"


LEVEL = GridGraph(np.ones((20, 20), bool))


def test_a_single_map_gets_landmarks_and_a_small_network_without_look_ahead() -> None:
    level = single_graph_set("level", LEVEL)
    assert usual_features(level) == "landmarks:16"
    settings = resolve_settings(level, "best", {"width": 24}, "landmarks:16")[0]
    assert (settings.width, settings.memory, settings.layers) == (24, 8, 2)
    assert (settings.neighbors, settings.walls, settings.trail) == (0, False, "no")
    assert settings.group_distances
    assert settings.goal_first


def test_without_features_a_single_map_is_like_others() -> None:
    level = single_graph_set("level", LEVEL)
    assert resolve_settings(level, "best", {}) == resolve_settings(small_set(), "best", {})
    paper = resolve_settings(level, "paper", {}, "landmarks:16")
    assert paper == resolve_settings(small_set(), "paper", {})


def test_where_landmarks_do_not_pay_on_a_map() -> None:
    assert usual_features(single_graph_set("level", LEVEL), on_maps=False) == ""
    known = add_features(LEVEL, "landmarks:4")
    assert usual_features(single_graph_set("known", known)) == ""
    tiny = GridGraph(np.ones((9, 9), bool))
    assert usual_features(single_graph_set("tiny", tiny)) == ""
    two = ProblemSet("two", *(single_graph_set("x", GridGraph(LEVEL.free)).train for _ in "ab"))
    assert one_map(two) is None


def test_maps_have_their_coordinates_alone() -> None:
    assert usual_features(small_set()) == ""
    assert usual_features(ProblemSet("mixed", grid_problems(1) + graph_problems(1))) == ""

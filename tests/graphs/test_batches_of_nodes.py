"""ImplicitGraph with functions of many nodes: what they may say, and what they are asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Discovery, ImplicitGraph

Answers = Callable[[list[Any]], Any]


def refused(answers: Answers, ids: list[int], **options: Any) -> str:
    """What is said about the answers for some of two nodes."""
    graph = ImplicitGraph[Any](neighbors_of_many=answers, **options)
    with pytest.raises(InputError) as caught:
        graph.discover("home", "away").reveal(ids)
    return str(caught.value)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([["a"]], "returned 1 answers for 2 nodes; it must return one per node"),
        ([["a"], ["b"], []], "returned 3 answers for 2 nodes"),
        (
            {"home": ["a"], "away": []},
            "returned {'home': ['a'], 'away': []}; it must return a list",
        ),
        ("ab", "returned 'ab'; it must return a list with one answer per node"),
        (None, "returned None; it must return a list with one answer per node"),
    ],
)
def test_there_is_one_answer_per_node(answers: Any, said: str) -> None:
    assert refused(lambda nodes: answers, [0, 1]).startswith(
        f"neighbors_of_many(['home', 'away']) {said}"
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, " returned None; it must return a list of nodes, or a dictionary"),
        (["a", "b", "a"], " returned 'a' twice"),
        (["a", "away"], " returned the node itself"),
        ([["a"]], " returned [['a']]: unhashable type: 'list'"),
        ({"a": -1}, ": the edge to 'a' costs -1; costs must be finite"),
        ({"a": 1, "b": np.nan}, ": the edge to 'b' costs nan"),
    ],
)
def test_a_wrong_answer_is_named_with_its_node(answer: Any, said: str) -> None:
    wrong = refused(lambda nodes: [[], answer], [0, 1])
    assert wrong.startswith(f"neighbors_of_many (for 'away'){said}")


def test_a_function_that_fails_is_named_with_its_nodes() -> None:
    def fail(nodes: list[str]) -> list[list[str]]:
        raise ConnectionError("no answer")

    said = "raised ConnectionError: no answer"
    assert refused(fail, [0]) == f"neighbors_of_many(['home']) {said}"
    assert refused(fail, [0, 1]) == f"neighbors_of_many(['home', 'away']) {said}"
    assert refused(lambda nodes: map(fail, nodes), [1]) == f"neighbors_of_many(['away']) {said}"
    many = ImplicitGraph[Any](neighbors_of_many=lambda n: [range(9, 14)] if len(n) < 2 else fail(n))
    discovery = many.discover(0, 1)
    discovery.reveal([0])
    with pytest.raises(InputError, match=re.escape("of_many([9, 10, 11, ...]) raised Conn")):
        discovery.reveal(range(2, 7))


def test_cells_of_a_grid() -> None:
    def around(cells: list[Any]) -> list[list[Any]]:
        return [[(0, 1), (1, 1)] if cell == (0, 0) else [(9, 9)] for cell in cells]

    graph = ImplicitGraph.on_grid(neighbors_of_many=around, shape=(3, 4))
    assert repr(graph) == "ImplicitGraph(around, 3x4, connectivity=8)"
    discovery = graph.discover((0, 0), (2, 3))
    discovery.reveal([0])
    assert discovery.nodes == [(0, 0), (2, 3), (1, 1), (0, 1)]  # in the order of the moves
    with pytest.raises(InputError, match=r"neighbors_of_many \(for \(2, 3\)\) returned \[\(9, 9\)"):
        discovery.reveal([1])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "either neighbors or neighbors_of_many must be given"),
        (
            {"neighbors": list, "neighbors_of_many": list},
            "either neighbors or neighbors_of_many must be given",
        ),
        ({"neighbors_of_many": [1]}, "must be a function of a list of nodes, not [1]"),
        ({"neighbors": list, "batch": 2}, "batch is for neighbors_of_many"),
        ({"neighbors_of_many": list, "batch": 0}, "batch must be at least 1, not 0"),
        (
            {"neighbors": list, "features": list, "features_of_many": list, "dim": 1},
            "only one of features and features_of_many can be given",
        ),
        ({"neighbors": list, "features_of_many": list}, "features_of_many and dim (how many"),
    ],
)
def test_what_cannot_be_a_graph_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        ImplicitGraph(**options)


def discovered(dim: int, features: Callable[[list[Any]], Any]) -> Discovery[Any]:
    graph = ImplicitGraph[Any](lambda node: ["a", "b"], features_of_many=features, dim=dim)
    discovery = graph.discover("home", "away")
    discovery.reveal([0])
    return discovery


def test_features_come_in_groups() -> None:
    asked: list[list[str]] = []

    def features(nodes: list[str]) -> list[list[int]]:
        asked.append(nodes)
        return [[len(node), 7] for node in nodes]

    discovery = discovered(2, features)
    assert asked == [["home", "away"], ["a", "b"]]
    assert discovery.features.tolist() == [[4, 7], [4, 7], [1, 7], [1, 7]]
    same = discovered(2, lambda nodes: np.array(features(nodes)))
    assert np.array_equal(same.features, discovery.features)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([[1.0]], "(['home', 'away']) returned [[1.0]]; it must return an array of 2 rows"),
        ([[1.0], [1.0, 2.0]], "(['home', 'away']) returned [[1.0], [1.0, 2.0]]; it must return an"),
        ([["1"], ["2"]], "(['home', 'away']) returned [['1'], ['2']]; it must return an array"),
        (None, "(['home', 'away']) returned None; it must return an array of 2 rows, one per node"),
        ([[0.0], [np.nan]], " (for 'away') returned [nan]; it must return 1 finite numbers"),
        ([[1e39], [0.0]], " (for 'home') returned [1e+39]; it must return 1 finite numbers"),
    ],
)
def test_wrong_features_are_named(answer: Any, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"features_of_many{said}")):
        discovered(1, lambda nodes: answer)


def test_a_graph_is_explored_layer_by_layer() -> None:
    asked: list[list[int]] = []

    def around(numbers: list[int]) -> list[list[int]]:
        asked.append(numbers)
        return [[2 * number, 2 * number + 1] for number in numbers]

    explored = ImplicitGraph(neighbors_of_many=around).explored(1, most=10)
    assert asked == [[1], [2, 3], [4, 5, 6, 7], [8, 9, 10]]
    one_by_one = ImplicitGraph[int](lambda number: around([number])[0]).explored(1, most=10)
    assert explored.labels == one_by_one.labels
    assert np.array_equal(explored.indices, one_by_one.indices)

"""Collections of graphs: their splits, pairs that depend on the graph alone, lazy graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.graphs.distances import hops_to
from phil.problems import Problem, ProblemSet, open_set
from phil.problems.biology import COLLECTIONS, Collection, biology_info
from tests.problems.graph_files import biology_arrays, save


def graph_numbers(problems: Sequence[Problem]) -> set[int]:
    return {int(problem.name.split("/")[3]) for problem in problems}


def test_a_small_collection(tmp_path: Path) -> None:
    save(tmp_path / "graphs" / "enzymes.npz", **biology_arrays())
    problems = open_set("biology/enzymes", data=tmp_path)
    assert [len(problems.split(s)) for s in ("train", "validation", "test")] == [2000, 500, 500]
    parts = [graph_numbers(problems.split(s)) for s in ("train", "validation", "test")]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 19  # 20 without the one without paths
    assert [len(part) for part in parts[1:]] == [2, 2]
    for problem in problems.test:
        number = int(problem.name.split("/")[3])
        assert isinstance(problem.graph, Graph)
        assert problem.graph.size == number + 3
        assert 0 < hops_to(problem.graph, problem.goal)[problem.start] < np.inf
        assert problem.graph.feature_groups == (FeatureGroup("attributes", 2),)
        first = sum(range(3, number + 3))
        np.testing.assert_array_equal(problem.graph.features[0], [2 * first, 2 * first + 1])


def test_graphs_take_turns_and_are_built_once(tmp_path: Path) -> None:
    save(tmp_path / "proteins.npz", **biology_arrays())
    problems = open_set("biology/proteins", data=tmp_path).test
    turns = Counter(problem.name.split("/")[3] for problem in problems)
    assert max(turns.values()) - min(turns.values()) <= 1
    assert len({id(problem.graph) for problem in problems}) == len(turns)
    assert len({problem.name for problem in problems}) == 500
    assert len({(problem.start, problem.goal) for problem in problems}) > len(turns)


def test_a_graph_keeps_its_pairs_whatever_else_is_in_the_file(tmp_path: Path) -> None:
    def pairs(problems: ProblemSet) -> dict[str, tuple[int, int]]:
        return {
            "/".join(problem.name.split("/")[3:]): (problem.start, problem.goal)
            for problem in problems.all
        }

    split = np.arange(20) % 3
    few = save(tmp_path / "few" / "molhiv.npz", **biology_arrays(15, split=split[:15])).parent
    many = save(tmp_path / "many" / "molhiv.npz", **biology_arrays(20, split=split)).parent
    less, more = (pairs(open_set("biology/molhiv", data=data)) for data in (few, many))
    both = less.keys() & more.keys()
    assert len(both) > 500
    assert all(less[name] == more[name] for name in both)
    other = pairs(open_set("biology/molhiv", data=many, seed=1))
    assert other != more


def test_given_splits_edge_features_and_names(tmp_path: Path) -> None:
    arrays = biology_arrays(6, split=np.array([0, 0, 1, 2, 0, 0], np.uint8))
    edges = arrays["edge_index"].shape[1]
    arrays["edge_attr"] = np.stack([np.arange(edges), np.zeros(edges)], axis=1)
    save(tmp_path / "molhiv.npz", **arrays)
    problems = open_set("biology/molhiv", data=tmp_path, count=7)
    assert len(problems.test) == 7
    assert graph_numbers(problems.train) == {1, 4, 5}
    assert graph_numbers(problems.validation) == {2}
    assert graph_numbers(problems.test) == {3}
    graph = problems.test[0].graph
    assert isinstance(graph, Graph)
    # Graph 3 has edges 10..15, after 1 + 4 + 5 others; each stands at both ends.
    assert sorted(graph.edge_features[:, 0]) == sorted(2 * list(range(10, 16)))


def test_large_graphs_share_goals_in_training_and_lose_self_loops(tmp_path: Path) -> None:
    names = np.array(["one", "two"])
    arrays = biology_arrays(6, graph_split=np.array([0, 0, 0, 1, 2, 2]), feature_name=names)
    arrays["edge_index"][:, 1] = 3  # a self-loop at the first node of graph 1
    save(tmp_path / "ppi.npz", **arrays)
    problems = open_set("biology/ppi", data=tmp_path)
    assert [len(problems.split(s)) for s in ("train", "validation", "test")] == [640, 100, 100]
    for at in range(0, 640, 4):
        together = problems.train[at : at + 4]
        assert len({(id(problem.graph), problem.goal) for problem in together}) == 1
    [graph] = {p.graph for p in problems.train if p.name.split("/")[3] == "1"}
    assert isinstance(graph, Graph)
    assert 0 not in graph.neighbors(0)
    assert graph.feature_names == ("one", "two")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ptr": np.array([0, 5, 2])}, "ptr must increase"),
        ({"edge_ptr": np.zeros(21, int)}, "edge_ptr must increase"),
        ({"split": np.zeros(3, int)}, "the split of 20 graphs"),
        ({"edge_attr": np.zeros((3, 1))}, "edge_attr must be a table"),
        ({"x": np.zeros(250)}, "x must be a table"),
        ({"feature_name": np.array(["one"])}, "1 feature_names"),
    ],
)
def test_wrong_content(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    save(tmp_path / "enzymes.npz", **{**biology_arrays(), **change})
    with pytest.raises(InputError, match=message) as caught:
        open_set("biology/enzymes", data=tmp_path)
    assert "enzymes.npz" in str(caught.value)


def test_an_edge_between_graphs_is_refused(tmp_path: Path) -> None:
    arrays = biology_arrays()
    arrays["edge_index"][1, 3] = 40
    path = save(tmp_path / "enzymes.npz", **arrays)
    with pytest.raises(InputError, match="graph 1: edges"):
        Collection("enzymes", path).graph(1)


@pytest.mark.data
def test_the_public_collections() -> None:
    infos = {f"biology/{name}": biology_info(name, None) for name in COLLECTIONS}
    molhiv = infos["biology/molhiv"]
    assert (molhiv.graphs, molhiv.nodes, molhiv.edges) == (41127, 1049163, 1129688)
    problems = tuple(islice(Collection("molhiv", Path(molhiv.where)).problems("test", 0), 50))
    assert len({id(problem.graph) for problem in problems}) == 50
    graph = problems[0].graph
    assert isinstance(graph, Graph)
    assert (graph.features.shape[1], graph.edge_features.shape[1]) == (9, 3)
    assert graph.feature_names[0] == "atomic_number"
    proteins = Collection("ppi", Path(infos["biology/ppi"].where))
    assert [len(numbers) for numbers in proteins.splits.values()] == [20, 2, 2]
    enzymes = Collection("enzymes", Path(infos["biology/enzymes"].where))
    assert [len(numbers) for numbers in enzymes.splits.values()] == [480, 60, 60]

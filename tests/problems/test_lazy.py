"""Problems that are read when they are used: the same as in memory, in bounded memory."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.graphs import AnyGraph, GridGraph
from phil.graphs.formats import read_graph, write_graph
from phil.problems import SPLITS, Problem, ProblemSet, folder
from phil.problems.lazy import GraphCache, LazyProblems, by_graph, graph_bytes
from phil.problems.lazy_folder import FolderStore
from phil.problems.problem import Problems
from tests.contracts.test_formats import same_arrays


def shown(problems: Sequence[Problem]) -> list[tuple[object, ...]]:
    return [(each.name, each.start, each.goal, repr(each.graph)) for each in problems]


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    """A folder of small maps of different sizes, all free."""
    place = tmp_path / "maps"
    place.mkdir()
    for number in range(12):
        write_graph(place / f"{number}.png", GridGraph(np.ones((5, 5 + number), bool)))
    return place


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    """A folder of three rings, one for each split."""
    for size, split in enumerate(SPLITS, start=5):
        (tmp_path / "rings" / split).mkdir(parents=True)
        ring = phil.Graph.from_edges(size, [(node, (node + 1) % size) for node in range(size)])
        write_graph(tmp_path / "rings" / split / "ring.npz", ring)
    return tmp_path / "rings"


def lazily(place: Path, **options: object) -> ProblemSet:
    """The set of a folder as if it were large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "MOST_FILES", 0)
        opened = phil.open_set(place, **options)  # type: ignore[arg-type]
    assert all(isinstance(opened.split(split), LazyProblems) for split in SPLITS)
    return opened


@pytest.mark.parametrize("options", [{}, {"pairs": "random"}, {"pairs": "random", "count": 30}])
def test_a_large_folder_has_the_same_problems(maps: Path, options: dict[str, object]) -> None:
    small = phil.open_set(maps, **options)  # type: ignore[arg-type]
    assert isinstance(small.train, tuple)
    large = lazily(maps, **options)
    for split in (*SPLITS, "all"):
        assert shown(large.split(split)) == shown(small.split(split))
        assert by_graph(large.split(split)) == by_graph(small.split(split))


def test_pairs_on_graphs_take_turns(graphs: Path) -> None:
    small, large = phil.open_set(graphs), lazily(graphs)
    assert [len(large.split(split)) for split in SPLITS] == [600, 60, 100]
    assert shown(large.all[::50]) == shown(small.all[::50])


def test_a_folder_is_large_by_its_bytes_too(maps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MOST_BYTES", 100)
    assert isinstance(phil.open_set(maps).train, LazyProblems)


def test_opening_reads_one_graph_and_using_a_problem_its_own(
    maps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def watched(path: Path, *, weight: str | None) -> AnyGraph:
        read.append(path.name)
        return read_graph(path, weight=weight)

    monkeypatch.setattr(folder, "read_graph", watched)
    monkeypatch.setattr("phil.problems.lazy_folder.read_graph", watched)
    opened = lazily(maps)
    assert len(read) == 1
    names = [problem.name for problem in opened.test]
    assert read[1:] == [Path(name).name for name in names]


def test_errors_come_when_a_file_is_used_and_name_it(maps: Path) -> None:
    (maps / "3.png").write_bytes(b"not a map")
    write_graph(maps / "4.npz", GridGraph(np.ones((3, 3, 3), bool)))
    opened = lazily(maps, pairs="random")
    errors = []
    for number in range(len(opened.all)):
        try:
            _ = opened.all[number]
        except InputError as error:
            errors.append(str(error))
    assert len(errors) == 2
    assert any("3.png does not have a known format" in error for error in errors)
    assert any("holds 2D maps and 3D maps (4.npz)" in error for error in errors)


def test_slices_and_sums_stay_lazy(maps: Path) -> None:
    train = lazily(maps, pairs="random", count=20).train
    assert isinstance(train, LazyProblems)
    for part in (train[2:9], train[::-3], train[:4] + train[4:], train[5:] + train[:2]):
        assert isinstance(part, LazyProblems)
    assert train.store.graphs.reads == 0
    everything = shown(list(train))
    assert shown(train[2:9]) == everything[2:9]
    assert shown(train[::-3]) == everything[::-3]
    assert shown(train[5:] + train[:2]) == everything[5:] + everything[:2]
    read = Problems([train[3]])
    assert shown(train[:1] + read) == [everything[0], everything[3]]
    assert shown(read + train[:1]) == [everything[3], everything[0]]
    assert train[-1].name == train[len(train) - 1].name
    with pytest.raises(IndexError):
        _ = train[20]


def test_a_pickle_is_small_and_reads_for_itself(maps: Path) -> None:
    opened = lazily(maps, pairs="random", count=20)
    assert isinstance(opened.train, LazyProblems)
    data = pickle.dumps(opened.train[3:9])
    assert len(data) < 1000
    sent = pickle.loads(data)
    assert sent.store is not opened.train.store
    assert shown(sent) == shown(opened.train[3:9])
    assert pickle.loads(data).store is sent.store  # opened once in a process


def test_a_folder_that_has_changed_is_not_read_by_others(maps: Path) -> None:
    data = pickle.dumps(lazily(maps, count=3, pairs="random").train)
    (maps / "3.png").unlink()
    with pytest.raises(InputError, match="maps has other files than where it was opened first"):
        pickle.loads(data)


def test_problems_are_changed_when_they_are_used(maps: Path) -> None:
    opened = lazily(maps).with_features("degree")
    assert isinstance(opened.train, LazyProblems)
    assert opened.train.store.graphs.reads == 0
    assert "degree" in opened.train[0].graph.feature_names
    sent = pickle.loads(pickle.dumps(opened.train))
    assert "degree" in sent[1].graph.feature_names


def test_the_cache_keeps_what_was_used_last_within_its_bytes() -> None:
    one = graph_bytes(GridGraph(np.ones((10, 10), bool)))
    cache = GraphCache(most=3 * one)

    def get(key: int) -> GridGraph:
        graph = cache.get(key, lambda: GridGraph(np.ones((10, 10), bool)))
        assert isinstance(graph, GridGraph)
        return graph

    for key in (0, 1, 2, 0, 3):
        get(key)
    assert cache.reads == 4
    assert cache.bytes == 3 * one
    get(0)
    assert cache.reads == 4
    get(1)
    assert cache.reads == 5


def test_what_is_derived_from_a_graph_counts() -> None:
    cache = GraphCache(most=10**6)
    graph = cache.get(0, lambda: GridGraph(np.ones((10, 10), bool)))
    alone = cache.bytes
    assert graph.features.nbytes == 800
    cache.get(0, lambda: graph)
    assert cache.bytes >= alone + 800
    cache.most = 1
    cache.get(1, lambda: GridGraph([[True, True]]))
    assert cache.bytes == graph_bytes(GridGraph([[True, True]]))


def test_a_graph_in_use_is_one_object_even_outside_the_cache() -> None:
    cache = GraphCache(most=1)
    used = cache.get(0, lambda: GridGraph([[True, True]]))
    cache.get(1, lambda: GridGraph([[True, True]]))
    assert cache.get(0, lambda: GridGraph([[True]])) is used


def test_all_graphs_are_read_once_if_they_fit(maps: Path) -> None:
    train = lazily(maps, pairs="random", count=30).train
    assert isinstance(train, LazyProblems)
    store = train.store
    assert isinstance(store, FolderStore)
    graphs = {id(problem.graph) for problem in list(train)}
    assert len(graphs) == len(by_graph(train)) == store.graphs.reads


def test_graphs_are_the_same(graphs: Path) -> None:
    same_arrays(phil.open_set(graphs).test[0].graph, lazily(graphs).test[0].graph)

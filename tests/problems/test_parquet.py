"""Problem sets as Parquet files: what is written is read, in shards, and errors name the row."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phil
from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.graphs.formats.npz import write_to
from phil.problems import SPLITS, Problem, ProblemSet, parquet
from phil.problems.lazy import LazyProblems, by_graph
from phil.problems.parquet import ParquetStore
from tests.contracts.test_formats import same_arrays
from tests.strategies import described_graphs, grids, node_ids

pa = pytest.importorskip("pyarrow", reason="Parquet files need the extra ray")
pq = pytest.importorskip("pyarrow.parquet")


def packed(graph: AnyGraph) -> bytes:
    stream = io.BytesIO()
    write_to(stream, graph)
    return stream.getvalue()


ROW: dict[str, Any] = {
    "name": "mine",
    "split": "test",
    "graph": packed(GridGraph([[True] * 5])),
    "starts": [0],
    "goals": [4],
}


def save(path: Path, *rows: dict[str, Any], **options: Any) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path, **options)
    return path


def same_problems(given: Sequence[Problem], read: Sequence[Problem]) -> None:
    assert [(p.name, p.start, p.goal, p.published) for p in given] == [
        (p.name, p.start, p.goal, p.published) for p in read
    ]
    for one, other in zip(given, read, strict=True):
        same_arrays(one.graph, other.graph)


@st.composite
def sets(draw: st.DrawFn) -> ProblemSet:
    """A set whose problems come graph by graph, as a file has them."""
    splits = {}
    for split in SPLITS:
        problems: list[Problem] = []
        for graph in draw(st.lists(st.one_of(described_graphs(), grids()), max_size=3)):
            nodes = st.sampled_from(node_ids(graph))
            for _ in range(draw(st.integers(1, 3))):
                name = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
                cost = draw(st.none() | st.floats(0, 1e6))
                problems.append(Problem(graph, draw(nodes), draw(nodes), name, cost))
        splits[split] = tuple(problems)
    return ProblemSet("any", **splits)


@settings(max_examples=30)
@given(problems=sets(), rows=st.integers(1, 3))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, problems: ProblemSet, rows: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "GROUP_ROWS", rows)
        phil.write_set(path, problems)
    opened = phil.open_set(path)
    for split in (*SPLITS, "all"):
        same_problems(problems.split(split), opened.split(split))
        assert by_graph(problems.split(split)) == by_graph(opened.split(split))


def many(tmp_path: Path, count: int = 40) -> Path:
    """A file of rings of different sizes, in row groups of four."""
    rows = []
    for number in range(count):
        size = 50 + number
        ring = Graph.from_edges(size, [(node, (node + 1) % size) for node in range(size)])
        split = ("train", "test")[number % 2]
        rows.append(
            {**ROW, "name": f"ring {number}", "split": split, "graph": packed(ring)}
            | {"starts": [0, 1], "goals": [5, 9]}
        )
    return save(tmp_path / "many.parquet", *rows, row_group_size=4)


def store_of(problems: Sequence[Problem]) -> ParquetStore:
    assert isinstance(problems, LazyProblems)
    assert isinstance(problems.store, ParquetStore)
    return problems.store


def test_opening_reads_no_graph_and_a_problem_its_own_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[tuple[int, list[str]]] = []
    reader = pq.ParquetFile.read_row_group

    def watched(file: Any, group: int, columns: list[str]) -> Any:
        groups.append((group, columns))
        return reader(file, group, columns=columns)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", watched)
    opened = phil.open_set(many(tmp_path))
    assert [len(opened.split(split)) for split in SPLITS] == [40, 0, 40]
    assert not any("graph" in columns for _, columns in groups)
    groups.clear()
    assert opened.train[21].name == "ring 20/1"
    assert [group for group, _ in groups] == [5]
    groups.clear()
    assert len(list(opened.train)) == 40
    assert [group for group, _ in groups] == list(range(10))  # one shard after the other


def test_few_graphs_are_in_memory_at_a_time(tmp_path: Path) -> None:
    opened = phil.open_set(many(tmp_path))
    store = store_of(opened.train)
    store.graphs.most = 10_000
    most = 0
    for problem in opened.all:
        assert problem.graph.num_nodes
        most = max(most, store.graphs.bytes)
    assert 5000 < most < 20_000
    assert store.graphs.reads == 40


def test_names_without_a_column_of_their_own(tmp_path: Path) -> None:
    two = {**ROW, "name": "both", "starts": [0, 1], "goals": [2, 3]}
    opened = phil.open_set(save(tmp_path / "a.parquet", ROW, two))
    assert [problem.name for problem in opened.test] == ["mine", "both/0", "both/1"]


def test_a_folder_of_files_is_one_set(tmp_path: Path) -> None:
    place = tmp_path / "set"
    place.mkdir()
    save(place / "b.parquet", {**ROW, "name": "second"})
    save(place / "a.parquet", {**ROW, "name": "first"}, {**ROW, "name": "seen", "split": "train"})
    save(place / ".hidden.parquet", ROW)
    opened = phil.open_set(place)
    assert [problem.name for problem in opened.all] == ["seen", "first", "second"]
    assert pickle.loads(pickle.dumps(opened.test))[1].name == "second"
    with pytest.raises(InputError, match=r"leave out --pairs"):
        phil.open_set(place, count=3)


def test_a_file_that_has_changed_is_not_read_by_others(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", ROW)
    data = pickle.dumps(phil.open_set(path).test)
    save(path, *[{**ROW, "name": "other"}] * 2)
    with pytest.raises(InputError, match=r"a\.parquet (is missing or has changed|has other)"):
        pickle.loads(data)
    path.unlink()
    with pytest.raises(InputError, match=r"a\.parquet is missing or has changed"):
        pickle.loads(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"split": "tests"}, r"row 1: split is 'tests'; it must be train, validation or test"),
        ({"split": None}, r"row 1: split is None"),
        ({"goals": [1, 2]}, r"row 1: starts and goals must be lists of the same length"),
        ({"starts": None}, r"row 1: starts and goals must be lists of the same length"),
    ],
)
def test_a_bad_row_is_named_at_once(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    path = save(tmp_path / "a.parquet", ROW, {**ROW, **change})
    with pytest.raises(InputError, match=rf"a\.parquet, {words}"):
        phil.open_set(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"graph": b"no graph"}, r"row 1 is a damaged or truncated \.npz file"),
        ({"graph": ROW["graph"][:-30]}, r"row 1 is a damaged or truncated \.npz file"),
        ({"graph": None}, r"row 1: graph must not be null"),
        ({"name": None}, r"row 1: name must not be null"),
        ({"starts": [9]}, r"row 1: start 9 is off the map"),
        ({"goals": [None]}, r"row 1: goals must not be null"),
        ({"names": ["a", "b"]}, r"row 1: names has 2 values for 1 problems"),
    ],
)
def test_a_bad_row_is_named_when_it_is_used(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    path = save(tmp_path / "a.parquet", {**ROW, "names": ["mine"]}, {**ROW, **change})
    opened = phil.open_set(path)
    assert opened.test[0].name == "mine"
    with pytest.raises(InputError, match=rf"a\.parquet, {words}"):
        _ = opened.test[1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"split": 3}, "the column split must hold strings, not int64"),
        ({"starts": ["a"]}, "the column starts must hold lists of integers, not list"),
        ({"graph": "text"}, "the column graph must hold bytes, not string"),
    ],
)
def test_columns_of_other_types_are_refused(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        phil.open_set(save(tmp_path / "a.parquet", {**ROW, **change}))


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", {"name": "mine"})
    with pytest.raises(InputError, match="has no column split; a problem set has the columns name"):
        phil.open_set(path)
    save(path, ROW)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"a\.parquet is not a Parquet file, or is damaged"):
        phil.open_set(path)


def test_only_known_graphs_are_written_and_only_to_parquet(tmp_path: Path) -> None:
    problems = ProblemSet("mine", test=(Problem(ImplicitGraph(lambda node: []), 0, 1),))
    with pytest.raises(InputError, match="a Parquet file needs graphs that are known in full"):
        phil.write_set(tmp_path / "a.parquet", problems)
    with pytest.raises(InputError, match=r"problem sets are written to files named \*\.parquet"):
        phil.write_set(tmp_path / "a.npz", ProblemSet("mine"))
    assert not list(tmp_path.iterdir())


def test_a_lazy_set_is_written_graph_by_graph(tmp_path: Path) -> None:
    opened = phil.open_set(many(tmp_path))
    store_of(opened.train).graphs.most = 1
    phil.write_set(tmp_path / "again.parquet", opened)
    same_problems(opened.all, phil.open_set(tmp_path / "again.parquet").all)


def test_without_pyarrow_an_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(tmp_path / "a.parquet", ROW)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r'pip install "phil-search\[ray\]"'):
        phil.open_set(path)
    with pytest.raises(InputError, match=r'pip install "phil-search\[ray\]"'):
        phil.write_set(path, ProblemSet("mine"))


def test_weights_and_features_are_kept(tmp_path: Path) -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.eye(3), weights=[1.5, 2.5], labels=list("abc"))
    problem = replace(Problem(graph, "a", "c", "mine"), published=4.0)
    phil.write_set(tmp_path / "a.parquet", ProblemSet("mine", test=(problem,)))
    [score] = phil.evaluate(phil.open_set(tmp_path / "a.parquet"), "dijkstra")
    assert score.runs[0].result.cost == score.runs[0].published == 4.0
    assert score.runs[0].result.nodes == ["a", "b", "c"]


def test_one_graph_in_all_splits_is_one_object(tmp_path: Path) -> None:
    ring = Graph.from_edges(30, [(node, (node + 1) % 30) for node in range(30)])
    phil.write_set(tmp_path / "ring.parquet", phil.open_set(ring, count=20))
    opened = phil.open_set(tmp_path / "ring.parquet")
    assert len({id(problem.graph) for problem in list(opened.all)}) == 1

"""Starts and goals from files."""

from __future__ import annotations

import gzip
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.problems.pair_file import pair_file_set, read_pairs

ROADS = Graph.from_edges(4, [(0, 1), (1, 2)], labels=["a", "b, c", "7", "start"])
PLAIN = Graph.from_edges(12, [(node, node + 1) for node in range(11)])
GRID = GridGraph([[True, True, False], [True, True, True]], corners="both_free")
SPACE = GridGraph(np.ones((2, 3, 4), bool))
SCENARIOS = "version 1\n0\tx.map\t3\t2\t0\t0\t2\t1\t3.41421356\n"


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "pairs.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("graph", "text", "expected"),
    [
        (ROADS, "a,7\n", [(1, 0, 2)]),
        (ROADS, 'start,goal\n"b, c",a\n\n7,start\n', [(2, 1, 0), (4, 2, 3)]),
        (ROADS, "Start\tGoal\r\nb, c\ta\r\n", [(2, 1, 0)]),
        (ROADS, "\ufeffa, 7", [(1, 0, 2)]),
        (PLAIN, "3,5\n0,0\n", [(1, 3, 5), (2, 0, 0)]),
        (GRID, "0,0,1,2\n", [(1, 0, 5)]),
        (GRID, 'start,goal\n"0,0","1,2"\n', [(2, 0, 5)]),
        (GRID, "row,col,row,col\n1\n".replace("1\n", "0,1,1,0\n"), [(2, 1, 3)]),
        (SPACE, "0,0,0,1,2,3\n", [(1, 0, 23)]),
    ],
)
def test_tables(
    tmp_path: Path, graph: AnyGraph, text: str, expected: list[tuple[int, int, int]]
) -> None:
    pairs = read_pairs(write(tmp_path, text), graph)
    assert [(pair.line, pair.start, pair.goal) for pair in pairs] == expected
    assert all(pair.published is None for pair in pairs)
    assert read_pairs(write(tmp_path, gzip.compress(text.encode())), graph) == pairs


def test_scenarios(tmp_path: Path) -> None:
    path = write(tmp_path, SCENARIOS + "\n" + SCENARIOS.splitlines()[1])
    assert [astuple(pair) for pair in read_pairs(path, GRID)] == [
        (2, 0, 5, 3.41421356),
        (4, 0, 5, 3.41421356),
    ]


def test_pairs_are_split_by_what_they_join(tmp_path: Path) -> None:
    lines = [f"{start},{goal}" for start in range(10) for goal in (0, 11)]
    problems = pair_file_set("mine", PLAIN, write(tmp_path, "\n".join(lines + lines)))
    assert problems.name == "mine"
    assert (len(problems.train), len(problems.validation), len(problems.test)) == (32, 4, 4)
    ends = [
        {(problem.start, problem.goal) for problem in problems.split(split)}
        for split in ("train", "validation", "test")
    ]
    assert not ends[0] & ends[1]
    assert not (ends[0] | ends[1]) & ends[2]
    assert {problem.name for problem in problems.all} == {
        f"pairs.csv:{line}" for line in range(1, 41)
    }


def test_fewer_pairs_are_drawn_from_the_whole_file(tmp_path: Path) -> None:
    path = write(tmp_path, "\n".join(f"{k % 12},{k // 12}" for k in range(144)))

    def lines(count: int, seed: int = 0) -> set[int]:
        problems = pair_file_set("mine", PLAIN, path, count, seed).all
        return {int(problem.name.partition(":")[2]) for problem in problems}

    assert len(lines(40)) == 40
    assert min(lines(40)) <= 20 < 125 <= max(lines(40))
    assert lines(40) == lines(40) != lines(40, seed=1)
    assert lines(10) < lines(40)
    assert lines(1000) == set(range(1, 145))


@pytest.mark.parametrize(
    ("graph", "text", "message"),
    [
        (
            ROADS,
            "a,7\na,b\n",
            r"pairs\.csv, line 2: the graph has no node 'b'; its 4 nodes are 'a'",
        ),
        (ROADS, "a\n", r"line 1: 1 columns; a pair is start,goal: the labels of two nodes"),
        (ROADS, "a,7,3\n", "line 1: 3 columns"),
        (ROADS, 'a,"7\n', "line 1: unexpected end of data"),
        (ROADS, SCENARIOS, "holds scenarios of a map, but the graph is not a map"),
        (ROADS, "start,goal\n", "holds no pairs; write a line for each, start,goal: the labels"),
        (ROADS, "", "is an empty file"),
        (ROADS, b"a,\xff\n", "byte 2 is not UTF-8 text"),
        (ROADS, '"0\t0","2"\n', "line 1: '.' expected after"),
        (PLAIN, "0,12\n", r"line 1: the graph has no node '12'; its nodes are numbered 0\.\.11"),
        (GRID, "0,0,0,2\n", r"line 1: the cell \(0, 2\) is on an obstacle"),
        (GRID, "0,0,2,0\n", r"line 1: cell \(2, 0\) is off the map"),
        (GRID, "0,0,1\n", "line 1: 3 columns; a pair is a start and a goal, each ROW,COL"),
        (GRID, "0,0,1,x\n", "line 1: a cell of this map is ROW,COL such as 0,200, not '1,x'"),
        (GRID, "version 2\n", "line 1"),
        (GRID, "version 1\n", "holds no pairs"),
        (GRID, SCENARIOS + "junk\n", "line 3: 1 fields"),
        (
            GRID,
            SCENARIOS.replace("\t3\t2\t", "\t3\t9\t"),
            "line 2: this scenario is for a map of 9",
        ),
        (GRID, SCENARIOS.replace("2\t1\t3.4", "2\t0\t3.4"), r"line 2: the cell \(0, 2\) is on an"),
        (SPACE, "0,0,0,1,2\n", "line 1: 5 columns; a pair is a start and a goal, each X,Y,Z"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, graph: AnyGraph, text: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_pairs(write(tmp_path, text), graph)
    assert str(caught.value).isprintable()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none\.csv"):
        read_pairs(tmp_path / "none.csv", GRID)
    with pytest.raises(InputError, match="cannot read"):
        read_pairs(tmp_path, GRID)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.sampled_from([ROADS, PLAIN, GRID, SPACE]),
    st.one_of(
        st.binary(max_size=60),
        st.text('a7,\t"\n0123 ', max_size=40).map(str.encode),
        st.text("0123 \t\n.", max_size=60).map(lambda text: b"version 1\n" + text.encode()),
    ),
)
def test_any_bytes_give_pairs_or_one_error(tmp_path: Path, graph: AnyGraph, data: bytes) -> None:
    path = tmp_path / "pairs"
    path.write_bytes(data)
    try:
        pairs = read_pairs(path, graph)
    except InputError:
        return
    assert all(graph.check_node(pair.start, "s") == pair.start for pair in pairs)

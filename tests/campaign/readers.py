"""Everything that reads files: valid files to start from, and what must hold of what is read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.features import store
from phil.graphs.formats import read_graph
from phil.graphs.formats.registry import formats, recognise
from phil.graphs.formats.source import read_bytes
from phil.heuristics.file import LearnedHeuristic, Tensors, encode
from phil.heuristics.registry import learned_kinds, load_heuristic, read_any
from phil.problems import Problem, ProblemSet, open_set, write_set
from phil.problems.data_files import read_arrays
from phil.problems.download.formats import (
    read_gnn_benchmark,
    read_graphsage,
    read_ogb,
    read_osm,
    read_tudataset,
)
from phil.problems.grids import Maps, read_family
from phil.problems.pair_file import FilePair, read_pairs
from phil.problems.syntax_trees import SIZES, parse_functions, tree_graph
from phil.search import ASTAR, Limits, search
from tests.campaign.checkpoint_files import FILES as CHECKPOINT_FILES
from tests.campaign.checkpoint_files import PRESETS, check_learner, resumed, saved_run
from tests.campaign.mutation import Files
from tests.contracts.format_files import FILES, npy, npz, png
from tests.problems.download import foreign_files
from tests.problems.graph_files import biology_arrays, citation_arrays, road_arrays

LARGEST = 10**5  # nodes of a graph that is also searched
FEW = Limits(expansions=50)
MOST_PROBLEMS = 100  # of a set that are read
WITHOUT_FILES = {"MuJoCo scene (MJCF)"}  # formats that are not attacked: compiling takes too long
GRAPHS: tuple[AnyGraph, ...] = (
    GridGraph(np.ones((3, 4), bool)),
    GridGraph(np.ones((2, 3, 2), bool)),
    Graph.from_edges(3, [(0, 1), (1, 2)], np.eye(3, 2), labels=["a", "b", "c,d"]),
    Graph.from_edges(3, [(0, 1), (1, 2)], np.eye(3, 2)),
)


@dataclass(frozen=True)
class Reader:
    """A reader of files: a row of the report."""

    name: str
    seeds: list[Files]
    read: Callable[[Path], Any]  # given the first file
    check: Callable[[Any], None] = lambda found: None  # asserts


def readers() -> list[Reader]:
    """All readers."""
    parts = (_formats, _pairs, _data, _sets, _publishers, _heuristics, _checkpoints, _others)
    return [reader for part in parts for reader in part()]


def _formats() -> Iterator[Reader]:
    """The graph formats of the registry; each must have valid files in the contracts."""
    seeds: dict[str, list[Files]] = {
        known.name: []
        for known in formats()
        if known.read is not None and known.name not in WITHOUT_FILES
    }
    with tempfile.TemporaryDirectory() as folder:
        for valid, refused in FILES.values():
            for files in (*valid, *(files for files, _ in refused.values())):
                path = save(Path(folder), files)
                found = recognise(path)
                if found is not None and sum(map(len, files.values())) < 2**14:
                    seeds[found.name].append(files)
    for name, valid_files in seeds.items():
        assert valid_files, f"the format {name} has no files in tests/contracts/format_files.py"
        yield Reader(name, valid_files, read_graph, check_graph)


def check_graph(graph: AnyGraph) -> None:
    """A graph that was read has valid arrays and can be searched."""
    assert repr(graph)
    if graph.is_grid:
        assert graph.free.view(np.uint8).max() <= 1
    else:
        nodes, edges = graph.num_nodes, graph.indices.size
        assert graph.indptr[0] == 0
        assert graph.indptr[-1] == edges
        assert (np.diff(graph.indptr) >= 0).all()
        assert not edges or 0 <= graph.indices.min() <= graph.indices.max() < nodes
        assert graph.weights is None or (np.isfinite(graph.weights) & (graph.weights >= 0)).all()
        assert np.isfinite(graph.features).all()
        assert np.isfinite(graph.edge_features).all()
        assert graph.features.shape == (nodes, len(graph.feature_names))
        assert len(graph.edge_features) == edges
        assert graph.labels is None or len(graph.labels) == nodes
        assert graph.coordinates is None or np.isfinite(graph.coordinates).all()
    if 0 < graph.num_nodes <= graph.size <= LARGEST:
        start, goal = graph.node_ids[[0, -1]].tolist()
        assert search(graph, start, goal, load_heuristic("zero"), key=ASTAR, limits=FEW).expansions


def _pairs() -> Iterator[Reader]:
    tables = [
        {"a": b"version 1\n0\tm.map\t4\t3\t0\t0\t3\t2\t3.5\n0\tm.map\t4\t3\t1\t0\t3\t2\t3\n"},
        {"a": b"version 1\nm.3dmap\n0 0 0 1 2 1 2.5 1.0\n1 1 1 0 0 0 1 1\n"},
        {"a": b'start,goal\na,b\n"c,d",a\n'},
        {"a": b"start\tgoal\n0\t1\n2\t0\n"},
        {"a": b"row,column,row,column\n0,0,2,3\n1,1,0,0\n"},
        {"a": b'"0,0","2,3"\n'},
        {"a": b"0,0,0,1,2,1\n"},
    ]
    names = ("pairs on a 2D map", "pairs on a 3D map", "pairs of labels", "pairs of numbers")
    for name, graph in zip(names, GRAPHS, strict=True):
        yield Reader(name, tables, partial(read_pairs, graph=graph), partial(_check_pairs, graph))


def _check_pairs(graph: AnyGraph, pairs: list[FilePair]) -> None:
    for pair in pairs:
        assert graph.check_node(pair.start, "start") == pair.start
        assert graph.check_node(pair.goal, "goal") == pair.goal
        assert pair.published is None or 0 <= pair.published < np.inf


def _data() -> Iterator[Reader]:
    arrays = {"edge_index": [[0, 1], [1, 2]], "x": np.eye(3), "name": "small"}
    files = [{"a.npz": npz(**arrays)}, {"a.npz": npz(edge_index=np.zeros((2, 0), int))}]
    yield Reader("arrays of data sets", files, partial(read_arrays, required=["edge_index"]))
    maps = np.ones((2, 3, 3), bool)
    yield Reader(
        "public maps",
        [{"grids/forest.npz": npz(train=maps, validation=maps, test=maps[:1])}],
        lambda path: read_family("forest", path.parent.parent),
        _check_maps,
    )
    cells = png([[1, 0], [1, 1]])
    yield Reader(
        "public maps as PNG",
        [{"forest/train/0.png": cells, "forest/test/900.png": cells}],
        lambda path: read_family("forest", path.parents[2]),
    )


def _check_maps(splits: dict[str, Maps]) -> None:
    for maps in splits.values():
        for free in maps.values():
            check_graph(GridGraph(free))


def _sets() -> Iterator[Reader]:
    """The problem sets that are read from files."""
    maps, goals = np.ones((2, 4, 4), np.float32), np.zeros((2, 1, 4, 4), np.float32)
    goals[:, :, 2, 1] = 1
    maps[0, :, 3] = maps[1, 1] = 0
    planning = {f"arr_{k}": goals if k % 2 else maps for k in (0, 1, 4, 5, 8, 9)}
    files = {
        "citations/cora": ("graphs/cora.npz", citation_arrays()),
        "biology/ppi": ("graphs/ppi.npz", biology_arrays(4, graph_split=np.array([0, 0, 1, 2]))),
        "roads/mine": ("roads/mine.npz", road_arrays(osm_id=np.arange(4))),
        "planning/forest": ("planning_datasets_032/forest_032_moore_c8.npz", planning),
    }
    for name, (file, arrays) in files.items():
        read = partial(_open, name, None if name.startswith("planning") else 2)
        yield Reader(f"set {name}", [{file: npz(**arrays)}], read)
    yield Reader("set in a Parquet file", [{"set.parquet": _parquet()}], _read_all, _check_set)


def _parquet() -> bytes:
    one, other = (Problem(graph, 0, 2, "mine", 2.0) for graph in GRAPHS[1:3])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.parquet"
        write_set(path, ProblemSet("mine", train=(one, one), test=(other,)))
        return path.read_bytes()


def _read_all(path: Path) -> tuple[Problem, ...]:
    return tuple(islice(open_set(path).all, MOST_PROBLEMS))


def _check_set(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        check_graph(problem.graph)


def _open(name: str, count: int | None, path: Path) -> ProblemSet:
    return open_set(name, data=path.parent.parent, count=count)


def _publishers() -> Iterator[Reader]:
    """The formats of those who publish graphs."""

    def seed(write: Callable[[Path], None]) -> list[Files]:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "all")
            found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            return [{str(path.relative_to(folder)): read_bytes(path) for path in found}]

    def write_tudataset(folder: Path) -> None:
        foreign_files.write_tudataset(folder, "D")

    def write_gnn_benchmark(folder: Path) -> None:
        foreign_files.write_gnn_benchmark(folder / "cs.npz")

    yield Reader("TUDataset", seed(write_tudataset), lambda path: read_tudataset(path.parent, "D"))
    yield Reader("GNN benchmark", seed(write_gnn_benchmark), read_gnn_benchmark)
    yield Reader(
        "GraphSAGE", seed(foreign_files.write_graphsage), lambda path: read_graphsage(path.parent)
    )
    yield Reader("OGB", seed(foreign_files.write_ogb), lambda path: read_ogb(_root(path)))
    graphml = {"a.graphml": foreign_files.GRAPHML.encode()}
    yield Reader("OSMnx", [graphml], read_osm)


def _root(path: Path) -> Path:
    return next(folder for folder in path.parents if folder.name == "all")


def _heuristics() -> Iterator[Reader]:
    """The heuristic files of every method."""
    random = np.random.default_rng(0)
    for kind in learned_kinds():
        seeds: list[Files] = []
        for sample in kind.samples():
            shapes = kind.tensor_shapes(sample)
            tensors: Tensors = {
                name: random.normal(0, 0.3, shape).astype(np.float32)
                for name, shape in shapes.items()
            }
            seeds.append({"a.safetensors": encode(kind(sample, tensors))})
        yield Reader(f"heuristic files of {kind.methods[0]}", seeds, read_any, check_heuristic)


def check_heuristic(heuristic: LearnedHeuristic) -> None:
    """A heuristic that was read has finite tensors and can guide a search."""
    assert repr(heuristic)
    for tensor in heuristic.tensors.values():
        assert np.isfinite(tensor).all()
    for graph in GRAPHS[:1] + GRAPHS[2:]:
        search(graph, 0, graph.size - 1, heuristic, limits=FEW)


def _checkpoints() -> Iterator[Reader]:
    """The files of a training run that was interrupted."""
    for preset in PRESETS:
        for name, title in CHECKPOINT_FILES.items():
            yield Reader(
                f"{title} of a checkpoint, preset {preset}",
                [{name: saved_run(preset).files[name]}],
                partial(resumed, preset, name),
                check_learner,
            )


def _others() -> Iterator[Reader]:
    functions = (
        b"def f(a, *b, c=1):\n    x = [y + 0xFF for y in a if not b]\n    return {x: 'a' f'{c}'}\n"
    )
    yield Reader(
        "Python source",
        [{"a.py": functions}, {"a.py": b"class A:\n  async def g(self):\n    await 1e5\n"}],
        lambda path: [
            tree_graph(function, range(1, SIZES.stop))
            for function in parse_functions(path.read_bytes())
        ],
    )
    table = npy(np.eye(3, dtype=np.float32))
    yield Reader(
        "cached features",
        [{"a.npy": table}],
        lambda path: store.read(_with_digest(path), (3, 3)),
    )


def _with_digest(path: Path) -> Path:
    data = path.read_bytes()
    path.write_bytes(data + store._digest(path, data))
    return path


def save(folder: Path, files: Files, saved: Files | None = None) -> Path:
    """Write files where others have been saved before; returns the path of the first."""
    saved = saved or {}
    for name in saved.keys() - files.keys():
        (folder / name).unlink()
    for number, (name, content) in enumerate(files.items()):
        if number and saved.get(name) is content:
            continue
        path = folder / name
        if name not in saved:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / next(iter(files))

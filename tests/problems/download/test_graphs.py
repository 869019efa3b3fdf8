"""Fetching: the libraries are asked, what they leave is read; none of them is asked for real."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.problems import open_set
from phil.problems.download import graphs
from phil.problems.download.graphs import SETS, fetch_set
from tests.problems.download.foreign_files import (
    GRAPHML,
    write_gnn_benchmark,
    write_graphsage,
    write_ogb,
    write_tudataset,
)


class Tensor:
    def __init__(self, values: Any) -> None:
        self._values = np.array(values)

    def numpy(self) -> Any:
        return self._values


class FakeLibraries:
    """Writes small files where the libraries leave theirs."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.settings = SimpleNamespace()

    def Planetoid(self, root: Path, name: str) -> list[SimpleNamespace]:
        self.asked.append(name)
        return [SimpleNamespace(edge_index=Tensor([[0, 1, 1], [1, 0, 1]]), x=Tensor(np.eye(2)))]

    def Coauthor(self, root: Path, name: str) -> None:
        self.asked.append(name)
        write_gnn_benchmark(root / name / "raw" / f"ms_academic_{name[:3].lower()}.npz")

    def TUDataset(self, root: Path, name: str) -> None:
        self.asked.append(name)
        write_tudataset(root / name / "raw", name)

    def PPI(self, root: Path) -> None:
        write_graphsage(root / "raw")

    def GraphPropPredDataset(self, name: str, root: Path) -> None:
        self.asked.append(name)
        print("Loading necessary files...")
        write_ogb(root / "ogbg_molhiv")

    def graph_from_place(self, place: str, network_type: str) -> str:
        self.asked.append((place, network_type))
        return GRAPHML

    def save_graphml(self, graph: str, path: Path) -> None:
        path.write_text(graph)


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> FakeLibraries:
    fake = FakeLibraries()
    monkeypatch.setattr(graphs, "_library", lambda name: fake)
    return fake


@pytest.mark.parametrize("name", SETS)
def test_what_is_fetched_is_opened(
    tmp_path: Path, libraries: FakeLibraries, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []
    path = fetch_set(name, tmp_path / "data", report=steps.append)
    assert path == tmp_path / "data" / "graphs" / f"{name.split('/')[1]}.npz"
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["graphs"]
    assert len(steps) == 2
    assert capsys.readouterr().out == ""
    assert open_set(name, data=tmp_path / "data").train


def test_roads_of_a_place(tmp_path: Path, libraries: FakeLibraries) -> None:
    fetch_set("roads/modena", tmp_path)
    fetch_set("roads/san_marino", tmp_path)
    fetch_set("roads/mine", tmp_path, place="Carpi, Italy")
    places = ["Modena, Italy", "san marino", "Carpi, Italy"]
    assert libraries.asked == [(place, "drive") for place in places]
    assert tmp_path in libraries.settings.cache_folder.parents
    assert len(open_set("roads/mine", data=tmp_path).test) == 100


@pytest.mark.parametrize("name", ["roads/rimini", "roads/../evil", "roads/"])
def test_names_that_are_taken_or_lead_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a reserved or invalid name"):
        fetch_set(name, tmp_path)


def test_what_cannot_be_fetched(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"syntax_trees/python cannot be downloaded; .*citations/cora"
    ):
        fetch_set("syntax_trees/python", tmp_path)


@pytest.mark.parametrize(
    "error", [ConnectionError("no route to host"), SystemExit("no route to host")]
)
def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(graphs, "_library", lambda name: SimpleNamespace(PPI=fail))
    with pytest.raises(InputError, match=r"cannot download biology/ppi: .*no route to host"):
        fetch_set("biology/ppi", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_library_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ImportError(f"no module named {name!r}")

    monkeypatch.setattr("importlib.import_module", fail)
    with pytest.raises(InputError, match=r"ogb is needed .*pip install 'phil-search\[data\]'"):
        fetch_set("biology/molhiv", tmp_path)


@pytest.fixture(scope="module")
def torch_geometric() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("torch_geometric")


@pytest.mark.parametrize(
    ("name", "prepare"),
    [
        ("biology/enzymes", lambda root: write_tudataset(root / "ENZYMES" / "raw", "ENZYMES")),
        ("biology/ppi", lambda root: write_graphsage(root / "raw")),
        (
            "citations/coauthor_physics",
            lambda root: write_gnn_benchmark(root / "Physics" / "raw" / "ms_academic_phy.npz"),
        ),
    ],
)
def test_the_library_reads_these_files_too(
    tmp_path: Path, torch_geometric: Any, name: str, prepare: Callable[[Path], None]
) -> None:
    """With its raw files in place it asks no host, and it takes the same edges from them."""
    prepare(tmp_path)
    arrays = SETS[name](tmp_path)
    datasets = torch_geometric.datasets
    read = {
        "biology/enzymes": lambda: datasets.TUDataset(tmp_path, "ENZYMES", use_node_attr=True),
        "biology/ppi": lambda: datasets.PPI(tmp_path, "train"),
        "citations/coauthor_physics": lambda: datasets.Coauthor(tmp_path, "Physics"),
    }[name]()
    for number, data in enumerate(read):
        first, edges = 0, slice(None)
        if "ptr" in arrays:
            first = int(arrays["ptr"][number])
            edges = slice(*arrays["edge_ptr"][number : number + 2].tolist())
        ours = {tuple(edge) for edge in (arrays["edge_index"][:, edges].T - first).tolist()}
        theirs = {tuple(sorted(edge)) for edge in data.edge_index.T.tolist()}
        assert ours == theirs
        if "x" in arrays:
            rows = arrays["x"][first : first + data.num_nodes]
            np.testing.assert_array_equal(rows, data.x.numpy()[:, : rows.shape[1]])


def test_the_library_gives_planetoid(tmp_path: Path, torch_geometric: Any) -> None:
    raw = tmp_path / "Cora" / "raw"
    raw.mkdir(parents=True)
    for part in ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"):
        (raw / f"ind.cora.{part}").touch()  # only so that the library finds them there
    (tmp_path / "Cora" / "processed").mkdir()
    torch = pytest.importorskip("torch")
    data = torch_geometric.data.Data(x=torch.eye(3), edge_index=torch.tensor([[0, 1], [1, 0]]))
    planetoid = torch_geometric.datasets.Planetoid
    planetoid.save([data], tmp_path / "Cora" / "processed" / "data.pt")
    arrays = SETS["citations/cora"](tmp_path)
    assert arrays["edge_index"].tolist() == [[0], [1]]
    assert arrays["x_indices"].tolist() == [0, 1, 2]

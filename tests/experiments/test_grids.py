"""The table of the grid families: every part is made once, and the table shows all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phil.evaluation import evaluate, parse_method
from phil.experiments import grids
from phil.experiments.grids import PAPER, TARGETS, Study, assemble, main, train_part
from phil.experiments.grids_page import COLUMNS, markdown
from phil.graphs.distances import hops_to
from phil.heuristics.phil import read_heuristic
from phil.problems.generated import FAMILIES

FAMILY = "alternating_gaps"
METHODS = {"bfs", "astar", "euclidean", "manhattan", "oracle", "euclidean - 0.8 depth"}


class Folders:
    """Where a run writes."""

    def __init__(self, root: Path) -> None:
        self.results, self.heuristics, self.docs = (
            root / name for name in ("results", "build", "docs")
        )

    def run(self, *more: str) -> None:
        """The command, quick."""
        folders = ("--results", self.results, "--heuristics", self.heuristics, "--docs", self.docs)
        main(["--quick", "--families", FAMILY, *map(str, folders), *more])

    def part(self, name: str) -> dict[str, Any]:
        """One of the parts."""
        part: dict[str, Any] = json.loads((self.results / "grids" / f"{name}.json").read_text())
        return part

    def table(self) -> dict[str, Any]:
        """The rows of the table, by family."""
        table: dict[str, Any] = json.loads((self.results / "grids.json").read_text())
        return table["families"]  # type: ignore[no-any-return]

    def study(self) -> Study:
        """What the command ran."""
        return Study(
            [FAMILY], ["best"], 2, None, self.results / "grids", self.heuristics, quick=True
        )


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """A run of both presets."""
    folders = Folders(tmp_path_factory.mktemp("grids"))
    folders.run("--presets", "best,paper", "--seeds", "1")
    folders.run("--presets", "best", "--seeds", "2")
    return folders


def test_every_part_is_written(done: Folders) -> None:
    assert sorted(path.stem for path in (done.results / "grids").iterdir()) == [
        f"best-{FAMILY}-0",
        f"best-{FAMILY}-1",
        f"classical-{FAMILY}-0",
        f"paper-{FAMILY}-0",
    ]


def test_a_part_is_what_its_heuristic_does_on_the_test_maps(done: Folders) -> None:
    part = done.part(f"best-{FAMILY}-1")
    assert (part["preset"], part["family"], part["seed"]) == ("best", FAMILY, 1)
    file = done.heuristics / f"best-{FAMILY}-1.safetensors"
    heuristic = read_heuristic(file)
    assert heuristic.metadata.training["seed"] == 1
    assert heuristic.metadata.validation == part["validation"]
    [score] = evaluate(done.study().problems(FAMILY).test, [parse_method(str(file))])
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]
    assert part["test"]["cost_ratio"] == score.cost_ratio.mean


def test_classical_methods_are_run_on_the_same_maps(done: Folders) -> None:
    part = done.part(f"classical-{FAMILY}-0")
    assert part["methods"].keys() == METHODS
    moves = [
        hops_to(problem.graph, problem.goal)[problem.start] + 1
        for problem in done.study().problems(FAMILY).test
    ]
    assert part["methods"]["oracle"]["expansions"] == moves
    found = zip(part["methods"]["bfs"]["expansions"], moves, strict=True)
    assert all(expansions > least for expansions, least in found)


def test_the_table_shows_the_means(done: Folders) -> None:
    assert done.table().keys() == {FAMILY}
    row = done.table()[FAMILY]
    assert (row["must"], row["goal"]) == TARGETS[FAMILY]
    astar = row["methods"]["astar"]["expansions"]
    assert row["paper"]["as_ratio_to_astar"] == pytest.approx(row["paper"]["printed"] * astar)
    assert (row["test_maps"], row["solvable"]) == (6, 6)
    assert row["methods"].keys() == METHODS | {"phil (best)", "phil (paper)"}
    best = row["methods"]["phil (best)"]
    means = [sum(done.part(f"best-{FAMILY}-{seed}")["test"]["expansions"]) / 6 for seed in (0, 1)]
    assert [best["seeds"][seed]["test"] for seed in "01"] == pytest.approx(means)
    assert best["expansions"] == pytest.approx(sum(means) / 2)
    assert best["deviation"] == pytest.approx(abs(means[0] - means[1]) / 2**0.5)
    assert row["methods"]["phil (paper)"]["deviation"] is None


def test_the_page_shows_the_table(done: Folders) -> None:
    page = (done.docs / "grids.md").read_text()
    [line] = [line for line in page.splitlines() if line.startswith(f"| {FAMILY} | ")][:1]
    assert f"| family | {' | '.join(COLUMNS.values())} | the paper's PHIL: (a), (b) |" in page
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    methods = done.table()[FAMILY]["methods"]
    best = methods["phil (best)"]
    assert cells[1] == f"{best['expansions']:,.0f} ± {best['deviation']:,.0f}"
    assert cells[2:-1] == [f"{methods[name]['expansions']:,.0f}" for name in list(COLUMNS)[1:]]
    printed = PAPER[FAMILY]
    astar = methods["astar"]["expansions"]
    assert cells[-1] == f"{printed * astar:,.0f}, {200 + 4800 * printed:,.0f}"


def test_nothing_is_done_twice(done: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [*(done.results / "grids").iterdir(), *done.heuristics.iterdir()]
    before = {path: path.stat().st_mtime_ns for path in files}
    table = done.table()

    def fail(*_: object, **__: object) -> None:
        pytest.fail("it is done already")

    monkeypatch.setattr(grids, "train", fail)
    monkeypatch.setattr(grids, "evaluate", fail)
    done.run("--presets", "best,paper", "--seeds", "1")
    after = [*(done.results / "grids").iterdir(), *done.heuristics.iterdir()]
    assert {path: path.stat().st_mtime_ns for path in after} == before
    assert done.table() == table


def test_an_interrupted_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resumed = []

    def train(*_: object, output: Path, resume: bool, **__: object) -> None:
        resumed.append(resume)
        if not resume:
            Path(f"{output}.checkpoint").mkdir()
            raise KeyboardInterrupt

    monkeypatch.setattr(grids, "train", train)
    study = Folders(tmp_path).study()
    with pytest.raises(KeyboardInterrupt):
        train_part(study, "best", FAMILY, 0)
    train_part(study, "best", FAMILY, 0)
    assert resumed == [False, True]


def test_maps_without_a_path_are_in_no_mean(tmp_path: Path) -> None:
    study = Folders(tmp_path).study()
    study.parts.mkdir(parents=True)
    costs = {"cost_ratio": 1.0, "milliseconds": 0.5}
    classical = {
        "family": FAMILY,
        "repeated": [2],
        "methods": {name: {"expansions": [10, None, 30], **costs} for name in METHODS},
    }
    study.part("classical", FAMILY, 0).write_text(json.dumps(classical))
    results = assemble(study)
    row = results["families"][FAMILY]
    assert (row["test_maps"], row["solvable"], row["repeated"]) == (3, 2, 1)
    astar = row["methods"]["astar"]
    assert (astar["expansions"], astar["median"], astar["on_new_maps"]) == (20.0, 20.0, 10.0)
    assert f"| {FAMILY} | 1 of 3 | 1 | - | - | 10 | 10 |" in markdown(results)


def test_every_family_has_a_target() -> None:
    assert tuple(TARGETS) == FAMILIES
    assert all(goal < must for must, goal in TARGETS.values())

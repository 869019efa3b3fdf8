"""`phil train` on graph files: pairs, features and settings that follow from the graph."""

from __future__ import annotations

import json
import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from phil.heuristics.phil import read_heuristic
from phil.learning.plan import make_plan
from phil.problems.problem import ProblemSet

if TYPE_CHECKING:
    from tests.cli.conftest import Phil

SIDE = 8
QUICK = ("iterations=2", "hard_candidates=0", "steps=2", "rollouts=2", "width=8", "neighbors=3")


@pytest.fixture
def city(tmp_path: Path) -> Path:
    """One-way streets that cost their length, on a square; at the border both ways."""
    streets = ["# directed", "source,target,length"]
    for row in range(SIDE):
        for column in range(SIDE):
            here = f"{row}-{column}"
            along, down = f"{row}-{column + 1}", f"{row + 1}-{column}"
            if column + 1 < SIDE:
                pair = (here, along) if row % 2 else (along, here)
                streets.append(f"{pair[0]},{pair[1]},100")
            if row + 1 < SIDE:
                pair = (here, down) if column % 2 else (down, here)
                streets.append(f"{pair[0]},{pair[1]},100")
            if row in (0, SIDE - 1) and column + 1 < SIDE:
                streets += [f"{here},{along},100", f"{along},{here},100"]
            if column in (0, SIDE - 1) and row + 1 < SIDE:
                streets += [f"{here},{down},100", f"{down},{here},100"]
    (tmp_path / "city.csv").write_text("\n".join(streets) + "\n")
    places = [
        f"{row}-{column},{100 * column},{100 * row}"
        for row in range(SIDE)
        for column in range(SIDE)
    ]
    (tmp_path / "city.nodes.csv").write_text("\n".join(["id,x,y", *places]) + "\n")
    return tmp_path / "city.csv"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What training was asked for; in its place, the plan is made and announced."""
    arguments: dict[str, Any] = {}

    def train(problems: ProblemSet, **given: Any) -> None:
        names = ("method", "preset", "seed", "settings", "features")
        plan = make_plan(problems, **{name: given[name] for name in names})
        given["announce"](plan)
        arguments.update(problems=problems, plan=plan, **given)

    monkeypatch.setattr("phil.learning.train", train)
    return arguments


def test_it_learns_and_the_file_is_a_method(phil: Phil, city: Path, tmp_path: Path) -> None:
    output = tmp_path / "city.safetensors"
    changes = [part for setting in QUICK for part in ("--set", setting)]
    done = phil("train", city, "-o", output, "--count", "30", *changes)
    assert done.code == 0, done.err
    plan, first, *rest = done.err.splitlines()
    assert plan == "plan: PHIL, seed 0, 2 networks: 30 training problems, 3 validation problems"
    assert first.startswith("features added: degree (columns: 2, ")
    settings = [line.split("=")[0] for line in rest if line.startswith("derived from the graphs")]
    assert settings == [
        f"derived from the graphs: {name}" for name in ("validation", "horizon", "temperature")
    ]
    assert read_heuristic(output).metadata.added_features == "degree"
    compare = shlex.split(done.out.splitlines()[-1].removeprefix("Compare it: phil "))
    assert compare == ["evaluate", str(city), "-m", str(output), "-m", "astar"]
    evaluated = phil(*compare, "--count", "10", "--json", "-")
    learned, astar = json.loads(evaluated.out)["methods"]
    assert (evaluated.code, learned["solved"], astar["solved"]) == (0, 10, 10)
    ends = ("--start", "0-0", "--goal", "7-7")
    found = json.loads(phil("solve", city, *ends, "-m", str(output), "--json", "-").out)
    assert (found["outcome"], found["path"][0], found["path"][-1]) == ("solved", "0-0", "7-7")


def test_options_reach_training(
    phil: Phil, city: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    options = ("--features", "degree, landmarks:2", "--count", "40", "--set", "horizon=99")
    done = phil("train", city, "-o", tmp_path / "out.safetensors", *options)
    assert done.code == 0
    assert asked["plan"].features == "degree,landmarks:2"
    splits = [len(asked["problems"].split(split)) for split in ("train", "validation", "test")]
    assert splits == [40, 4, 40]
    assert "landmarks:2 (columns: 4, " in done.err  # distances to and from each
    assert "horizon" not in done.err
    first = [(problem.start, problem.goal) for problem in asked["problems"].train]
    phil("train", city, "-o", tmp_path / "out.safetensors", *options, "--pairs-seed", "1")
    assert first != [(problem.start, problem.goal) for problem in asked["problems"].train]


@pytest.mark.parametrize("unit", ["moves", "cost"])
def test_what_is_announced_is_what_training_uses(
    phil: Phil, city: Path, tmp_path: Path, unit: str
) -> None:
    """The temperature follows from the distances, in the unit that was asked for."""
    output = tmp_path / "city.safetensors"
    changes = [part for setting in (*QUICK, f"unit={unit}") for part in ("--set", setting)]
    done = phil("train", city, "-o", output, "--count", "20", *changes)
    assert done.code == 0, done.err
    used = read_heuristic(output).metadata.training["settings"]
    announced = dict(
        line.removeprefix("derived from the graphs: ").split(" ")[0].split("=")
        for line in done.err.splitlines()
        if line.startswith("derived from the graphs: ")
    )
    assert announced.keys() == {"validation", "horizon", "temperature"}
    assert {name: str(used[name]) for name in announced} == announced
    assert used["unit"] == unit
    assert (used["temperature"] > 10) is (unit == "cost")  # an edge costs 100


def test_a_setting_is_judged_beside_those_that_follow_from_the_graph(
    phil: Phil, city: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    """A horizon of 31 contradicts the preset's roll-out of 32, but not this graph's."""
    options = ("--preset", "paper", "--set", "horizon=31")
    done = phil("train", city, "-o", tmp_path / "out.safetensors", *options)
    assert done.code == 0, done.err
    assert asked["plan"].settings.rollout < 31


def test_no_features_are_added_if_none_are_wanted(
    phil: Phil, city: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    done = phil("train", city, "-o", tmp_path / "out.safetensors", "--features", "none")
    assert done.code == 0
    assert asked["plan"].features == ""
    assert "features added: none" in done.err


def test_pairs_of_a_file_are_split_and_the_rest_is_compared(
    phil: Phil, city: Path, tmp_path: Path, asked: dict[str, Any]
) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("".join(f"0-{column},7-{column}\n" for column in range(8)))
    done = phil("train", city, "-o", tmp_path / "out.safetensors", "--pairs", pairs)
    assert done.code == 0
    splits = [len(asked["problems"].split(split)) for split in ("train", "validation", "test")]
    assert splits == [6, 1, 1]
    assert f"--pairs {pairs} --split test -m" in done.out
    few = phil("train", city, "-o", tmp_path / "out.safetensors", "--pairs", pairs, "--count", "5")
    assert len(asked["problems"].all) == 5
    assert f"--pairs {pairs} --split test --count 5 -m" in few.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--features", "degre"), "did you mean 'degree'?"),
        (("--features", "landmarks:x"), "landmarks:x"),
        (("--features", "laplacian:1000"), "laplacian:1000"),
        (("--preset", "bset"), "did you mean 'best'?"),
        (("--set", "widht=3"), "did you mean 'width'?"),
        (("--method", "phli"), "did you mean 'phil'?"),
    ],
)
def test_bad_input_is_one_line(
    phil: Phil, city: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    done = phil("train", city, "-o", tmp_path / "out.safetensors", *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert message in done.err


@pytest.fixture
def level(tmp_path: Path) -> Path:
    file = tmp_path / "level.map"
    rows = ["." * 24] * 12 + ["." * 20 + "@@@@"] + ["." * 24] * 11
    file.write_text("type octile\nheight 24\nwidth 24\nmap\n" + "\n".join(rows) + "\n")
    return file


def test_a_map_gets_landmarks_and_is_compared_on_its_test_pairs(
    phil: Phil, level: Path, tmp_path: Path
) -> None:
    output = tmp_path / "level.safetensors"
    changes = [part for setting in QUICK[:-1] for part in ("--set", setting)]
    done = phil("train", level, "-o", output, "--count", "20", *changes)
    assert done.code == 0, done.err
    assert "features added: landmarks:16 (columns: 16, " in done.err
    assert read_heuristic(output).metadata.added_features == "landmarks:16"
    table = [line.split() for line in done.out.splitlines()[1:-1]]
    assert " ".join(table[0]) == "on the test problems mean expansions calls cost ratio ms"
    assert [row[0] for row in table[1:]] == [
        "astar(octile)",
        "greedy(euclidean)",
        "greedy(landmarks)",
        "level.safetensors",
    ]
    assert table[1][3] == "1.000"
    solved = phil("solve", level, "--start", "0,0", "--goal", "20,20", "-m", str(output))
    assert solved.code == 0, solved.err


@pytest.mark.parametrize("recipe", ["degree", "none"])
def test_a_heuristic_of_the_other_direction_is_told(
    phil: Phil, city: Path, tmp_path: Path, recipe: str
) -> None:
    (tmp_path / "both.csv").write_text(city.read_text().replace("# directed\n", ""))
    (tmp_path / "both.nodes.csv").write_text((tmp_path / "city.nodes.csv").read_text())
    both = tmp_path / "both.csv"
    changes = [part for setting in QUICK for part in ("--set", setting)]
    for learned, other, kinds in (
        (city, both, ("directed", "undirected")),
        (both, city, ("undirected", "directed")),
    ):
        output = tmp_path / "out.safetensors"
        options = ("--features", recipe, "--count", "10")
        assert phil("train", learned, "-o", output, *options, *changes).code == 0
        same = phil("evaluate", learned, "-m", output, "--count", "5")
        assert "graphs, but this graph is" not in same.err
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            done = phil("evaluate", other, "-m", output, "--count", "5")
        told = f"was learned on {kinds[0]} graphs, but this graph is {kinds[1]}"
        assert done.err.count(told) == 1
        assert done.code == (0 if recipe == "none" else 2)


@pytest.mark.parametrize("features", ["landmarks:16", "landmarks:4,degree", "hops:8"])
def test_features_of_a_map_can_be_chosen(
    phil: Phil, level: Path, tmp_path: Path, features: str
) -> None:
    output = tmp_path / "level.safetensors"
    changes = [part for setting in QUICK[:-1] for part in ("--set", setting)]
    done = phil("train", level, "-o", output, "--features", features, "--count", "10", *changes)
    assert done.code == 0, done.err
    assert read_heuristic(output).metadata.added_features == features
    assert phil("evaluate", level, "-m", output, "--count", "5").code == 0


def test_features_of_a_folder_of_maps(phil: Phil, level: Path, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / "maps").mkdir(exist_ok=True)
        (tmp_path / "maps" / f"{number}.map").write_text(level.read_text())
    output = tmp_path / "maps.safetensors"
    changes = [part for setting in QUICK[:-1] for part in ("--set", setting)]
    options = ("--pairs", "random", "--features", "landmarks:16")
    done = phil("train", tmp_path / "maps", "-o", output, *options, *changes)
    assert done.code == 0, done.err
    assert read_heuristic(output).metadata.added_features == "landmarks:16"


def test_features_of_graphs_are_not_for_maps(phil: Phil, level: Path, tmp_path: Path) -> None:
    done = phil("train", level, "-o", tmp_path / "out.x", "--features", "laplacian")
    assert done.code == 2
    assert "laplacian:8 is for general graphs; on maps, use degree or landmarks" in done.err

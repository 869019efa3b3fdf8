"""What `phil.evaluate` returns: a list of scores that is shown as a table."""

from __future__ import annotations

import builtins
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phil
from phil.cli.main import main
from phil.evaluation import Evaluation, MethodScore
from phil.view.figure import Picture

PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def scores() -> Evaluation:
    grid = phil.GridGraph([[True] * 9] * 9)
    problems = [phil.Problem(grid, (8, 0), (0, column), f"to {column}") for column in range(9)]
    return phil.evaluate(problems, ["bfs", "zero"])


def test_it_is_a_list_of_scores(scores: Evaluation) -> None:
    assert isinstance(scores, list)
    assert [score.method for score in scores] == ["bfs", "zero"]
    assert all(isinstance(score, MethodScore) for score in scores[:1])
    assert len(scores.problems) == 9


def test_it_is_shown_as_a_table(scores: Evaluation) -> None:
    head, first, second = repr(scores).splitlines()
    assert head.split("  ")[0] == "method"
    assert first.startswith("bfs ")
    assert "9 of 9" in second
    assert len(head) >= len(first)
    named = Evaluation([MethodScore("<b>\x1b[31m", scores[0].runs)])
    page = named._repr_html_()
    assert "<td>&lt;b&gt;\\x1b[31m</td>" in page
    assert page.count("<td>") == page.count("<th>")
    assert "\x1b" not in repr(named)
    many = repr(Evaluation(list(scores) * 200))
    assert many.endswith("... 340 more")


def test_its_json_is_that_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "map.map"
    file.write_text("type octile\nheight 2\nwidth 3\nmap\n...\n...\n")
    scenario = tmp_path / "map.map.scen"
    scenario.write_text("version 1\n0\tmap.map\t3\t2\t0\t0\t2\t0\t2\n")
    written = tmp_path / "scores.json"
    with pytest.raises(SystemExit):
        main(["evaluate", str(file), "--pairs", str(scenario), "-m", "bfs", "--json", str(written)])
    problems = phil.open_set(file, pairs=scenario).all
    scores = phil.evaluate(problems, "bfs")
    named = Evaluation(scores, scores.problems, str(file), "all")
    found, command = json.loads(named.to_json()), json.loads(written.read_text())
    for document in (found, command):
        document["methods"][0].pop("milliseconds")
    assert found == command
    assert found["published"]["checked"] == 1


def test_sets_are_named(tmp_path: Path) -> None:
    phil.write_graph(tmp_path / "map.png", [[True] * 9] * 9)
    scores = phil.evaluate(tmp_path / "map.png", "bfs")
    assert (scores.set_name, scores.split) == (str(tmp_path / "map.png"), "test")
    assert json.loads(scores.to_json())["methods"][0]["problems"] == 100


def test_it_is_a_pandas_table(scores: Evaluation) -> None:
    pytest.importorskip("pandas")
    table = scores.to_pandas()
    assert len(table) == 18
    assert list(table["problem"][:2]) == ["to 0", "to 1"]
    means = table.groupby("method")["expansions"].mean()
    assert means["bfs"] == scores[0].expansions.mean


def test_without_pandas_it_says_how_to_get_it(
    scores: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = builtins.__import__

    def refusing(name: str, *given: Any, **named: Any) -> Any:
        if name == "pandas":
            raise ModuleNotFoundError(name)
        return usual(name, *given, **named)

    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    monkeypatch.setattr(builtins, "__import__", refusing)
    with pytest.raises(phil.InputError, match="pip install pandas"):
        scores.to_pandas()


def test_it_is_drawn(scores: Evaluation) -> None:
    figure = scores.plot()
    assert isinstance(figure, Picture)
    [axes] = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bfs", "zero"]
    means = [np.asarray(line.get_xdata())[0] for line in axes.lines]
    assert means == [score.expansions.mean for score in scores]
    assert figure._repr_png_().startswith(PNG)
    unsolved = phil.evaluate(scores.problems, "bfs", limits=phil.Limits(expansions=1))
    assert not unsolved.plot().axes[0].lines

"""Advice in words."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from phil.evaluation.advice.measure import Measured, Preparation
from phil.evaluation.advice.report import advice_json, said_of_learned, verdict
from phil.evaluation.timing import Cost
from tests.evaluation.advice.measured import ASTAR, GREEDY, advice, measured


def test_no_problem_has_a_path() -> None:
    text = verdict(advice(unsolvable=7))
    assert text.startswith("No advice: none of the 7 problems has a path from start to goal")


def test_too_few_problems_are_said_to_be_too_few() -> None:
    few = verdict(advice(measured("bfs", 10, 20, promise=1.0, problems=3)))
    assert few.startswith("Too few problems (3) for a reliable answer")
    assert "Too few" not in verdict(advice(ASTAR))
    for count, too_few in ((9, True), (10, False)):
        told = verdict(advice(measured("bfs", 10, 20, promise=1.0, problems=count)))
        assert told.startswith("Too few") == too_few


def test_a_line_for_everything() -> None:
    assert verdict(advice(ASTAR, GREEDY, fewest=25, unsolvable=4, graphs=3)).splitlines() == [
        "If any path will do, use greedy(euclidean), the fastest method (50.0 µs per query). On "
        "average its paths cost 1.25 times the optimum.",
        "For optimal paths, use astar(octile), the fastest method that guarantees them (300 µs per "
        "query).",
        "A learned heuristic could save up to 75% of the expansions: greedy(euclidean) expands the "
        "fewest nodes (100), and the shortest paths have 25. To find out, measure one with "
        "--train, or with -m and its file.",
        "Measured on 20 problems on 3 graphs (4 more have no path), in memory, on one core: "
        "medians of 3 repeats, which are imprecise on a busy machine.",
    ]


def test_how_it_was_measured() -> None:
    assert (
        verdict(advice(ASTAR, GREEDY))
        .splitlines()[-1]
        .startswith(
            "Measured on 20 problems on one graph, in memory, on one core: medians of 3 repeats"
        )
    )


def test_one_method_for_all() -> None:
    text = verdict(advice(ASTAR, measured("greedy", 400, 2000)))
    assert text.startswith(
        "Use astar(octile), the fastest method (300 µs per query). Its paths are optimal.\n"
    )
    assert text.lower().count("use ") == 1


def test_none_promises_a_path_of_least_cost() -> None:
    text = verdict(advice(GREEDY))
    assert "1.25 times the optimum" in text
    assert text.count("use ") == 1


def test_nearly_the_fastest() -> None:
    text = verdict(advice(GREEDY, measured("better", 55, 100, promise=1.5)))
    assert text.startswith(
        "If any path will do, use better, nearly the fastest method (55.0 µs per query; "
        "greedy(euclidean) takes 50.0 µs). On"
    )


def test_the_cost_of_a_call_chooses() -> None:
    lean = measured("lean", 2000, 20, learned=True)
    assert verdict(advice(GREEDY, lean)).startswith("If any path will do, use greedy(euclidean), ")
    text = verdict(advice(GREEDY, lean, call=100e-6))
    assert text.startswith(
        "At 100 µs per call, if any path will do, use lean, the fastest method (4.00 ms per"
    )


def test_preparation_is_told_once_or_counted() -> None:
    once = Preparation(0.012, 500)
    astar = measured("astar(landmarks)", 20, 10, promise=1.0, preparation=once)
    greedy = measured("greedy(landmarks)", 10, 10, preparation=once)
    told = "Before the first query on a graph, greedy(landmarks) and astar(landmarks) must process"
    text = verdict(advice(astar, greedy))
    assert f"{told} all of it (12.0 ms); the times above do not include that.\n" in text
    assert "all of it (62.0 ms)" in verdict(advice(astar, greedy, call=1e-4))
    shared = measured("greedy(landmarks)", 10, 10, preparation=once, share=Cost(0.006, 250))
    text = verdict(advice(shared, graphs=10))
    assert "greedy(landmarks), the fastest method (6.01 ms per query)" in text
    assert "(12.0 ms); the times above include that.\n" in text


LANDMARKS = measured("greedy(landmarks)", 20, 11, preparation=Preparation(0.1, 500))


def said(*methods: Measured, fewest: float = 10.0, call: float = 0) -> list[str]:
    return list(said_of_learned(advice(*methods, fewest=fewest, call=call)))


def test_what_there_is_to_save() -> None:
    [much] = said(ASTAR, GREEDY, fewest=25)
    assert much.startswith("A learned heuristic could save up to 75% of the expansions")
    [little] = said(ASTAR, GREEDY, fewest=95)
    assert little == (
        "A learned heuristic does not pay here; there is little to save: greedy(euclidean) expands "
        "the fewest nodes (100), and the shortest paths have 95."
    )


@pytest.mark.parametrize(("fewest", "little"), [(84.0, True), (83.0, False)])  # 100 / 1.2 = 83.3
def test_a_fifth_is_little(fewest: float, little: bool) -> None:
    [text] = said(ASTAR, GREEDY, fewest=fewest)
    assert ("there is little to save" in text) == little
    prepared = measured("prepared", 20, fewest, preparation=Preparation(0.1, 500))
    [other] = said(GREEDY, prepared, fewest=10)
    assert ("on a graph that is not known in full, greedy(euclidean)" in other) == (not little)


def test_what_there_is_to_save_without_knowing_the_graph() -> None:
    [text] = said(ASTAR, GREEDY, LANDMARKS)
    assert text == (
        "A learned heuristic does not pay here if the graph is known in full; there is little to "
        "save: greedy(landmarks) expands the fewest nodes (11; on a graph that is not known in "
        "full, greedy(euclidean) with 100), and the shortest paths have 10."
    )


def test_some_rivals_must_know_the_graph() -> None:
    learned = measured("learned", 130, 20, learned=True)
    head, text = said(GREEDY, LANDMARKS, learned)
    assert head == "A learned heuristic does not pay here if the graph is known in full."
    assert text.startswith("learned does not pay: greedy(landmarks) is faster (20.0 µs against")
    assert text.endswith(
        " On a graph that is not known in full, it pays if finding the neighbours of a node takes "
        "more than 1.00 µs (95 % interval 1.00 µs to 1.00 µs)."
    )
    also = measured("also", 130, 20, learned=True, preparation=LANDMARKS.preparation)
    assert "On a graph" not in " ".join(said(GREEDY, LANDMARKS, also))
    hopeless = measured("hopeless", 130, 200, learned=True)
    assert "in full" not in " ".join(said(GREEDY, LANDMARKS, hopeless))


def test_it_pays_from_a_cost_on() -> None:
    [text] = said(ASTAR, GREEDY, measured("learned", 130, 20, learned=True))
    assert text == (
        "learned does not pay in memory, but where finding the neighbours of a node takes more "
        "than 1.00 µs (95 % interval 1.00 µs to 1.00 µs), as collision checks and database queries "
        "usually do: there it is faster than all classical searches."
    )
    [dear] = said(GREEDY, measured("learned", 8050, 20, learned=True))
    assert "more than 100 µs" in dear
    assert "collision" not in dear


def test_the_same_at_a_cost() -> None:
    learned = measured("learned", 8050, 20, learned=True)
    [below] = said(GREEDY, learned, call=50e-6)
    assert below.startswith("learned does not pay at 50.0 µs per call, but where finding")
    [above] = said(GREEDY, learned, call=200e-6)
    assert above == (
        "learned pays at 200 µs per call: it is faster than all classical searches; it "
        "breaks even at 100 µs per call (95 % interval 100 µs to 100 µs)."
    )


def test_it_pays_in_memory() -> None:
    [text] = said(GREEDY, measured("learned", 40, 20, learned=True))
    assert text == "learned pays in memory: it is faster than all classical searches."


def test_it_pays_up_to_a_cost() -> None:
    learned = measured("learned", 40, 110, learned=True)
    [below] = said(GREEDY, learned)
    assert below.startswith("learned pays in memory: ")
    assert below.endswith("; above 1.00 µs per call it is not.")
    [above] = said(GREEDY, learned, call=5e-6)
    assert (
        "does not pay at 5.00 µs per call, but where finding the neighbours of a node takes less"
        in above
    )
    [between] = said(GREEDY, measured("lean", 1000, 10), measured("learned", 130, 20, learned=True))
    assert "takes more than 1.00 µs" in between
    assert "and less than 87.0 µs: there" in between


@pytest.mark.parametrize(
    ("learned", "reason"),
    [
        (
            measured("learned", 60, 100, learned=True),
            "greedy(euclidean) is faster (50.0 µs against 60.0 µs) and makes no more calls "
            "(100 against 100).",
        ),
        (
            measured("learned", 60, 200, learned=True, expansions=20),
            "greedy(euclidean) is faster (50.0 µs against 60.0 µs) and makes no more calls "
            "(100 against 200). Without look-ahead, so that only the nodes it "
            "expands cost anything, it would pay above 0.125 µs per call: train with --set "
            "neighbors=0 --set walls=false.",
        ),
        (
            measured("learned", 260, 60, learned=True),
            "whatever a call costs, some classical search is faster.",
        ),
    ],
)
def test_it_never_pays(learned: Measured, reason: str) -> None:
    lines = said(GREEDY, measured("lean", 300, 50), learned)
    assert lines == ["A learned heuristic does not pay here.", f"learned does not pay: {reason}"]


def test_one_of_two_pays() -> None:
    never, pays = (
        measured("never", 60, 100, learned=True),
        measured("pays", 40, 20, learned=True),
    )
    lines = said(GREEDY, never, pays)
    assert [line.split(":")[0] for line in lines] == ["never does not pay", "pays pays in memory"]


def test_only_methods_that_promise_as_much_are_rivals() -> None:
    bounded = measured("bounded(learned, 1.5)", 200, 20, learned=True, promise=1.5)
    assert said(ASTAR, GREEDY, bounded) == [
        "bounded(learned, 1.5) pays in memory: it is faster than all classical searches that "
        "guarantee paths of at most 1.5 times the optimal cost."
    ]


def test_what_is_unsure_is_said_so() -> None:
    often_slower = measured("learned", 0, 20, learned=True)
    often_slower.seconds[:] = np.resize([10e-6, 80e-6], often_slower.seconds.size)
    [text] = said(GREEDY, often_slower)
    assert "pays in memory" in text
    assert ", though not with certainty; it breaks even at 0 µs per call (95 % inter" in text
    often_more_calls = measured("learned", 60, 0, learned=True)
    often_more_calls.calls[:] = np.resize([20.0, 175.0], often_more_calls.calls.size)
    assert " to never)" in said(GREEDY, often_more_calls)[0]


def test_the_json_holds_all_that_was_measured() -> None:
    learned = measured("learned", 130, 20, learned=True, expansions=10)
    once = measured(
        "once", 200, 300, promise=1.5, ratio=1.1,
        preparation=Preparation(0.012, 500), share=Cost(0.006, 250),
    )  # fmt: skip
    holed = replace(GREEDY, cost_ratios=np.where(np.arange(20) < 5, np.nan, 1.25))
    told = advice(holed, learned, once, fewest=7.5, unsolvable=4, graphs=3, call=2e-6)
    document = advice_json(told)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    methods, pays = document.pop("methods"), document.pop("pays")
    assert document == {
        "problems": 20,
        "unsolvable": 4,
        "graphs": 3,
        "fewest_expansions": 7.5,
        "expansion_cost_us": 2.0,
        "use": {"any_path": "learned", "least_cost": None},
        "verdict": verdict(told),
    }
    greedy, _, prepared = methods
    low, high = greedy.pop("query_us_interval")
    assert 45 < low < 50 < high < 55
    for statistic, mean in (("expansions", 100), ("calls", 100), ("query_us", 50)):
        assert greedy.pop(statistic) == pytest.approx(
            {"mean": mean, "median": mean, "p95": 1.09 * mean}
        )
    assert greedy == {
        "method": "greedy(euclidean)",
        "learned": False,
        "promise": None,
        "solved": 20,
        "cost_ratio": {"mean": 1.25, "median": 1.25, "p95": 1.25},
        "expansion_us": pytest.approx(0.5),
        "preparation_us": 0.0,
        "preparation_us_per_query": 0.0,
    }
    assert (prepared["promise"], prepared["preparation_us"]) == (1.5, pytest.approx(12_000))
    assert prepared["preparation_us_per_query"] == pytest.approx(6_000)
    [found] = pays
    assert found == {
        "method": "learned",
        "above_us": pytest.approx(1.0),
        "below_us": None,
        "above_us_interval": pytest.approx([1.0, 1.0]),
        "above_us_without_looking_ahead": pytest.approx(80 / 90),
        "on_unknown_graphs": found["on_unknown_graphs"],
    }
    assert found["on_unknown_graphs"]["above_us"] == pytest.approx(1.0)
    assert found["on_unknown_graphs"]["on_unknown_graphs"] is None

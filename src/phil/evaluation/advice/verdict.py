"""What was measured, in plain words, and no more than that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from phil.evaluation.advice.advise import ANY_PATH, LEAST_COST, Advice
from phil.evaluation.advice.choose import Choice
from phil.evaluation.advice.learned import said_of_learned
from phil.evaluation.advice.measure import ROUNDS, Measured
from phil.evaluation.time_text import MICRO, time_text

FEWEST = 10  # problems: with fewer nothing is sure


def verdict(advice: Advice) -> str:
    """A line for everything that follows."""
    return "\n".join(_lines(advice))


def _lines(advice: Advice) -> Iterator[str]:
    if not advice.measured:
        yield (
            f"No advice: none of the {advice.unsolvable} problems has a path from start to goal; "
            "try other starts and goals, such as --pairs random."
        )
        return
    if advice.problems < FEWEST:
        yield (
            f"Too few problems ({advice.problems}) to be sure (draw more with --pairs random "
            "--count 500); as far as they go:"
        )
    yield from _recommended(advice)
    yield from said_of_learned(advice)
    yield _how_it_was_measured(advice)


def _recommended(advice: Advice) -> Iterator[str]:
    use = f"At {time_text(MICRO * advice.call)} an expansion use" if advice.call else "Use"
    fastest, cheapest = advice.choice(ANY_PATH), advice.choice(LEAST_COST)
    assert fastest is not None, "something was measured"
    chosen = [fastest.best]
    if cheapest is not None and cheapest.best is fastest.best:
        yield f"{use} {_told(fastest, advice, 'measured')}. Its paths cost the least."
    else:
        ratio = np.nanmean(fastest.best.cost_ratios)
        yield (
            f"{use} {_told(fastest, advice, 'measured')}, if any path will do: its paths cost "
            f"{ratio:.2f} times the least on average."
        )
        if cheapest is not None:
            chosen.append(cheapest.best)
            yield f"{use} {_told(cheapest, advice, 'for paths of least cost')}."
    prepared = [method for method in chosen if method.preparation.nodes]
    if prepared:
        yield _preparation(prepared, advice.call)


def _told(choice: Choice, advice: Advice, among: str) -> str:
    best, fastest = choice.best, choice.fastest
    took, least = (time_text(MICRO * each.cost.at(advice.call)) for each in (best, fastest))
    if best is fastest:
        return f"{best.method}, the fastest {among} ({took} a query)"
    return f"{best.method}, nearly the fastest {among} ({took} a query, {fastest.method} {least})"


def _preparation(methods: Sequence[Measured], call: float) -> str:
    names = " and ".join(method.method for method in methods)
    needed = max(each.preparation.seconds + call * each.preparation.nodes for each in methods)
    counted = any(method.share.calls for method in methods)
    return (
        f"Before its first query on a graph {names} must see all of it ({time_text(MICRO * needed)}"
        f"); that is {'' if counted else 'not '}in the times."
    )


def _how_it_was_measured(advice: Advice) -> str:
    graphs = "one graph" if advice.graphs == 1 else f"{advice.graphs} graphs"
    unsolvable = f" ({advice.unsolvable} more have no path)" if advice.unsolvable else ""
    return (
        f"Measured on {advice.problems} problems on {graphs}{unsolvable}, in memory, on one core: "
        f"medians of {ROUNDS} repeats, rough on a busy machine."
    )

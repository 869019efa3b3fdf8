"""What was measured, in plain words, and no more than that."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite

import numpy as np

from phil.evaluation.advice.advise import ANY_PATH, LEAST_COST, Advice
from phil.evaluation.advice.choose import Choice
from phil.evaluation.advice.measure import ROUNDS, Measured
from phil.evaluation.advice.pays import Pays, rivals

FEWEST = 10  # problems: with fewer nothing is sure
LITTLE = 1.2  # times the fewest expansions that there can be: nothing worth learning is left
COLLISION_CHECK = 10e-6  # seconds


def verdict(advice: Advice) -> str:
    """One paragraph."""
    return " ".join(_sentences(advice))


def microseconds(seconds: float) -> str:
    """A time with two or three digits that count.

    >>> microseconds(3.14e-6), microseconds(0.0123), microseconds(0.0)
    ('3.14 microseconds', '12,300 microseconds', '0 microseconds')
    """
    number = 1e6 * seconds
    return f"{number:,.0f} microseconds" if number >= 1000 else f"{number:.3g} microseconds"


def _sentences(advice: Advice) -> Iterator[str]:
    if not advice.measured:
        yield (
            f"No advice: none of the {advice.unsolvable} problems has a path from start to goal; "
            "try other starts and goals, such as --pairs random."
        )
        return
    if advice.problems < FEWEST:
        yield f"Too few problems ({advice.problems}) to be sure; as far as they go:"
    yield from _recommended(advice)
    if advice.pays:
        for found in advice.pays:
            yield _pays(found, advice)
    else:
        yield _what_is_to_be_gained(advice)
    yield _how_it_was_measured(advice)


def _recommended(advice: Advice) -> Iterator[str]:
    where = (
        f"Where expanding a node costs {microseconds(advice.call)}, use"
        if advice.call
        else "On a graph in memory, use"
    )
    fastest, cheapest = advice.choice(ANY_PATH), advice.choice(LEAST_COST)
    assert fastest is not None, "something was measured"
    best = fastest.best
    if cheapest is not None and cheapest.best is best:
        yield f"{where} {_told(fastest, advice)}: nothing is faster, and its paths cost the least."
    else:
        yield (
            f"{where} {_told(fastest, advice)} if any path will do (its paths cost "
            f"{np.nanmean(best.cost_ratios):.3f} times the least on average)"
            + (f", and {_told(cheapest, advice)} for paths of least cost." if cheapest else ".")
        )
    for choice in (fastest, cheapest):
        if choice is not None and choice.best.preparation.nodes:
            yield _preparation(choice.best)
            break


def _told(choice: Choice, advice: Advice) -> str:
    total = microseconds(float(choice.best.totals(advice.call).mean()))
    close = f"; {choice.close.method} is about as fast" if choice.close else ""
    return f"{choice.best.method} ({total} a query{close})"


def _preparation(method: Measured) -> str:
    took = f"{1e3 * method.preparation.seconds:,.3g} ms"
    if method.share.calls:
        return (
            f"{method.method} first looks at every node of a graph ({took}); since there are "
            "several graphs, that is counted in its times."
        )
    return (
        f"{method.method} first looks at every node of the graph, once ({took}); that is not in "
        "its times."
    )


def _pays(found: Pays, advice: Advice) -> str:
    method = next(each for each in advice.measured if each.method == found.method)
    others = (
        "every classical search measured"
        if method.promise == ANY_PATH
        else f"every classical search measured that promises paths of {method.promise:g} times the "
        "least cost or better"
    )
    if not isfinite(found.low):
        return f"{found.method} does not pay here: {_why_not(method, found, advice)}."
    if found.low == 0:
        text = f"{found.method} pays here even in memory: it is faster than {others}"
        if found.likely[1] > 0:
            text += f", though not surely: {_spread(found)}"
        at_most = "where expanding a node costs up to"
    else:
        text = (
            f"{found.method} is faster than {others} where expanding a node costs more than "
            f"{microseconds(found.low)} ({_spread(found)})"
        )
        at_most = "but no more than"
        if found.low <= COLLISION_CHECK and found.high == inf:
            text += ", as a collision check or a query of a database usually does"
    if isfinite(found.high):
        text += f", {at_most} {microseconds(found.high)}"
    return text + "."


def _why_not(method: Measured, found: Pays, advice: Advice) -> str:
    cost = method.cost
    against = [(other.method, other.cost) for other in rivals(method, advice.measured)]
    better = [name for name, c in against if c.calls <= cost.calls and c.seconds <= cost.seconds]
    if better:
        reason = f"{better[0]} takes less time and asks for the neighbours of no more nodes"
    else:
        reason = "at any cost of an expansion some classical search is faster"
    if isfinite(found.low_without_looking_ahead):
        reason += (
            "; it would, if the neighbours of nodes that it does not expand were free to look at, "
            f"from {microseconds(found.low_without_looking_ahead)} an expansion on"
        )
    return reason


def _spread(found: Pays) -> str:
    low, high = found.likely
    least = microseconds(low) if isfinite(low) else "nowhere"
    most = microseconds(high) if isfinite(high) else "nowhere"
    return f"with other problems of the kind from {least} to {most}"


def _what_is_to_be_gained(advice: Advice) -> str:
    leanest = min(advice.measured, key=lambda each: float(each.expansions.mean()))
    expanded = float(leanest.expansions.mean())
    limit = (
        f"the leanest classical search, {leanest.method}, expands {expanded:,.0f} nodes, and the "
        f"paths themselves have {advice.fewest:,.0f}"
    )
    if expanded <= LITTLE * advice.fewest:
        return f"A learned heuristic has next to nothing to gain here: {limit}."
    saved = 1 - advice.fewest / expanded
    return (
        f"No learned heuristic was measured; one could save up to {saved:.0%} of the expansions: "
        f"{limit}. Measure one with --train, or with -m and its file."
    )


def _how_it_was_measured(advice: Advice) -> str:
    graphs = "one graph" if advice.graphs == 1 else f"{advice.graphs} graphs"
    unsolvable = f", {advice.unsolvable} more have no path" if advice.unsolvable else ""
    return (
        f"({advice.problems} problems on {graphs}{unsolvable}; times are medians of {ROUNDS} "
        "repeats on one core, and rough on a busy machine.)"
    )

"""Advice in plain words, no more than was measured, and as JSON.

In the JSON a number that does not exist, such as a cost where nothing pays, is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import inf, isfinite
from typing import Any

import numpy as np

from phil.evaluation.advice.decide import ANY_PATH, LEAST_COST, Advice, Choice, Pays, rivals
from phil.evaluation.advice.measure import ROUNDS, Measured
from phil.evaluation.statistics import bootstrap_interval, summarize
from phil.evaluation.timing import MICRO, time_text

FEWEST = 10  # problems: with fewer nothing is sure
LITTLE = 1.2  # times the fewest expansions that there can be: nothing worth learning is left
COLLISION_CHECK = 10e-6  # seconds
KNOWN = ", if the graph is known whole"


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


def said_of_learned(advice: Advice) -> Iterator[str]:
    """A line for each learned method; if there is none, one on what it could save."""
    if not advice.pays:
        yield _what_is_to_be_gained(advice)
    elif all(found.low == inf for found in advice.pays):
        somewhere = any(found.unknown and found.unknown.low < inf for found in advice.pays)
        yield f"A learned heuristic does not pay here{KNOWN if somewhere else ''}:"
    for found in advice.pays:
        method = next(each for each in advice.measured if each.method == found.method)
        if found.low == inf:
            text = f"{found.method} does not pay: {_why_not(method, found, advice)}."
        elif found.low <= advice.call < found.high:
            text = _pays(method, found, advice.call)
        else:
            text = _pays_elsewhere(method, found, advice.call)
        yield text + (_on_unknown(found.unknown) if found.unknown else "")


def _pays(method: Measured, found: Pays, call: float) -> str:
    text = f"{found.method} pays {_at(call)}: it is faster than {_rivals(method)}"
    if found.likely[1] > call:
        text += ", though not surely"
    if found.low > 0 or found.likely[1] > 0:
        text += f"; its break-even is {_time(found.low)} an expansion ({_spread(found)})"
    if isfinite(found.high):
        text += f"; above {_time(found.high)} an expansion it is not"
    return text + "."


def _pays_elsewhere(method: Measured, found: Pays, call: float) -> str:
    perhaps = "perhaps " if found.likely[1] == inf else ""
    text = (
        f"{found.method} does not pay {_at(call)}, but {perhaps}where expanding a node costs "
        f"{' and '.join(_limits(found))}"
    )
    if found.likely[1] <= COLLISION_CHECK and found.high == inf:
        text += ", as a collision check or a query of a database usually does"
    return f"{text}: there it is faster than {_rivals(method)}."


def _why_not(method: Measured, found: Pays, advice: Advice) -> str:
    ours = method.cost
    for other in rivals(method, advice.measured):
        theirs = other.cost
        if theirs.calls <= ours.calls and theirs.seconds <= ours.seconds:
            reason = (
                f"{other.method} is faster ({_time(theirs.seconds)} against {_time(ours.seconds)}) "
                f"and asks for the neighbours of no more nodes ({theirs.calls:,.0f} against "
                f"{ours.calls:,.0f})"
            )
            break
    else:
        reason = "at any cost of an expansion some classical search is faster"
    if isfinite(found.low_without_looking_ahead):
        reason += (
            f". If only nodes that it expands cost something, it pays from "
            f"{_time(found.low_without_looking_ahead)} an expansion on: to look at no others, "
            "train with --set neighbors=0 --set walls=false"
        )
    return reason


def _on_unknown(found: Pays) -> str:
    if found.low == inf:
        return ""
    limits = " and ".join(_limits(found)) or "anything"
    return f" Where the graph is not known whole, it pays if expanding a node costs {limits}."


def _limits(found: Pays) -> list[str]:
    limits = []
    if found.low > 0:
        limits.append(f"more than {_time(found.low)} ({_spread(found)})")
    if isfinite(found.high):
        limits.append(f"less than {_time(found.high)}")
    return limits


def _rivals(method: Measured) -> str:
    if isfinite(method.promise):
        return (
            f"all classical searches with paths of at most {method.promise:g} times the least cost"
        )
    return "all classical searches"


def _at(call: float) -> str:
    return f"at {_time(call)} an expansion" if call else "in memory"


def _time(seconds: float) -> str:
    return time_text(MICRO * seconds)


def _spread(found: Pays) -> str:
    low, high = (_time(bound) if isfinite(bound) else "never" for bound in found.likely)
    return f"95 % interval {low} to {high}"


def _what_is_to_be_gained(advice: Advice) -> str:
    leanest, expanded = _leanest(advice.measured)
    unprepared = [each for each in advice.measured if not each.preparation.nodes]
    without, more = _leanest(unprepared or advice.measured)
    other = (
        ""
        if more <= LITTLE * expanded
        else f" ({without.method} {more:,.0f}, where the graph is not known whole)"
    )
    limit = (
        f"{leanest.method} expands {expanded:,.0f} nodes, the fewest measured{other}, and the "
        f"shortest paths have {advice.fewest:,.0f}"
    )
    if expanded <= LITTLE * advice.fewest:
        known = KNOWN if more > LITTLE * advice.fewest else ""
        return f"A learned heuristic does not pay here{known}, for little is left to save: {limit}."
    saved = 1 - advice.fewest / expanded
    return (
        f"A learned heuristic could save up to {saved:.0%} of the expansions: {limit}. To know, "
        "measure one with --train, or with -m and its file."
    )


def _leanest(methods: Sequence[Measured]) -> tuple[Measured, float]:
    leanest = min(methods, key=lambda each: float(each.expansions.mean()))
    return leanest, float(leanest.expansions.mean())


def advice_json(advice: Advice) -> dict[str, Any]:
    """All that was measured, and what follows."""
    choices = {"any_path": ANY_PATH, "least_cost": LEAST_COST}
    found = {name: advice.choice(promise) for name, promise in choices.items()}
    return {
        "problems": advice.problems,
        "unsolvable": advice.unsolvable,
        "graphs": advice.graphs,
        "fewest_expansions": advice.fewest,
        "expansion_cost_us": MICRO * advice.call,
        "methods": [_method_json(each) for each in advice.measured],
        "pays": [_pays_json(each) for each in advice.pays],
        "use": {name: choice and choice.best.method for name, choice in found.items()},
        "verdict": verdict(advice),
    }


def _method_json(measured: Measured) -> dict[str, Any]:
    ratios = measured.cost_ratios[np.isfinite(measured.cost_ratios)]
    return {
        "method": measured.method,
        "learned": measured.learned,
        "promise": _finite(measured.promise),
        "solved": measured.seconds.size,
        "expansions": asdict(summarize(measured.expansions.tolist())),
        "calls": asdict(summarize(measured.calls.tolist())),
        "cost_ratio": asdict(summarize(ratios.tolist())),
        "query_us": asdict(summarize((MICRO * measured.seconds).tolist())),
        "query_us_interval": list(bootstrap_interval((MICRO * measured.seconds).tolist())),
        "expansion_us": MICRO * _per_expansion(measured),
        "preparation_us": MICRO * measured.preparation.seconds,
        "preparation_us_per_query": MICRO * measured.share.seconds,
    }


def _per_expansion(measured: Measured) -> float:
    """Seconds of all queries over their expansions."""
    return float(measured.seconds.sum() / measured.expansions.sum())


def _pays_json(found: Pays) -> dict[str, Any]:
    return {
        "method": found.method,
        "above_us": _finite(MICRO * found.low),
        "below_us": _finite(MICRO * found.high),
        "above_us_interval": [_finite(MICRO * bound) for bound in found.likely],
        "above_us_without_looking_ahead": _finite(MICRO * found.low_without_looking_ahead),
        "on_unknown_graphs": found.unknown and _pays_json(found.unknown),
    }


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None

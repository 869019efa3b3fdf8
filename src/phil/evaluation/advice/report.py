"""Advice in plain words that claim no more than was measured, and as JSON.

In the JSON, a number that does not exist, such as a break-even cost that is never reached, is null.
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

FEWEST = 10  # problems: results on fewer are uncertain
LITTLE = 1.2  # times the fewest possible expansions: nothing worth learning is left
COLLISION_CHECK = 10e-6  # seconds
KNOWN = " if the graph is known in full"


def verdict(advice: Advice) -> str:
    """One line per conclusion."""
    return "\n".join(_lines(advice))


def _lines(advice: Advice) -> Iterator[str]:
    if not advice.measured:
        yield (
            f"No advice: none of the {advice.unsolvable} problems has a path from start to goal. "
            "Try other starts and goals, for example --pairs random."
        )
        return
    if advice.problems < FEWEST:
        yield (
            f"Too few problems ({advice.problems}) for a reliable answer; draw more with --pairs "
            "random --count 500. What these show:"
        )
    yield from _recommended(advice)
    yield from said_of_learned(advice)
    yield _how_it_was_measured(advice)


def _recommended(advice: Advice) -> Iterator[str]:
    at = f"At {_time(advice.call)} per call, " if advice.call else ""
    fastest, cheapest = advice.choice(ANY_PATH), advice.choice(LEAST_COST)
    assert fastest is not None, "something was measured"
    chosen = [fastest.best]
    if cheapest is not None and cheapest.best is fastest.best:
        yield _sentence(f"{at}use {_told(fastest, advice, 'method')}. Its paths are optimal.")
    else:
        ratio = np.nanmean(fastest.best.cost_ratios)
        yield _sentence(
            f"{at}if any path will do, use {_told(fastest, advice, 'method')}. On average its "
            f"paths cost {ratio:.2f} times the optimum."
        )
        if cheapest is not None:
            chosen.append(cheapest.best)
            optimal = _told(cheapest, advice, "method that guarantees them")
            yield _sentence(f"{at}for optimal paths, use {optimal}.")
    prepared = [method for method in chosen if method.preparation.nodes]
    if prepared:
        yield _preparation(prepared, advice.call)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _told(choice: Choice, advice: Advice, among: str) -> str:
    best, fastest = choice.best, choice.fastest
    took, least = (_time(each.cost.at(advice.call)) for each in (best, fastest))
    if best is fastest:
        return f"{best.method}, the fastest {among} ({took} per query)"
    return (
        f"{best.method}, nearly the fastest {among} ({took} per query; {fastest.method} takes "
        f"{least})"
    )


def _preparation(methods: Sequence[Measured], call: float) -> str:
    names = " and ".join(method.method for method in methods)
    needed = max(each.preparation.seconds + call * each.preparation.nodes for each in methods)
    counted = any(method.share.calls for method in methods)
    return (
        f"Before the first query on a graph, {names} must process all of it ({_time(needed)}); the "
        f"times above {'' if counted else 'do not '}include that."
    )


def _how_it_was_measured(advice: Advice) -> str:
    graphs = "one graph" if advice.graphs == 1 else f"{advice.graphs} graphs"
    unsolvable = f" ({advice.unsolvable} more have no path)" if advice.unsolvable else ""
    return (
        f"Measured on {advice.problems} problems on {graphs}{unsolvable}, in memory, on one core: "
        f"medians of {ROUNDS} repeats, which are imprecise on a busy machine."
    )


def said_of_learned(advice: Advice) -> Iterator[str]:
    """A line for each learned method; without one, a line on what it could save."""
    if not advice.pays:
        yield _what_is_to_be_gained(advice)
    elif all(found.low == inf for found in advice.pays):
        somewhere = any(found.unknown and found.unknown.low < inf for found in advice.pays)
        yield f"A learned heuristic does not pay here{KNOWN if somewhere else ''}."
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
        text += ", though not with certainty"
    if found.low > 0 or found.likely[1] > 0:
        text += f"; it breaks even at {_time(found.low)} per call ({_spread(found)})"
    if isfinite(found.high):
        text += f"; above {_time(found.high)} per call it is not"
    return text + "."


def _pays_elsewhere(method: Measured, found: Pays, call: float) -> str:
    perhaps = "perhaps " if found.likely[1] == inf else ""
    text = (
        f"{found.method} does not pay {_at(call)}, but {perhaps}where finding the "
        f"neighbours of a node takes {' and '.join(_limits(found))}"
    )
    if found.likely[1] <= COLLISION_CHECK and found.high == inf:
        text += ", as collision checks and database queries usually do"
    return f"{text}: there it is faster than {_rivals(method)}."


def _why_not(method: Measured, found: Pays, advice: Advice) -> str:
    ours = method.cost
    for other in rivals(method, advice.measured):
        theirs = other.cost
        if theirs.calls <= ours.calls and theirs.seconds <= ours.seconds:
            reason = (
                f"{other.method} is faster ({_time(theirs.seconds)} against {_time(ours.seconds)}) "
                f"and makes no more calls ({theirs.calls:,.0f} against {ours.calls:,.0f})"
            )
            break
    else:
        reason = "whatever a call costs, some classical search is faster"
    if isfinite(found.low_without_looking_ahead):
        reason += (
            ". Without look-ahead, so that only the nodes it expands cost anything, it would pay "
            f"above {_time(found.low_without_looking_ahead)} per call: train with --set "
            "neighbors=0 --set walls=false"
        )
    return reason


def _on_unknown(found: Pays) -> str:
    if found.low == inf:
        return ""
    limits = " and ".join(_limits(found)) or "any time"
    return (
        " On a graph that is not known in full, it pays if finding the neighbours of a node takes "
        f"{limits}."
    )


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
            "all classical searches that guarantee paths of at most "
            f"{method.promise:g} times the optimal cost"
        )
    return "all classical searches"


def _at(call: float) -> str:
    return f"at {_time(call)} per call" if call else "in memory"


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
        else f"; on a graph that is not known in full, {without.method} with {more:,.0f}"
    )
    limit = (
        f"{leanest.method} expands the fewest nodes ({expanded:,.0f}{other}), and the "
        f"shortest paths have {advice.fewest:,.0f}"
    )
    if expanded <= LITTLE * advice.fewest:
        known = KNOWN if more > LITTLE * advice.fewest else ""
        return f"A learned heuristic does not pay here{known}; there is little to save: {limit}."
    saved = 1 - advice.fewest / expanded
    return (
        f"A learned heuristic could save up to {saved:.0%} of the expansions: {limit}. To find "
        "out, measure one with --train, or with -m and its file."
    )


def _leanest(methods: Sequence[Measured]) -> tuple[Measured, float]:
    leanest = min(methods, key=lambda each: float(each.expansions.mean()))
    return leanest, float(leanest.expansions.mean())


def advice_json(advice: Advice) -> dict[str, Any]:
    """All measurements and conclusions as a JSON document."""
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
    """Seconds per expansion over all queries."""
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

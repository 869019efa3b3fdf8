"""Whether a learned heuristic pays, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isfinite

from phil.evaluation.advice.advise import Advice
from phil.evaluation.advice.measure import Measured
from phil.evaluation.advice.pays import Pays, rivals
from phil.evaluation.time_text import MICRO, time_text

LITTLE = 1.2  # times the fewest expansions that there can be: nothing worth learning is left
COLLISION_CHECK = 10e-6  # seconds
KNOWN = ", if the graph is known whole"


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

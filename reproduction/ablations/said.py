"""What some studies show, in a sentence made of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import mean
from typing import Any

from reproduction.ablations.astar import OVERESTIMATED, PATH_COST
from reproduction.ablations.order import BETWEEN_ORDERS
from reproduction.ablations.studies import ASTAR_BY_WEIGHT, BY_ORDER, Variant
from reproduction.markup import percent

Families = Mapping[str, Mapping[str, Any]]


def orders(families: Families) -> str:
    """How much random orders change, with a memory and without; empty if they were not run."""
    plain = [
        deviation
        for line in BY_ORDER.values()
        for _, deviation in _figures(families, line["random"], BETWEEN_ORDERS)
    ]
    whole = {
        line: _figures(families, labels["whole moves, random"], BETWEEN_ORDERS)
        for line, labels in BY_ORDER.items()
    }
    said = [
        f"{line} by {_listed(f'{percent(deviation)} on {family}' for family, deviation in found)}"
        for line, figures in whole.items()
        if (found := [*figures])
    ]
    if not (plain and said):
        return ""
    return (
        f"In random orders, expansions deviate by at most {percent(max(plain))} with the values as "
        f"they are; with values rounded to whole moves, {_listed(said)}."
    )


def overestimates(families: Families) -> str:
    """What the weight changes for A*, from the least to the largest; empty if not run."""
    least, *_, most = ASTAR_BY_WEIGHT
    said = []
    for family in families:
        shares, costs = (
            [
                value
                for label in (least, most)
                for name, value in _figures(families, ASTAR_BY_WEIGHT[label], figure)
                if name == family
            ]
            for figure in (OVERESTIMATED, PATH_COST)
        )
        if len(shares) == len(costs) == 2:
            said.append(
                f"on {family} {percent(shares[0])} of the values are too large and paths cost "
                f"{costs[0]:.3f} times the least, against {percent(shares[1])} and {costs[1]:.3f}"
            )
    return f"With a weight of {least} against one of {most}: {'; '.join(said)}." if said else ""


def _figures(families: Families, variant: Variant, figure: str) -> Iterator[tuple[str, float]]:
    """A figure's mean over trainings, by family where it was measured."""
    for family, row in families.items():
        summary = row["variants"].get(variant.name, {})
        if figure in summary:
            yield family, mean(summary[figure])


def _listed(texts: Iterator[str] | list[str]) -> str:
    """Texts with commas and an `and`.

    >>> _listed(["a", "b", "c"]), _listed(["a"])
    ('a, b and c', 'a')
    """
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


SAID: Mapping[str, Callable[[Families], str]] = {"order": orders, "overestimates": overestimates}

"""Every search keeps the contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from phil.evaluation.methods import SEARCHES
from phil.search import ASTAR, Outcome, Result, search
from tests.contracts.check_search import CHECKS, Search, check_search

ALL: dict[str, Search] = {
    **{name: partial(search, key=kind.key) for name, kind in SEARCHES.items() if not kind.bounded},
    **{
        f"{name}, bound {bound}": partial(search, key=kind.key, bound=bound)
        for name, kind in SEARCHES.items()
        if kind.bounded
        for bound in (1.0, 1.5, float("inf"))
    },
    "astar, bound 1.5": partial(search, key=ASTAR, bound=1.5),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", ALL)
def test_the_contract(name: str, check: Callable[[Search], None]) -> None:
    check(ALL[name])


@pytest.mark.parametrize(
    "fault",
    [
        {"outcome": Outcome.LIMIT},
        {"expansions": 3},
        {"cost": 2.0},
        {"reopened": 1},
        {"generated": 1},
    ],
    ids=lambda fault: next(iter(fault)),
)
def test_every_fault_is_found(fault: dict[str, Any]) -> None:
    def faulty(*arguments: Any, **options: Any) -> Result:
        return replace(search(*arguments, **options), **fault)

    with pytest.raises(AssertionError):
        check_search(faulty)

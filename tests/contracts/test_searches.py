"""Every search keeps the contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from phil.evaluation.methods import SEARCHES
from phil.search import ASTAR, GREEDY, Key, Outcome, Result, search
from tests.contracts.check_search import (
    CHECKS,
    Search,
    check_search,
    searches_graphs_met_on_the_way,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", [name for name, kind in SEARCHES.items() if not kind.bounded])
def test_the_contract(name: str, check: Callable[[Search], None]) -> None:
    check(partial(search, key=SEARCHES[name].key))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("bound", [1.0, 1.5, float("inf")])
@pytest.mark.parametrize("key", [GREEDY, ASTAR], ids=["greedy", "astar"])
def test_the_contract_with_a_bound(key: Key, bound: float, check: Callable[[Search], None]) -> None:
    # Less is known of a graph that is met on the way, so that more must be expanded for a proof.
    if check is not searches_graphs_met_on_the_way:
        check(partial(search, key=key, bound=bound))


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

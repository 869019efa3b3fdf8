"""Searches by name, as in methods such as `wastar(octile, 2)`.

A new search is one file and one line in `SEARCHES`. A search from a higher layer is listed by its
import path, and imported on first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from math import isfinite

from phil.arguments import FUNCTION, TEXT, Kind, is_whole, takes
from phil.errors import InputError, quoted
from phil.search.bidirectional import BIDIRECTIONAL
from phil.search.bounded import check_bound
from phil.search.guide import Heuristic
from phil.search.hedge import HEDGE
from phil.search.method import Method, NamedSearch, OwnSearch, Searcher, Solver
from phil.search.mha import MHA
from phil.search.state import ASTAR, BFS, GREEDY, Key

Heuristics = Sequence[Heuristic]
Numbers = Sequence[float]


def _by_key(key: Key) -> Callable[[str, Heuristics, Numbers], Method]:
    return lambda text, heuristics, numbers: Method(text, key, heuristics[0])


def _weighted(text: str, heuristics: Heuristics, numbers: Numbers) -> Method:
    [weight] = numbers
    if not (weight >= 1 and isfinite(weight)):
        raise InputError(f"method '{text}': the weight of A* must be 1 or more, and finite")
    return Method(text, Key(g=1.0, h=float(weight), reopen=False), heuristics[0])


def _bounded(
    text: str, heuristics: Heuristics, numbers: Numbers, lower: Heuristic | None = None
) -> Method:
    return Method(text, GREEDY, heuristics[0], check_bound(numbers[0]), lower)


def _deep(text: str, heuristics: Heuristics, numbers: Numbers) -> Method:
    [weight] = numbers
    if not isfinite(weight):
        raise InputError(f"method '{text}': the weight of the depth must be finite")
    return Method(text, Key(g=0.0, h=1.0, depth=-float(weight)), heuristics[0])


DISTANCE = ("euclidean",)
SEARCHES: tuple[NamedSearch | str, ...] = (
    NamedSearch(
        "greedy",
        "greedy(euclidean)",
        "lowest value first; H alone means greedy(H)",
        _by_key(GREEDY),
    ),
    NamedSearch("astar", "astar(euclidean)", "A*", _by_key(ASTAR), DISTANCE),
    NamedSearch("dijkstra", "dijkstra", "Dijkstra's algorithm", _by_key(ASTAR), ("zero",), most=0),
    NamedSearch("wastar", "wastar(euclidean, 2)", "weighted A*", _weighted, DISTANCE, numbers=(1,)),
    NamedSearch("bfs", "bfs", "breadth-first search", _by_key(BFS), ("zero",), most=0),
    NamedSearch(
        "bounded",
        "bounded(euclidean, 1.5)",
        "a path of at most 1.5 times the optimal cost; proven with H if lower=H follows",
        _bounded,
        numbers=(1,),
        options=("lower",),
    ),
    *BIDIRECTIONAL,
    MHA,
    HEDGE,
    "phil.heuristics.novelty:BFWS",
    NamedSearch(
        "depth", "depth(euclidean, 0.8)", "lowest value - 0.8 x depth first", _deep, numbers=(1,)
    ),
)

FEW = Kind("a whole number from 0 to 100", lambda value: is_whole(value) and 0 <= value <= 100)

_registered: dict[str, NamedSearch] = {}


@cache
def built_in_searches() -> dict[str, NamedSearch]:
    """The built-in searches by name."""
    parts = [_imported(part) if isinstance(part, str) else part for part in SEARCHES]
    return {part.name: part for part in parts}


def searches() -> dict[str, NamedSearch]:
    """All searches by name: built-in and registered ones."""
    return built_in_searches() | _registered


def _imported(place: str) -> NamedSearch:
    module, _, name = place.partition(":")
    part: NamedSearch = getattr(import_module(module), name)
    return part


@takes(name=TEXT, make=FUNCTION, heuristics=FEW, numbers=FEW, help=TEXT)
def register_search(
    name: str,
    make: Callable[..., Searcher],
    *,
    heuristics: int = 1,
    numbers: int = 0,
    help: str = "",
) -> None:
    """Register a search under a name for methods, also on the command line.

    Parameters
    ----------
    name
        The word before the parenthesis: `beam` for `beam(euclidean, 20)`.
    make
        Called with the heuristics, then the numbers in the parentheses. It returns an object with a
        `text` and a method `search(problem, limits, *, trace)` that returns a `Result`; the object
        may have a `bound`, a guarantee that paths cost at most this many times the optimal cost.
    heuristics
        How many heuristics it takes.
    numbers
        How many numbers it takes.
    help
        A short description.

    Raises
    ------
    InputError
        If the name is taken or is not a word.

    Examples
    --------
    >>> import phil
    >>> from phil.evaluation import Method, parse_method
    >>> def cautious(heuristic, share):
    ...     return Method("cautious", phil.Key(g=share, h=1.0), heuristic)
    >>> phil.register_search("cautious", cautious, numbers=1)
    >>> parse_method("cautious(octile, 0.5)").text
    'cautious(octile, 0.5)'
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise InputError(
            f"a search's name must be a word of letters and digits, not {quoted(name)}"
        )
    if name in built_in_searches():
        raise InputError(f"there already is a built-in search '{name}'; choose another name")

    def made(text: str, guides: Heuristics, values: Numbers) -> Solver:
        if len(guides) != heuristics:
            raise InputError(f"method '{text}': {name} takes {heuristics} heuristics: {example}")
        return OwnSearch(text, make(*guides, *values), tuple(guides))

    heuristics, numbers = int(heuristics), int(numbers)
    example = f"{name}({', '.join(['euclidean'] * heuristics + ['2'] * numbers)})"
    _registered[name] = NamedSearch(name, example, help, made, most=heuristics, numbers=(numbers,))

"""Where heuristics for any map are tested, and the methods that are tested beside them."""

from __future__ import annotations

from collections.abc import Sequence

from phil.errors import InputError
from phil.evaluation import Method, Solver, evaluate, parse_method
from phil.heuristics.registry import PREFIX, load_heuristic, read_any, shipped_names
from phil.problems import open_set
from phil.problems.generated import FAMILIES
from phil.problems.problem import Problem
from phil.search import GREEDY
from phil.search.guide import Heuristic
from phil.search.registry import searches
from reproduction.carry.trained import opened, small_maps, train_carried
from reproduction.experiment import Request
from reproduction.scores import score_json
from reproduction.store import Content
from reproduction.table1.table import has_path

MAPS, PAIRS = "maps", "pairs"
BENCHES = {MAPS: "map", PAIRS: "family"}  # and what a row of its tables is
NAME = "map"  # of the heuristic, `phil:map`
PHIL, HEDGE, EUCLIDEAN = "phil", "hedge", "euclidean"
UNLEARNED = {EUCLIDEAN: "greedy(euclidean)", "astar": "astar(octile)", "oracle": "oracle"}
TITLES = {
    PHIL: "PHIL",
    HEDGE: "PHIL, hedged",
    EUCLIDEAN: "greedy Euclidean",
    "astar": "A*, octile",
    "oracle": "shortest path",
}


def groups(request: Request, bench: str) -> dict[str, list[Problem]]:
    """The test problems of a bench that have a path, by map or by family."""
    if request.quick:
        return by_map(small_maps().test)
    if bench == MAPS:
        return by_map(opened("maps/movingai", None, request.data).test)
    return {
        family: [
            *filter(has_path, open_set(f"grids/{family}", data=request.data, pairs="random").test)
        ]
        for family in FAMILIES
    }


def by_map(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Problems by the map that their names name, `<source>/<set>/<split>/<map>/<number>`."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        _, name, _, *rest = problem.name.split("/")
        # Generated maps, which have only a number, are grouped by family.
        found.setdefault("/".join(rest[:-1]) or name, []).append(problem)
    return {name: found[name] for name in sorted(found)}


def run(request: Request, bench: str, solver: Solver) -> Content:
    """The scores of a method on a bench, by map or by family."""
    return {
        name: score_json(evaluate(problems, [solver])[0])
        for name, problems in groups(request, bench).items()
    }


def solver(request: Request, method: str) -> Solver:
    """A method by its name in the tables."""
    if method in UNLEARNED:
        return parse_method(UNLEARNED[method])
    heuristic = shipped(request)
    return hedged(heuristic) if method == HEDGE else greedy(heuristic)


def greedy(heuristic: Heuristic) -> Solver:
    """Greedy search by a learned heuristic."""
    return Method(TITLES[PHIL], GREEDY, heuristic)


def hedged(heuristic: Heuristic) -> Solver:
    """The hedged search by a learned heuristic."""
    search = searches()[HEDGE]
    return search.make(TITLES[HEDGE], [heuristic, *map(load_heuristic, search.also)], [])


def shipped(request: Request) -> Heuristic:
    """The shipped `phil:map`; in quick runs one that was trained for seconds."""
    if request.quick:
        return read_any(train_carried(request, NAME, 0))
    if PREFIX + NAME not in shipped_names():
        raise InputError(
            f"the package has no {PREFIX}{NAME}; make it with "
            f"`python -m reproduction shipped --maps {NAME}`"
        )
    return load_heuristic(PREFIX + NAME)

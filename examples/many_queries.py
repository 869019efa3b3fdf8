"""Search many paths at once: in threads on one graph, or in processes with a graph each.

python examples/many_queries.py
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import phil
from phil.problems.generated import generate_maps

PHIL = phil.load("phil:forest")


def one_search(problem: phil.Problem) -> phil.Result:
    """What a process does with a problem."""
    return phil.search(problem.graph, problem.start, problem.goal, PHIL)


def mean(results: list[phil.Result]) -> str:
    return f"{np.mean([result.expansions for result in results]):.1f} expansions on average"


if __name__ == "__main__":
    grids = [phil.GridGraph(free) for free in generate_maps("forest", 4, seed=0, split="test")]

    # One graph: its compiled searches run side by side in threads, which share it.
    ends = [((200, start), (0, goal)) for start in (0, 1, 2) for goal in (198, 199, 200)]
    print(f"{len(ends)} searches in threads:", mean(phil.search_many(grids[0], ends, PHIL)))

    # Many graphs, or a heuristic written in Python: processes. A graph is sent as its arrays, a
    # learned heuristic as the bytes of its file, a built-in one as its name. Each process loads
    # the compiled code from the cache.
    problems = [phil.Problem(grid, (200, 0), (0, 200)) for grid in grids]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(one_search, problems))
    print(f"{len(problems)} searches in processes:", mean(results))

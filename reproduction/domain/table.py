"""`python -m reproduction domain`: training on implicit graphs, and searches on fresh problems.

PHIL is trained several times on each game, with the default settings. All methods then solve the
same problems, drawn with random numbers that no training uses. With `--quick`, training takes a
moment and there are a few problems.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from phil import GREEDY, Key, Limits, search
from phil.heuristics.registry import SUFFIX, read_any
from phil.search.guide import Heuristic
from reproduction.domain.game import Estimated, Game
from reproduction.domain.peg_solitaire import SOLITAIRE
from reproduction.domain.sliding_puzzle import PUZZLE
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section, count, round_to, short, with_spread
from reproduction.methods import MethodSpec, log_rows, train_once
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.scores import deviation
from reproduction.sections import by_seed, cell, table
from reproduction.store import Content, Parts

GAMES = {"sliding_puzzle": PUZZLE, "peg_solitaire": SOLITAIRE}
TESTED, QUICK_TESTED = 100, 5
LIMIT, QUICK_LIMIT = 20_000, 2_000  # expansions
TEST_SEED = 2**32  # trainings have smaller seeds
QUICK = {
    "rounds": 2,
    "explore": 500,
    "attempts": 10,
    "attempt_limit": 500,
    "iterations": 2,
    "validate_every": 2,
    "validation": 5,
    "rollouts": 4,
    "steps": 4,
}
SPEC = MethodSpec("phil", "PHIL", method="phil", quick=QUICK)
ABOUT = [
    "One heuristic per game, trained by `phil.train(domain)` with the default settings on one "
    "core: it explores 20,000 states back from the goal, then solves 200 problems in each of 15 "
    "rounds and learns from what the searches found ([Training on an implicit "
    "graph](graphs.md#training-on-an-implicit-graph)). PHIL's numbers are means over trainings "
    "with different seeds, and their standard deviation.",
    f"Tested on {TESTED} problems that no training has seen, the same for all methods. A search is "
    f"given up after {LIMIT:,} expansions, which then count. Calls are how often the neighbours of "
    "a state are computed. Costs are means over the solved problems.",
]


class DomainTable(Experiment):
    """PHIL on implicit graphs, against searches that learn nothing."""

    name = "domain"
    title = "Training on implicit graphs"

    def stages(self, request: Request) -> list[Stage]:
        """For each game, a part with all rivals, and one for each training."""
        seeds = range(1 if request.quick else request.seeds)
        rivals = [
            Part(f"{name}-rivals", partial(_rivals, game, quick=request.quick))
            for name, game in GAMES.items()
        ]
        trainings = [
            Part(f"{name}-{seed}", partial(_training, request, name, seed))
            for seed in seeds
            for name in GAMES
        ]
        return [Stage([*rivals, *trainings])]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """The methods of every game: PHIL's means over its trainings, and the rivals."""
        found = {}
        for name, game in GAMES.items():
            trained = [
                part for key, part in parts.items() if key.startswith(name) and "seed" in part
            ]
            rivals = parts.get(f"{name}-rivals")
            if trained and rivals:
                found[name] = _game(game, sorted(trained, key=lambda part: part["seed"]), rivals)
        return {"games": found}

    def page(self, document: Document, request: Request) -> Page:
        """A table for each game."""
        games = document["games"]
        parts = [
            Section("What is compared", ABOUT),
            *(_methods(GAMES[name], row) for name, row in games.items()),
            table(
                "Trainings",
                "By seed: seconds by the clock, while other programs were running, and mean calls "
                "on the validation problems.",
                {
                    "game": lambda row: GAMES[row["name"]].title,
                    "seconds": cell("seconds", by_seed(short)),
                    "validation": cell("validation", by_seed(count)),
                },
                ({"name": name, **row} for name, row in games.items()),
            ),
        ]
        return Page(self.title, document["command"], parts)

    def values(self, document: Document) -> dict[str, Value]:
        """Mean calls of every method."""
        return {
            f"{name}, {method}": Value(score["calls"], score.get("deviation"))
            for name, row in document["games"].items()
            for method, score in row["methods"].items()
        }

    def summary(self, document: Document) -> Section:
        """The calls of PHIL and of the first rival."""
        return table(
            "Calls",
            f"Made by `{document['command']}`.",
            {
                "game": lambda row: GAMES[row["name"]].title,
                "PHIL": lambda row: _calls(row["methods"]["PHIL"]),
                "first rival": lambda row: _calls(row["methods"][row["rival"]]),
                "ratio": cell("ratio", lambda value: f"{value:.3f}"),
            },
            ({"name": name, **row} for name, row in document["games"].items()),
        )


def _rivals(game: Game, *, quick: bool) -> Content:
    return {
        "methods": {
            name: _score(game, Estimated(name, rival.estimate), rival.key, quick=quick)
            for name, rival in game.rivals.items()
        }
    }


def _training(request: Request, name: str, seed: int) -> Content:
    game = GAMES[name]
    folder = request.heuristics / request.named(DomainTable.name)
    file = folder / f"{name}-{seed}{SUFFIX}"
    train_once(file, game.domain, SPEC, seed, quick=request.quick)
    heuristic = read_any(file)
    return {
        "seed": seed,
        "score": _score(game, heuristic, GREEDY, quick=request.quick),
        "seconds": round_to(log_rows(file)[-1]["seconds"], 3),
        "validation": heuristic.metadata.validation,
    }


def _score(game: Game, heuristic: Heuristic, key: Key, *, quick: bool) -> Content:
    limits = Limits(expansions=QUICK_LIMIT if quick else LIMIT)
    results = [
        search(game.domain.graph, *game.domain.draw(random), heuristic, key=key, limits=limits)
        for random in np.random.default_rng(TEST_SEED).spawn(QUICK_TESTED if quick else TESTED)
    ]
    calls = [result.calls for result in results]
    costs = [result.cost for result in results if result.solved]
    return {
        "problems": len(results),
        "solved": len(costs),
        "expansions": float(np.mean([result.expansions for result in results])),
        "calls": float(np.mean(calls)),
        "median_calls": float(np.median(calls)),
        "cost": float(np.mean(costs)) if costs else None,
    }


def _game(game: Game, trained: Sequence[Content], rivals: Content) -> dict[str, Any]:
    scores = [part["score"] for part in trained]
    means: dict[str, Any] = {
        key: None if None in (values := [score[key] for score in scores]) else np.mean(values)
        for key in scores[0]
    }
    spread = {"deviation": deviation([score["calls"] for score in scores])}
    rival = next(iter(game.rivals))
    return {
        "methods": {**rivals["methods"], "PHIL": means | spread},
        "rival": rival,
        "ratio": means["calls"] / rivals["methods"][rival]["calls"],
        "seconds": [part["seconds"] for part in trained],
        "validation": [part["validation"]["calls"]["mean"] for part in trained],
    }


def _methods(game: Game, row: dict[str, Any]) -> Section:
    text = f"{game.about} PHIL takes {row['ratio']:.3f} times the calls of *{row['rival']}*."
    return table(
        game.title[0].upper() + game.title[1:],
        text,
        {
            "method": "name",
            "solved": lambda method: f"{method['solved'] / method['problems']:.1%}",
            "expansions": cell("expansions", count),
            "calls": _calls,
            "median calls": cell("median_calls", count),
            "cost": cell("cost", lambda cost: "-" if cost is None else f"{cost:.1f}"),
        },
        ({"name": name, **method} for name, method in row["methods"].items()),
    )


def _calls(method: Any) -> str:
    return with_spread(method["calls"], method.get("deviation"), count)


DOMAIN = DomainTable()
